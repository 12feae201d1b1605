// Facts about <attn-values> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'Recall with keys that serve as values, and with values of their own.',
    zh: '键兼作值与值独立时，各能取回多少内容。',
  },
  row: 'keys that serve as values: a conflict over capacity',
  assets: ['EXPERIMENTS_WORKER'],
  attributes: {
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    seed: { en: 'of the first run', zh: '第一次运行的种子' },
  },
};
