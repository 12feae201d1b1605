// What the reference says of <attn-scales> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary:
    '用同一批随机的查询和键比较各种缩放，再看选中的一种随键数或 d_k 怎样变化，以及键增多时分数该怎样增长。',
  attributes: {
    factor: '所看的缩放',
    measure: '看一行权重的哪个量',
    across: '横轴：键数或 d_k',
    temperature: '缩放系数 1/T 中的 T',
    gain: '余弦相似度的增益',
    trained: '训练时的键数，供 YaRN 用',
    head: '与高斯分数并列的一个训练好的头（层.头），取自 `<attn-language>` 的模型的录制结果',
  },
};
