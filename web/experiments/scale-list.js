/**
 * The scales of scores, once for all figures: their keys, in attributes and rows, and what each makes of scores.
 */
import { dkScale } from '../shared/dk-scales.js';
import { keysOf } from '../shared/keys.js';
import { yarnFactor } from '../theory/scales.js';

/**
 * @import { DkScaleKey } from '../shared/dk-scales.js'
 * @import { RowScale } from '../theory/scales.js'
 *
 * @typedef {DkScaleKey | 't5' | 'temperature' | 'cosine' | 'log-keys' | 'yarn'} ScaleChoice a factor, or that of cosines
 * @typedef {'softcap' | 'softcap-alone' | 'sigmoid' | 'sigmoid-bias' | 'sink'} FurtherScale
 * @typedef {ScaleChoice | FurtherScale} Scale
 */

/**
 * @typedef {object} ScaleSizes
 * @property {number} dK at least 2
 * @property {number} keys at least 2
 * @property {number} [temperature] 4
 * @property {number} [gain] g of cosine similarity; 10
 * @property {number} [trained] the number of keys in training, of which YaRN sees s times as many; 16
 * @property {number} [variance] of the entries of queries and keys; 1
 */

/** @typedef {(sizes: Required<Omit<ScaleSizes, 'variance'>>) => RowScale} Law */

/** The learned factor of ln n where Nakanishi (2025) draws it, in figure 1. */
export const LOG_GAIN = 0.43;
/** The soft cap of Gemma 2's attention layers (2024). */
const SOFTCAP = 50;

const root = dkScale('sqrt').factor;
/** Returns the law of a scale that depends on d_k alone. @param {DkScaleKey} key @returns {Law} */
const ofDk =
  (key) =>
  ({ dK }) => ({ factor: dkScale(key).factor(dK) });

/**
 * Those that multiply, in the order of falling scores at d_k = 64 and 64 keys.
 * @type {Record<ScaleChoice, Law>}
 */
const FACTORS = {
  none: ofDk('none'),
  temperature: ({ temperature }) => ({ factor: 1 / temperature }),
  'log-keys': ({ dK, keys }) => ({ factor: LOG_GAIN * Math.log(keys) * root(dK) }),
  yarn: ({ dK, keys, trained }) => ({ factor: yarnFactor(keys / trained) * root(dK) }),
  cosine: ({ gain }) => ({ factor: gain, cosine: true }),
  t5: ofDk('sqrt'), // its start makes W_Q smaller by √d_k
  sqrt: ofDk('sqrt'),
  'half-sqrt': ofDk('half-sqrt'),
  linear: ofDk('linear'),
};

/** Caps, sigmoids and the sink. @type {Record<FurtherScale, Law>} */
const FURTHER = {
  softcap: ({ dK }) => ({ factor: root(dK), softcap: SOFTCAP }),
  'softcap-alone': () => ({ factor: 1, softcap: SOFTCAP }),
  sigmoid: ({ dK }) => ({ factor: root(dK), bias: 0 }),
  'sigmoid-bias': ({ dK, keys }) => ({ factor: root(dK), bias: -Math.log(keys) }),
  sink: ({ dK }) => ({ factor: root(dK), sink: 0 }),
};

const LAWS = { ...FACTORS, ...FURTHER };

/** The choices of factor. */
export const SCALE_CHOICES = Object.freeze(keysOf(FACTORS));

/** All scales: factors first. */
export const SCALES = Object.freeze(keysOf(LAWS));

/**
 * Returns what a scale makes of the scores of unit entries: entries of another variance multiply every dot product by
 * it, and leave cosines as they are.
 * @param {ScaleSizes & { scale: Scale }} setting
 * @returns {RowScale}
 */
export function scaleLaw({ scale, variance = 1, ...given }) {
  const law = LAWS[scale]({ temperature: 4, gain: 10, trained: 16, ...given });
  return law.cosine ? law : { ...law, factor: variance * law.factor };
}
