// Words of the kit and of several figures, and how words and numbers come together.

/**
 * @import { Language } from './language.js'
 * @import { DkScaleKey } from '../../../shared/dk-scales.js'
 * @import { AnyView, ReadoutRow } from '../spec.js'
 */

/**
 * Returns a text with its {holes} filled; numbers are written as short as possible.
 * @param {Pick<AnyView, 'state' | 'format'>} view
 * @param {string} text
 * @param {Record<string, string | number>} [values] by the names of the holes; others are taken from
 *   the state
 */
export const say = ({ state, format }, text, values = {}) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? state[name];
    return typeof value === 'number' ? format.plain(value) : value;
  });

/** Words of several figures. */
const en = {
  fields: {
    dK: 'd_k',
    keys: 'keys n',
    scale: 'scale',
    entrySize: 'size of entries',
    queries: 'queries',
    seed: 'seed',
  },
  options: {
    none: 'none',
    sqrt: '1/√dₖ',
    'half-sqrt': '1/(2√dₖ)',
    linear: '1/dₖ',
  },
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

/** @type {typeof en} */
const zh = {
  fields: {
    dK: 'd_k',
    keys: '键数 n',
    scale: '缩放系数',
    entrySize: '元素大小',
    queries: '查询数',
    seed: '种子',
  },
  options: { ...en.options, none: '不缩放' },
  unscaled: '不缩放',
  scaled: '缩放后',
  logScale: '（对数轴）',
  byOne: '系数为 1',
  entropyRatio: '熵 / ln n',
  deviation: '分数的标准差 σ',
  oneRun: '单次',
  runs: '{runs} 次的中位数',
};

export const shared = { en, zh };

/** Factors in running text; options of a select cannot hold a subscript. */
export const factors = { sqrt: '1/√d_k', 'half-sqrt': '1/(2√d_k)', linear: '1/d_k' };

/** The attention that a factor makes. @type {Record<DkScaleKey, string>} */
export const formulas = {
  none: 'softmax(q·k)',
  sqrt: 'softmax(q·k / √d_k)',
  'half-sqrt': 'softmax(q·k / 2√d_k)',
  linear: 'softmax(q·k / d_k)',
};

/** @typedef {typeof kitEn} KitMessages */

/** What the kit says itself; each figure has further words (FigureSpec.messages). */
const kitEn = {
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
  series: 'series',
  x: 'x',
  low: '10% or least',
  high: '90% or most',
  linked: (/** @type {string} */ formula, /** @type {string} */ of, /** @type {string} */ figure) =>
    `${formula}: “${of}” in the figure “${figure}”`,
};

/** @type {KitMessages} */
const kitZh = {
  loading: '正在启动计算内核……',
  notDrawn: '这里没有画出：此图滚动到眼前时才加载模型。',
  measured: '实测',
  theory: '理论',
  error: '误差',
  more: '更多设置',
  unfold: '全部数值、链接与下载',
  fold: '收起数值',
  panels: '当前分图',
  value: (label) => `${label}（输入数值）`,
  sample: (seed) => `换一组样本（种子 ${seed}）`,
  share: '分享链接',
  embed: '嵌入',
  saveAs: (kind) => `下载 ${kind} 文件`,
  showTable: '以表格显示数据',
  hideTable: '收起表格',
  run: '在我的设备上运行',
  cancel: '取消',
  progress: '进度',
  cancelled: '已取消，已测得的结果保留。',
  linkCopied: '链接已复制，其中包含全部设置和种子。',
  linkHere: '请复制此链接，其中包含全部设置和种子。',
  codeCopied: '已复制第一段。',
  codeHere: '请复制其中一段。',
  elementCopied: '代码已复制。',
  elementHere: '请复制这段代码。',
  embedScript: '单脚本 HTML',
  embedElement: 'HTML，用于已加载图表的页面',
  embedFrame: 'iframe HTML，高度随图自动调整',
  link: '当前状态的链接',
  failed: (why) => `此图无法完成计算：${why}`,
  saveFailed: (why) => `无法生成文件：${why}`,
  retry: '重试',
  ignored: (names) => `以下设置无法识别，已改用可用的值：${names}。`,
  series: '系列',
  x: 'x',
  low: '10% 或最小',
  high: '90% 或最大',
  linked: (formula, of, figure) => `${formula}：图“${figure}”中的“${of}”`,
};

/** @type {Record<Language, KitMessages>} */
export const kitMessages = { en: kitEn, zh: kitZh };

/**
 * A line of the read-out.
 * @param {string} quantity
 * @param {(value: number) => string} format
 * @param {number} measured
 * @param {number} [theory]  left out where there is none
 * @returns {ReadoutRow}
 */
export const line = (quantity, format, measured, theory = NaN) => ({
  quantity,
  format,
  measured,
  theory,
});

/**
 * Returns the reason of a failure.
 * @param {unknown} error
 * @returns {string} the thrown value in words
 */
export const reason = (error) => (error instanceof Error ? error.message : String(error));
