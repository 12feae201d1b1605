/**
 * Everything that is loaded on demand, once: its name, which is that of its file on the site, and its
 * module. A build replaces each `import()` here by the delivery of its form (web/build/forms.js); budgets
 * stand in tests/budgets.json.
 */

/** Kernels that engines with SIMD do not need. c/Makefile makes them. */
export const KERNELS = {
  'kernel-relaxed': () => import('../attention/kernel/generated/relaxed.js'),
  'kernel-fallback': () => import('../attention/kernel/generated/fallback.js'),
};

/** The same of the language model. */
export const LANGUAGE_KERNELS = {
  'language-relaxed': () => import('../language/generated/relaxed.js'),
  'language-fallback': () => import('../language/generated/fallback.js'),
};

/** The worker of `trainApart`, as text. web/build/texts.js makes the texts. */
export const LANGUAGE_WORKER = {
  'language-worker': () => import('../language/generated/worker.js'),
};

/** The worker of long experiments, as text. */
export const EXPERIMENTS_WORKER = {
  'experiments-worker': () => import('../experiments/generated/worker.js'),
};

/** The language model, for experiments that train one. */
export const TRAINER = {
  'model-trainer': () => import('../experiments/trainer.js'),
};

/** The bundle of <attn-view> as text, for the pages that it saves. */
export const VIEW = {
  'view-bundle': () => import('../figures/view/generated/bundle.js'),
};

/** The model of each language: scaled by 1/√d_k, trained to the end. web/recording/record.js makes what is recorded. */
export const MODELS = {
  'recorded/en-sqrt-1500': () => import('../language/recorded/data/en-sqrt-1500.js'),
  'recorded/zh-sqrt-1500': () => import('../language/recorded/data/zh-sqrt-1500.js'),
};

/** The curves of <attn-language>. */
export const CURVES = {
  'recorded/en': () => import('../language/recorded/data/en.js'),
  'recorded/zh': () => import('../language/recorded/data/zh.js'),
};

/** The texts on which readers train: files of the site alone. */
export const TEXTS = {
  'recorded/en-text': () => import('../language/recorded/data/en-text.js'),
  'recorded/zh-text': () => import('../language/recorded/data/zh-text.js'),
};

/** Examples of <attn-view>, of a model of others, which web/recording/measure.js writes: files of the site alone. */
export const EXAMPLES = {
  'recorded/minilm-tired': () => import('../language/recorded/data/minilm-tired.js'),
  'recorded/minilm-wide': () => import('../language/recorded/data/minilm-wide.js'),
};

/** Other scales, steps and variants of <attn-language>: files of the site alone. */
export const FURTHER = {
  'recorded/en-variants': () => import('../language/recorded/data/en-variants.js'),
  'recorded/en-sqrt-100': () => import('../language/recorded/data/en-sqrt-100.js'),
  'recorded/en-sqrt-300': () => import('../language/recorded/data/en-sqrt-300.js'),
  'recorded/en-sqrt-1000': () => import('../language/recorded/data/en-sqrt-1000.js'),
  'recorded/en-none-1500': () => import('../language/recorded/data/en-none-1500.js'),
  'recorded/en-linear-1500': () => import('../language/recorded/data/en-linear-1500.js'),
  'recorded/zh-sqrt-100': () => import('../language/recorded/data/zh-sqrt-100.js'),
  'recorded/zh-sqrt-300': () => import('../language/recorded/data/zh-sqrt-300.js'),
  'recorded/zh-sqrt-1000': () => import('../language/recorded/data/zh-sqrt-1000.js'),
  'recorded/zh-none-1500': () => import('../language/recorded/data/zh-none-1500.js'),
  'recorded/zh-linear-1500': () => import('../language/recorded/data/zh-linear-1500.js'),
};
