/** The model of each language: scaled by 1/√d_k, trained to the end. web/recording/record.js makes what is recorded. */
export const MODELS = {
  of: 'package',
  budget: 'recorded',
  isInFile: true,
  files: {
    'recorded/en-sqrt-1500': () => import('./data/en-sqrt-1500.js'),
    'recorded/zh-sqrt-1500': () => import('./data/zh-sqrt-1500.js'),
  },
};

/** The curves of <attn-language>. */
export const CURVES = {
  of: 'package',
  budget: 'recorded',
  isInFile: true,
  files: {
    'recorded/en': () => import('./data/en.js'),
    'recorded/zh': () => import('./data/zh.js'),
  },
};

/** The texts on which readers train. */
export const TEXTS = {
  of: 'site',
  budget: 'recorded',
  files: {
    'recorded/en-text': () => import('./data/en-text.js'),
    'recorded/zh-text': () => import('./data/zh-text.js'),
  },
};

/** Examples of <attn-view>: of a model of others (web/recording/measure.js), and small runs with a fault (symptoms.js). */
export const EXAMPLES = {
  of: 'site',
  budget: 'recorded',
  files: {
    'recorded/minilm-tired': () => import('./data/minilm-tired.js'),
    'recorded/minilm-wide': () => import('./data/minilm-wide.js'),
    'recorded/symptom-stall': () => import('./data/symptom-stall.js'),
    'recorded/symptom-explode': () => import('./data/symptom-explode.js'),
    'recorded/symptom-nan': () => import('./data/symptom-nan.js'),
    'recorded/symptom-alike': () => import('./data/symptom-alike.js'),
    'recorded/symptom-first': () => import('./data/symptom-first.js'),
  },
};

/** Other scales, steps and variants of <attn-language>. */
export const FURTHER = {
  of: 'site',
  budget: 'recorded',
  files: {
    'recorded/en-variants': () => import('./data/en-variants.js'),
    'recorded/en-sqrt-100': () => import('./data/en-sqrt-100.js'),
    'recorded/en-sqrt-300': () => import('./data/en-sqrt-300.js'),
    'recorded/en-sqrt-1000': () => import('./data/en-sqrt-1000.js'),
    'recorded/en-none-1500': () => import('./data/en-none-1500.js'),
    'recorded/en-linear-1500': () => import('./data/en-linear-1500.js'),
    'recorded/zh-sqrt-100': () => import('./data/zh-sqrt-100.js'),
    'recorded/zh-sqrt-300': () => import('./data/zh-sqrt-300.js'),
    'recorded/zh-sqrt-1000': () => import('./data/zh-sqrt-1000.js'),
    'recorded/zh-none-1500': () => import('./data/zh-none-1500.js'),
    'recorded/zh-linear-1500': () => import('./data/zh-linear-1500.js'),
  },
};
