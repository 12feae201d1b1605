// What manifest, types and documents of <attn-view> are made of, besides the texts of */reference.js.

/** @type {import('../../figures/kit/spec.js').ElementFacts} */
export const facts = {
  assets: ['MODELS', 'LANGUAGE_KERNELS', 'EXPERIMENTS_WORKER', 'VIEW', 'EXAMPLES'],
  needs: ['MODELS'],
  properties: {
    weights: 'unknown',
    query: 'unknown',
    key: 'unknown',
    file: 'ArrayBuffer | ArrayBufferView | Blob | undefined',
    series: 'readonly object[] | undefined',
    tokens: 'string[] | undefined',
    keyTokens: 'string[] | undefined',
    scale: 'number | undefined',
    attentionMask: 'unknown',
    options: 'object | undefined',
  },
  events: {
    'attn-error':
      'CustomEvent<{ figure: string, source?: string, code?: string, message: string }>',
  },
};
