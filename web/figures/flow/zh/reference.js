// What the reference says of <attn-flow> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '四个词元上的一个注意力头：每个矩阵、它的算式和梯度。',
  parts: { steps: '当前步骤的说明，以及前后步骤的按钮' },
  attributes: {
    cross: '`yes`：查询来自一段文字，键和值来自另一段，不用掩码',
    scaling: '分数是否除以 √d_k',
    causal: '是否只让查询看到自己和更早的键',
    gradients: '格子里显示什么',
    seed: '未给出的矩阵所用的种子',
    cell: '显示算式的格子，如 `scores-2-3`',
    step: '突出显示的步骤，1 到 6；0 表示不突出',
    x: '4 × 6 个数，逐行给出',
    queryWeight: '6 × 3 个数，逐行给出',
    keyWeight: '6 × 3 个数，逐行给出',
    valueWeight: '6 × 3 个数，逐行给出',
    y: '3 × 6 个数，逐行给出：交叉注意力的另一段文字',
  },
};
