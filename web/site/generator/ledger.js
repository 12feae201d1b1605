// Build step: the numbers of the ledger, for readers without script. Times are left to the reader's device.
import { CLAIMS, measureClaims } from '../../experiments/claims.js';
import { addRows } from '../../figures/claims/element.js';

/** @import { Results } from '../../figures/claims/element.js' */

/** @type {Results} */
export const results = new Map();

await measureClaims({
  claims: CLAIMS.filter((claim) => !('isTimed' in claim)).map(({ key }) => key),
  onProgress: ({ rows }) => addRows(results, rows),
});
