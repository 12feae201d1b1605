// Facts about <attn-flow> that its manifest, types and reference are made of.

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'One attention head on four tokens: every matrix, its arithmetic and its gradient.',
    zh: '四个词元上的一个注意力头：每个矩阵、它的算式和梯度。',
  },
  row: 'one small head, every number of it, forwards and backwards',
  attributes: {
    cross: {
      en: '`yes`: queries of one text, keys and values of another, without a mask',
      zh: '`yes`：查询来自一段文字，键和值来自另一段，不用掩码',
    },
    scaling: { en: 'whether scores are divided by √d_k', zh: '分数是否除以 √d_k' },
    causal: {
      en: 'whether a query may see only itself and earlier keys',
      zh: '是否只让查询看到自己和更早的键',
    },
    gradients: { en: 'what the cells show', zh: '格子里显示什么' },
    seed: { en: 'of the matrices that are not given', zh: '未给出的矩阵所用的种子' },
    cell: {
      en: 'the cell whose arithmetic is shown, as in `scores-2-3`',
      zh: '显示算式的格子，如 `scores-2-3`',
    },
    step: {
      en: 'the step that stands out, 1 to 6; 0 for none',
      zh: '突出显示的步骤，1 到 6；0 表示不突出',
    },
    x: { en: '4 × 6 numbers, row by row', zh: '4 × 6 个数，逐行给出' },
    queryWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    keyWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    valueWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    y: {
      en: '3 × 6 numbers, row by row: the other text of cross-attention',
      zh: '3 × 6 个数，逐行给出：交叉注意力的另一段文字',
    },
  },
};
