// What the reference says of <attn-heads> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary:
    '多用几个头的代价：一层的参数，以及每个词元要缓存的数；还有一个头做不到、两个头才做得到的事。',
  attributes: {
    model: 'd_model；选定后，头数也取自已发表的模型',
    heads: '查询的头数 h',
    kvHeads: '键和值的头数',
    headSize: 'd_k = d_model/h，或已发表模型的 d_k',
    bias: '投影是否带偏置',
  },
};
