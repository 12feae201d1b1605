// How far the weights of a head reach: to keys near by or far away, and to what followed an earlier token like the
// query's own, which heads do that copy from the text ("induction heads", Olsson et al. 2022).

import { queriesOf } from '../../diagnosis/padding.js';

/**
 * @import { Shown } from './heads.js'
 *
 * @typedef {object} Reach  means over the queries that have weights
 * @property {number} distance  between a query's place and its keys, by weight
 * @property {number} localWeight  on keys at most LOCAL places away; the rest is on keys far away
 * @property {number} inductionWeight  on the keys behind earlier tokens like the query's own, over the queries that have
 *   such keys; NaN without tokens
 */

/** The farthest that is near, in places. */
export const LOCAL = 4;

/**
 * Measures how far weights reach. Of fewer queries than keys, the queries are the last, as in a diagnosis.
 * @param {Float32Array} weights [n_q, n_k]
 * @param {{ nQ: number, nK: number }} sizes
 * @param {Pick<Shown, 'keyTokens' | 'attentionMask'>} attention
 * @returns {Reach}
 */
export function reachOf(weights, { nQ, nK }, { keyTokens, attentionMask }) {
  const keep = attentionMask?.data;
  const numbers = keyTokens?.map((token) => keyTokens.indexOf(token)); // compared faster than texts
  const shift = Math.max(0, nK - nQ);
  let [distance, local, counted, induction, followers] = [0, 0, 0, 0, 0];
  for (const i of queriesOf(keep, nQ, nK)) {
    const place = i + shift;
    let [sum, far, near, copied, hasEarlier] = [0, 0, 0, 0, false];
    for (let j = 0; j < nK; j++) {
      if (keep && !keep[j]) continue;
      const weight = weights[i * nK + j];
      const away = Math.abs(j - place);
      sum += weight;
      far += weight * away;
      if (away <= LOCAL) near += weight;
      if (numbers && j > 0 && j < place && numbers[j - 1] === numbers[place]) {
        copied += weight;
        hasEarlier = true;
      }
    }
    if (sum === 0) continue;
    counted += 1;
    distance += far / sum;
    local += near / sum;
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
