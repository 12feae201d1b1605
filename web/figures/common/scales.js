// The names of the scales, the same in every panel of <attn-scale> and <attn-scales>.

import { scaleLook } from '../kit/chart/looks.js';
import { factors, shared } from '../kit/state/words.js';

/**
 * @import { AnyView } from '../kit/spec.js'
 * @import { Scale } from '../../experiments/scales.js'
 */

/** Choices that are no powers of d_k. */
const others = {
  temperature: '1/T',
  cosine: 'g·cos(q, k)',
};
/** @type {Record<string, string>} */
const formulas = {
  ...factors,
  ...others,
  none: '1',
  cosine: 'g·cos',
  t5: '1/√d_k (T5)',
  'log-keys': '0.43 ln n/√d_k',
  yarn: '(0.1 ln s + 1)²/√d_k',
  softcap: '50 tanh(·/(50√d_k))',
  'softcap-alone': '50 tanh(·/50)',
  sigmoid: 'sigmoid(·/√d_k)',
  'sigmoid-bias': 'sigmoid(·/√d_k − ln n)',
  sink: '1/√d_k + sink',
};
/** Names beside a line, where those of the formulas are long. @type {Record<string, string>} */
const labels = {
  t5: 'T5',
  'log-keys': 'ln n/√d_k',
  yarn: 'YaRN',
  softcap: 'cap 50',
  'softcap-alone': 'cap alone',
  sigmoid: 'sigmoid',
  'sigmoid-bias': 'σ(s − ln n)',
  sink: 'sink 0',
};

const en = {
  ...shared.en,
  formulas,
  labels,
  fields: {
    ...shared.en.fields,
    factor: 'factor',
    temperature: 'temperature T',
    gain: 'gain g',
    trained: 'keys in training, n/s',
  },
  options: {
    ...shared.en.options,
    ...others,
    t5: 'T5: 1/√dₖ in the start of W_Q',
    'log-keys': '0.43 ln n/√dₖ',
    yarn: 'YaRN: (0.1 ln s + 1)²/√dₖ',
    softcap: '1/√dₖ and a soft cap of 50',
    'softcap-alone': 'a soft cap of 50 alone',
    sigmoid: 'sigmoid',
    'sigmoid-bias': 'sigmoid with −ln n',
    sink: '1/√dₖ and a sink',
  },
  rowSum: 'sum of a row',
};

/** @type {typeof en} */
const zh = {
  ...shared.zh,
  formulas,
  labels: { ...labels, softcap: '软上限 50', 'softcap-alone': '只有软上限', sink: '注意力汇' },
  fields: {
    ...shared.zh.fields,
    factor: '系数',
    temperature: '温度 T',
    gain: '增益 g',
    trained: '训练时的键数 n/s',
  },
  options: {
    ...shared.zh.options,
    ...others,
    t5: 'T5：1/√dₖ 放进 W_Q 的初值',
    'log-keys': '0.43 ln n/√dₖ',
    yarn: 'YaRN：(0.1 ln s + 1)²/√dₖ',
    softcap: '1/√dₖ 加软上限 50',
    'softcap-alone': '只有软上限 50',
    sigmoid: 'sigmoid',
    'sigmoid-bias': 'sigmoid，偏置 −ln n',
    sink: '1/√dₖ 加注意力汇',
  },
  rowSum: '一行之和',
};

/** The words for scales. */
export const scaleWords = { en, zh };

/** Curves beside the chosen one. @type {readonly Scale[]} */
export const REFERENCES = ['none', 'sqrt', 'linear'];

/** Returns the scale to compare with. @param {Scale} scale  @returns {Scale} */
export const otherThan = (scale) => (scale === 'sqrt' ? 'none' : 'sqrt');

/** Returns the name of a scale. @param {Pick<AnyView, 'text'>} view  @param {string} scale  @returns {string} */
export const nameOf = ({ text: words }, scale) =>
  scale === 'none' ? words.options.none : (words.labels[scale] ?? words.formulas[scale]);

/**
 * Declares look and name of a scale's line; that of the reader's is thicker.
 * @param {AnyView} view
 * @param {Scale} scale
 */
export const chosenSeries = (view, scale) => ({
  look: scaleLook(view.palette, scale),
  label: nameOf(view, scale),
  width: scale === view.state.factor ? 2 : 1.25,
});
