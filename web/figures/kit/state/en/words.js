// The words of the kit in English.

/** Words of several figures. */
export const shared = {
  fields: {
    dK: 'd_k',
    keys: 'keys n',
    scale: 'scale',
    entrySize: 'size of entries',
    queries: 'queries',
    seed: 'seed',
  },
  options: {
    none: 'unscaled',
    sqrt: '÷ √dₖ',
    'half-sqrt': '÷ 2√dₖ',
    linear: '÷ dₖ',
  },
  /** The same in pictures and read-outs, which set an index. */
  curves: { none: 'unscaled', sqrt: '÷ √d_k', 'half-sqrt': '÷ 2√d_k', linear: '÷ d_k' },
  unscaled: 'unscaled',
  scaled: 'scaled',
  /** Follows the name of an axis. */
  logScale: ' (log scale)',
  byOne: 'factor 1',
  entropyRatio: 'entropy / ln n',
  deviation: 'σ of the scores',
  oneRun: 'one run',
  runs: 'median of {runs}',
};

/** What the kit says itself; each figure has further words (FigureSpec.messages). */
export const words = {
  loading: 'Starting the kernel …',
  notDrawn: 'Not drawn here: this figure loads its model when it comes into view.',
  measured: 'measured',
  theory: 'theory',
  error: 'error',
  more: 'More settings',
  unfold: 'All numbers, link and files',
  fold: 'Fewer numbers',
  panels: 'Panel shown',
  value: (/** @type {string} */ label) => `${label}, as a number`,
  sample: (/** @type {number} */ seed) => `New sample (seed ${seed})`,
  share: 'Share link',
  embed: 'Embed',
  saveAs: (/** @type {string} */ kind) => `Download as ${kind}`,
  showTable: 'Show data as table',
  hideTable: 'Hide the table',
  run: 'Run on my device',
  play: '▶ Play',
  stop: '■ Stop',
  cancel: 'Cancel',
  progress: 'Progress',
  cancelled: 'Cancelled; what was measured stays.',
  linkCopied: 'Link copied; it holds every setting and the seed.',
  linkHere: 'Copy this link; it holds every setting and the seed.',
  codeCopied: 'The first is copied.',
  codeHere: 'Copy one of these.',
  elementCopied: 'The code is copied.',
  elementHere: 'Copy this code.',
  embedScript: 'HTML with one script',
  embedElement: 'HTML for a page that loads the figures already',
  embedFrame: 'HTML with an iframe, which takes the height of the figure',
  link: 'Link to this state',
  failed: (/** @type {string} */ why) => `This figure could not compute: ${why}`,
  saveFailed: (/** @type {string} */ why) => `The file could not be made: ${why}`,
  retry: 'Retry',
  ignored: (/** @type {string} */ names) => `Not understood and left at a usable value: ${names}.`,
  noAttribute: (/** @type {string} */ name, /** @type {string} */ known) =>
    `${name} is no attribute: ${known}?`,
  series: 'series',
  x: 'x',
  axis: (/** @type {string} */ name) => `x: ${name}`,
  low: '10% or least',
  high: '90% or most',
  linked: (/** @type {string} */ formula, /** @type {string} */ of, /** @type {string} */ figure) =>
    `${formula}: “${of}” in the figure “${figure}”`,
};
