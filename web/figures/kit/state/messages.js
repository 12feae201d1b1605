// The words of the kit, in both languages. Each figure has further ones (see FigureSpec.messages).

/** @import { Language } from './language.js' */

/** @typedef {typeof en} KitMessages */

const en = {
  loading: 'Starting the kernel …',
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
const zh = {
  loading: '正在启动计算内核……',
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
export const kitMessages = { en, zh };

/**
 * Returns the reason of a failure.
 * @param {unknown} error
 * @returns {string} the thrown value in words
 */
export const reason = (error) => (error instanceof Error ? error.message : String(error));
