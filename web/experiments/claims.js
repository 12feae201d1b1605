/**
 * The ledger: common claims about scaled attention, each with the numbers that decide it, measured on
 * the reader's device, but for what claims/trained.js has of recorded training. There are no words here: a
 * claim has a key, and its quantities have names.
 */
import { pause } from '../shared/pause.js';
import * as basics from './claims/basics.js';
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

/**
 * @typedef {'true' | 'partly' | 'false'} Verdict
 *
 * @typedef {object} Claim
 * @property {string} key  its name in texts, tests and pages
 * @property {Verdict} verdict
 * @property {(control: Learning) => Quantities | Promise<Quantities>} measure
 * @property {boolean} [isTimed]  whether times decide it, which differ from device to device
 * @property {boolean} [isLearned]  whether the language model decides it
 */

/**
 * The claims, in the order of the ledger, which numbers them.
 * @satisfies {readonly Claim[]}
 */
export const CLAIMS = /** @type {const} */ ([
  { key: 'variance', verdict: 'true', measure: scores.variance },
  { key: 'typicalSize', verdict: 'false', measure: scores.typicalSize },
  { key: 'overflow', verdict: 'false', measure: scores.overflow },
  { key: 'expOfFifty', verdict: 'partly', measure: scores.expOfFifty },
  { key: 'oneHot', verdict: 'false', measure: scores.oneHot },
  { key: 'vanishing', verdict: 'partly', measure: scores.vanishing },
  { key: 'nearlyUniform', verdict: 'true', measure: scores.nearlyUniform },
  { key: 'halfScale', verdict: 'false', measure: scores.halfScale },
  { key: 'withinThree', verdict: 'partly', measure: scores.withinThree },
  { key: 'operations', verdict: 'partly', measure: cost.operations },
  { key: 'speed', verdict: 'partly', measure: cost.speed, isTimed: true },
  { key: 'memory', verdict: 'false', measure: cost.memory },
  { key: 'scaleCost', verdict: 'true', measure: cost.scaleCost, isTimed: true },
  { key: 'swapped', verdict: 'false', measure: roles.swapped },
  { key: 'twoGradients', verdict: 'true', measure: roles.twoGradients },
  { key: 'asymmetry', verdict: 'partly', measure: roles.asymmetry },
  { key: 'keysAsValues', verdict: 'false', measure: learned.keysAsValues, isLearned: true },
  { key: 'heads', verdict: 'false', measure: roles.heads },
  { key: 'scaledValues', verdict: 'false', measure: roles.scaledValues },
  { key: 'headScale', verdict: 'false', measure: roles.headScale },
  { key: 'drift', verdict: 'false', measure: roles.drift },
  { key: 'halfPrecision', verdict: 'true', measure: roles.halfPrecision },
  { key: 'convergence', verdict: 'partly', measure: roles.convergence },
  { key: 'trainedDeviation', verdict: 'false', measure: trained.trainedDeviation },
  { key: 'untrainable', verdict: 'false', measure: trained.untrainable },
  { key: 'specialHeads', verdict: 'partly', measure: trained.specialHeads },
  { key: 'softcapAlone', verdict: 'false', measure: today.softcapAlone },
  { key: 'normalised', verdict: 'partly', measure: today.normalised },
  { key: 'byWidth', verdict: 'false', measure: today.byWidth },
  { key: 'atLength', verdict: 'partly', measure: today.atLength },
  { key: 'additiveAgainstDot', verdict: 'partly', measure: roles.additiveAgainstDot },
  { key: 'stuck', verdict: 'partly', measure: learned.stuck, isLearned: true },
  { key: 'keysAndValues', verdict: 'partly', measure: learned.keysAndValues, isLearned: true },
  { key: 'otherFactors', verdict: 'false', measure: today.otherFactors },
  { key: 'learnedFactor', verdict: 'false', measure: trained.learnedFactor },
  { key: 'oneNumber', verdict: 'false', measure: basics.oneNumber },
  { key: 'entrySize', verdict: 'partly', measure: basics.entrySize },
  { key: 'inputRange', verdict: 'false', measure: basics.inputRange },
  { key: 'meanScore', verdict: 'false', measure: basics.meanScore },
  { key: 'meanWeight', verdict: 'false', measure: basics.meanWeight },
  { key: 'glorot', verdict: 'partly', measure: basics.glorot },
  { key: 'scaleMemory', verdict: 'true', measure: cost.scaleMemory },
  { key: 'outputSoftmax', verdict: 'false', measure: basics.outputSoftmax },
  { key: 'patches', verdict: 'partly', measure: basics.patches },
  { key: 'pairByPair', verdict: 'false', measure: cost.pairByPair, isTimed: true },
]);

/** @typedef {typeof CLAIMS[number]['key']} ClaimKey */

export const CLAIM_KEYS = CLAIMS.map(({ key }) => key);

/** Returns the number of a claim in the ledger, from 1 on. @param {ClaimKey} key */
export const numberOf = (key) => CLAIM_KEYS.indexOf(key) + 1;

/**
 * A number that decides a claim.
 * @typedef {object} ClaimRow
 * @property {ClaimKey} claim
 * @property {string} quantity its name within the claim
 * @property {number} value
 */

/**
 * Measures one claim, in slices where it takes long.
 * @param {{ claim: ClaimKey, signal?: AbortSignal, kernel?: InitOptions }} options `kernel` of the language model, which
 *   a few claims train
 * @returns {Promise<ClaimRow[]>} a row for each quantity; if the signal aborted, computed from the part done by then, or NaN
 */
export async function measureClaim({ claim, ...control }) {
  const { measure } = /** @type {Claim} */ (CLAIMS.find(({ key }) => key === claim));
  const quantities = await measure(control);
  return Object.entries(quantities).map(([quantity, value]) => ({ claim, quantity, value }));
}

/**
 * Measures claim after claim, with pauses between them and within the long ones.
 * @param {{ claims: readonly ClaimKey[] } & Learning & Control<ClaimRow>} options `onProgress` receives the rows of each
 * @returns {Promise<ClaimRow[]>} rows of all claims, or of those complete when the signal aborted
 */
export async function measureClaims({ claims, onProgress, ...control }) {
  /** @type {ClaimRow[]} */
  const all = [];
  let decided = 0;
  for (const claim of claims) {
    await pause();
    if (control.signal?.aborted) break;
    const rows = await measureClaim({ claim, ...control });
    if (control.signal?.aborted) break;
    onProgress?.({ fraction: ++decided / claims.length, rows });
    all.push(...rows);
  }
  return all;
}
