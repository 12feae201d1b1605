// Build step: the numbers of the ledger, for readers without script. Times are left to the reader's device.
import { CLAIM_COUNT, measureClaims, TIMED_CLAIMS } from '../../experiments/claims.js';
import { addRows } from '../../figures/claims/element.js';
import { times } from '../../shared/times.js';

/** @import { Results } from '../../figures/claims/element.js' */

/** @type {Results} */
export const results = new Map();

await measureClaims({
  claims: times(CLAIM_COUNT, (index) => index + 1).filter((claim) => !TIMED_CLAIMS.includes(claim)),
  onRows: (rows) => addRows(results, rows),
});
