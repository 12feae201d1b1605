// The words of <attn-heads>, in both languages.

/** @import { ElementFacts } from '../kit/spec.js' */

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'What more heads cost, parameters of a layer and cached numbers per token, and what two hold that one cannot.',
    zh: '多用几个头的代价：一层的参数，以及每个词元要缓存的数；还有一个头做不到、两个头才做得到的事。',
  },
  row: 'heads add no parameters; grouped heads save cache; two words that one head cannot hold',
  attributes: {
    model: {
      en: 'd_model; choosing one also sets the heads of a published model',
      zh: 'd_model；选定后，头数也取自已发表的模型',
    },
    heads: { en: 'query heads h', zh: '查询的头数 h' },
    kvHeads: { en: 'heads of keys and values', zh: '键和值的头数' },
    headSize: {
      en: 'd_k = d_model/h, or that of the published model',
      zh: 'd_k = d_model/h，或已发表模型的 d_k',
    },
    bias: { en: 'whether the projections have biases', zh: '投影是否带偏置' },
  },
};
