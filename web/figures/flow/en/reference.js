// What the reference says of <attn-flow> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary: 'One attention head on four tokens: every matrix, its arithmetic and its gradient.',
  parts: { steps: 'the step shown, and buttons that lead to the others' },
  attributes: {
    cross: '`yes`: queries of one text, keys and values of another, without a mask',
    scaling: 'whether scores are divided by √d_k',
    causal: 'whether a query may see only itself and earlier keys',
    gradients: 'what the cells show',
    seed: 'of the matrices that are not given',
    cell: 'the cell whose arithmetic is shown, as in `scores-2-3`',
    step: 'the step that stands out, 1 to 6; 0 for none',
    x: '4 × 6 numbers, row by row',
    queryWeight: '6 × 3 numbers, row by row',
    keyWeight: '6 × 3 numbers, row by row',
    valueWeight: '6 × 3 numbers, row by row',
    y: '3 × 6 numbers, row by row: the other text of cross-attention',
  },
};
