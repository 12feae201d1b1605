// What the reference says of <attn-roles> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary:
    '一个头学习判断形容词描述的是哪个名词：分数乘 1/√d_k、不缩放、乘 1/d_k，都在读者的设备上训练。',
  attributes: {
    frame: '发生了什么，1（没有过）到 8，按列表的次序',
    first: '前一个名词，列表里的第 1 到第 8 个',
    second: '后一个名词，第 1 到第 8 个',
    adjective: '形容词：1 到 4 说的是前一个名词，5 到 8 说的是后一个',
    step: '显示训练到第几步的模型',
    compare: '与 1/√d_k 对比的缩放：`none` 不缩放，`linear` 为 1/d_k',
    dK: '查询、键和值的长度',
    values: '`own` 有单独的值；`keys` 用键作值',
    rate: '学习率',
    seed: '起点和训练句子的种子',
  },
};
