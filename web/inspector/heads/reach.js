// How far the weights of a head reach: to keys near by or far away, and to what followed an earlier token like the
// query's own, which heads do that copy from the text ("induction heads", Olsson et al. 2022).

import { queriesOf } from '../../diagnosis/padding.js';

/**
 * @import { Grid } from '../reading/grid.js'
 * @import { Shown } from './heads.js'
 *
 * @typedef {object} Reach  means over the queries that have weights; NaN where nothing is known
 * @property {number} distance  between a query's place and its keys, by weight: in places along a text, in an image in
 *   patches between their centres
 * @property {number} localWeight  on keys at most LOCAL away; the rest is on keys far away
 * @property {number} inductionWeight  on the keys behind earlier tokens like the query's own, over the queries that have
 *   such keys; NaN without tokens
 *
 * @typedef {Pick<Shown, 'tokens' | 'keyTokens' | 'attentionMask' | 'options' | 'grid'>} Known
 */

/** The farthest that is near, in places or in patches. */
export const LOCAL = 4;

/**
 * Measures how far weights reach. Keys in front of the patches of an image, such as a class token, have no place in it
 * and count neither as key nor as query. Queries whose places among the keys are unknown give NaN.
 * @param {Float32Array} weights [n_q, n_k]
 * @param {{ nQ: number, nK: number }} sizes
 * @param {Known} attention
 * @returns {Reach}
 */
export function reachOf(weights, { nQ, nK }, attention) {
  const { keyTokens, attentionMask, grid } = attention;
  const keep = attentionMask?.data;
  const behind = keyTokens && keysBehind(keyTokens);
  const first = grid ? nK - grid[0] * grid[1] : 0;
  const away = grid ? overImage(grid, first) : alongText;
  const queries = areLastKeys(attention, nQ, nK) ? queriesOf(keep, nQ, nK) : [];
  let [distance, local, counted, induction, followers] = [0, 0, 0, 0, 0];
  for (const i of queries) {
    const place = i + nK - nQ;
    if (place < first) continue;
    const row = weights.subarray(i * nK, (i + 1) * nK);
    let [sum, far, near, copied, hasEarlier] = [0, 0, 0, 0, false];
    for (let j = first; j < nK; j++) {
      if (keep && !keep[j]) continue;
      const distant = away(place, j);
      sum += row[j];
      far += row[j] * distant;
      if (distant <= LOCAL) near += row[j];
    }
    if (sum === 0) continue;
    counted += 1;
    distance += far / sum;
    local += near / sum;
    for (const j of behind?.get(/** @type {string[]} */ (keyTokens)[place]) ?? []) {
      if (j >= place) break;
      if (j < first || (keep && !keep[j])) continue;
      copied += row[j];
      hasEarlier = true;
    }
    if (!hasEarlier) continue;
    followers += 1;
    induction += copied / sum;
  }
  return {
    distance: distance / counted,
    localWeight: local / counted,
    inductionWeight: induction / followers,
  };
}

/**
 * Returns whether queries are the last of the keys, as those of one text are, or those after a cache. Fewer queries may
 * also be of another text, as words that look at an image: their tokens or causality have to tell.
 * @param {Known} attention
 * @param {number} nQ
 * @param {number} nK
 */
function areLastKeys({ tokens, keyTokens, options }, nQ, nK) {
  if (tokens && keyTokens) {
    return nQ <= nK && tokens.every((token, i) => token === keyTokens[i + nK - nQ]);
  }
  return nQ === nK || (nQ < nK && options?.causal === 'lower-right');
}

/** Returns the distance of two places in a text. @param {number} a @param {number} b */
const alongText = (a, b) => Math.abs(a - b);

/** Returns what measures the distance of two patches between their centres. @param {Grid} grid @param {number} first  the key of the first patch */
function overImage([, columns], first) {
  return (/** @type {number} */ a, /** @type {number} */ b) => {
    const down = Math.floor((a - first) / columns) - Math.floor((b - first) / columns);
    const across = ((a - first) % columns) - ((b - first) % columns);
    return Math.sqrt(down * down + across * across);
  };
}

/** Returns the keys behind those of each token, in their order. @param {readonly string[]} tokens */
function keysBehind(tokens) {
  /** @type {Map<string, number[]>} */
  const behind = new Map();
  tokens.forEach((token, place) => {
    const keys = behind.get(token);
    if (keys) keys.push(place + 1);
    else behind.set(token, [place + 1]);
  });
  return behind;
}
