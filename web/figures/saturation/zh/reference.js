// What the reference says of <attn-saturation> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: 'd_k 增大时，softmax 缩放与不缩放各如何饱和。',
  attributes: {
    lower:
      '第四幅分图画什么：`entropy`（熵）、`competitors`（最高分附近的键数）或 `growth`（这一差距怎样随 n 变小）',
    head: '与随机分数并列的一个训练好的头（层-头），取自 `<attn-language>` 的模型的录制结果',
  },
};
