// The words of figures for the starts of queries and keys in English.

export const startWords = {
  field: 'start',
  /** @satisfies {Record<import('../../../shared/starts.js').StartKey, string>} */
  options: {
    unit: 'unit variance',
    'nn-linear': 'nn.Linear',
    multihead: 'nn.MultiheadAttention',
    glorot: 'Glorot, d_model = 8 d_k',
    'gpt-2': 'GPT-2, d_model = 768',
  },
};
