// The words of <attn-scale> and <attn-scales> for scales in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { scaleWords as en } from '../en/scales.js';

/** @type {typeof en} */
export const scaleWords = {
  ...shared,
  formulas: en.formulas,
  labels: { ...en.labels, softcap: '软上限 50', 'softcap-alone': '只有软上限', sink: '注意力汇' },
  fields: {
    ...shared.fields,
    factor: '系数',
    temperature: '温度 T',
    gain: '增益 g',
    trained: '训练时的键数 n/s',
  },
  options: {
    ...en.options,
    ...shared.options,
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
