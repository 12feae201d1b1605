/**
 * The ledger: common claims about scaled attention, each with the numbers that decide it, measured on
 * the reader's device, but for what claims/trained.js has of recorded training. There are no words here: a
 * claim is a number from 1 on, in the order of the ledger, and its quantities have names.
 */
import { checkNames, refuse } from '../shared/check.js';
import { pause } from '../shared/pause.js';
import * as cost from './claims/cost.js';
import * as learned from './claims/learned.js';
import * as roles from './claims/roles.js';
import * as scores from './claims/scores.js';
import * as today from './claims/today.js';
import * as trained from './claims/trained.js';

/**
 * @import { InitOptions } from '../attention/index.js'
 * @import { Control } from '../shared/slices.js'
 * @import { Learning } from './claims/learned.js'
 */

/** @typedef {Record<string, number>} Quantities */

/** The measurement of each claim, from claim 1 on.
 *  @type {readonly ((control: Learning) => Quantities | Promise<Quantities>)[]} */
const MEASUREMENTS = [
  scores.variance,
  scores.typicalSize,
  scores.overflow,
  scores.expOfFifty,
  scores.oneHot,
  scores.vanishing,
  scores.nearlyUniform,
  scores.halfScale,
  scores.withinThree,
  cost.operations,
  cost.speed,
  cost.memory,
  cost.scaleCost,
  roles.swapped,
  roles.twoGradients,
  roles.asymmetry,
  learned.keysAsValues,
  roles.heads,
  roles.scaledValues,
  roles.headScale,
  roles.drift,
  roles.halfPrecision,
  roles.convergence,
  trained.trainedDeviation,
  trained.untrainable,
  trained.specialHeads,
  today.softcapAlone,
  today.normalised,
  today.byWidth,
  today.atLength,
  roles.additiveAgainstDot,
  learned.stuck,
  learned.keysAndValues,
  today.otherFactors,
  trained.learnedFactor,
];

/** The number of claims. */
export const CLAIM_COUNT = MEASUREMENTS.length;

/** Returns the numbers of claims. @param {(typeof MEASUREMENTS)[number][]} measurements @returns {readonly number[]} */
const numbersOf = (measurements) =>
  measurements.map((measurement) => MEASUREMENTS.indexOf(measurement) + 1);

/** The claims that times decide, which differ from device to device. */
export const TIMED_CLAIMS = numbersOf([cost.speed, cost.scaleCost]);

/** The claims that the language model decides. */
export const LEARNED_CLAIMS = numbersOf(Object.values(learned));

/**
 * A number that decides a claim.
 * @typedef {object} ClaimRow
 * @property {number} claim from 1 on
 * @property {string} quantity its name within the claim
 * @property {number} value
 */

/**
 * Measures one claim, in slices where it takes long.
 * @param {{ claim: number, signal?: AbortSignal, kernel?: InitOptions }} options `kernel` of the language model, which
 *   a few claims train
 * @returns {Promise<ClaimRow[]>} a row for each quantity; if the signal aborted, computed from the part done by then, or NaN
 * @throws {RangeError} (as a rejection) for a claim that there is not
 */
export async function measureClaim({ claim, ...control }) {
  checkNames('measureClaim', control, 'claim, signal, kernel');
  const measurement = MEASUREMENTS[claim - 1];
  if (!measurement) refuse('measureClaim', 'claim', claim, `1 … ${CLAIM_COUNT}`);
  const quantities = await measurement(control);
  return Object.entries(quantities).map(([quantity, value]) => ({ claim, quantity, value }));
}

/**
 * Measures claim after claim, with pauses between them and within the long ones.
 * @param {{ claims?: readonly number[], onRows?: (rows: ClaimRow[]) => void, signal?: AbortSignal, kernel?: InitOptions }} [options]
 *   `claims` all, in order; `onRows` receives the rows of each
 * @returns {Promise<ClaimRow[]>} rows of all claims, or of those complete when the signal aborted
 */
export async function measureClaims({
  claims = MEASUREMENTS.map((_, index) => index + 1),
  onRows = () => {},
  ...control
} = {}) {
  checkNames('measureClaims', control, 'claims, onRows, signal, kernel');
  /** @type {ClaimRow[]} */
  const all = [];
  for (const claim of claims) {
    await pause();
    if (control.signal?.aborted) break;
    const rows = await measureClaim({ claim, ...control });
    if (control.signal?.aborted) break;
    onRows(rows);
    all.push(...rows);
  }
  return all;
}

/**
 * Measures claims like `measureClaims`, with progress as other long experiments have it.
 * @param {{ claims: readonly number[] } & Learning & Control<ClaimRow>} options `onProgress` receives the rows of each
 * @returns {Promise<ClaimRow[]>}
 */
export function claimsInTurn({ claims, onProgress, ...control }) {
  let decided = 0;
  const onRows = (/** @type {ClaimRow[]} */ rows) =>
    onProgress?.({ fraction: ++decided / claims.length, rows });
  return measureClaims({ claims, onRows, ...control });
}
