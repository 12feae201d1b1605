// Facts that hold for all figures, in both languages. The manifest, the types and the element
// reference are generated from them; no page loads this file.

/**
 * @import { Palette } from '../chart/palette.js'
 * @import { Both } from '../spec.js'
 */

/** Attributes of every element. */
export const SHARED_ATTRIBUTES = {
  lang: { type: 'string', en: 'en or zh', zh: 'en 或 zh' },
  theme: {
    type: "'light' | 'dark'",
    en: 'keeps one set of colours; without it they suit the background and the text of the page, also after a change',
    zh: '固定一套颜色；不写则按页面的背景和文字颜色自动选择，页面变了也跟着变',
  },
};

/** Attributes of every figure. */
export const FIGURE_ATTRIBUTES = {
  controls: {
    type: 'string',
    en: 'the controls to show, by attribute name; there are no others; `none` for none',
    zh: '只保留列出的控件（写属性名）；`none` 表示一个也不要',
  },
  panels: {
    type: 'string',
    en: 'the panels to show, by name',
    zh: '只画列出的分图（写名称）',
  },
  compact: {
    type: 'boolean',
    en: 'cuts the figure to its title, one panel, one control and the first number of each series, in text half as large as that around it; `panels` and `controls` choose others',
    zh: '精简版：标题、一幅分图、一个控件和每个系列的第一个数，字号是周围文字的一半；可再用 `panels`、`controls` 指定',
  },
};

export const EVENTS = {
  'attn-change': {
    type: 'CustomEvent<{ figure: string, state: Record<string, string | number>, settled: boolean }>',
    en: 'after the state has changed and been computed; settled is false while the reader drags. It bubbles and is composed.',
    zh: '状态改变并算出结果之后触发；拖动期间 settled 为 false。事件冒泡，并能穿出 shadow DOM。',
  },
  'attn-highlight': {
    type: 'CustomEvent<{ series: string, pinned: string }>',
    en: 'after another series, or none, has been lit up',
    zh: '点亮另一个系列或取消点亮之后触发',
  },
};

/** The empty name is that of the slot without one. @type {Record<string, Both>} */
export const SLOTS = {
  '': {
    en: 'static picture, shown until the figure is drawn; other content stays, below the figure',
    zh: '静态图片，图画好之前显示；其他内容则留在图的下方',
  },
  fallback: { en: 'the same, by name', zh: '同上，用名称指定' },
  title: { en: "replaces the figure's own title", zh: '代替图自带的标题' },
  caption: { en: "replaces the figure's own caption", zh: '代替图自带的说明' },
};

/** @type {Record<string, Both>} */
export const PARTS = {
  title: { en: 'the claim, with its live number', zh: '标题：论断与实测数字' },
  controls: { en: 'the line of controls', zh: '控件一行' },
  run: { en: 'button that starts the measurement', zh: '按钮：开始测量' },
  cancel: { en: 'button that ends it early', zh: '按钮：提前结束测量' },
  steps: {
    en: 'the step shown, and buttons that lead to the others',
    zh: '当前步骤的说明，以及前后步骤的按钮',
  },
  turns: {
    en: 'on narrow screens, where a figure shows one panel at a time: buttons for each',
    zh: '窄屏上一次只显示一幅分图时，切换分图的按钮',
  },
  plot: { en: 'the picture', zh: '图本身' },
  readout: {
    en: 'the numbers below the picture: measured, theory, error',
    zh: '图下的数字：实测、理论、误差',
  },
  fold: {
    en: 'on narrow screens: button that unfolds the other numbers, notes and links',
    zh: '窄屏上展开其余数字、说明和链接的按钮',
  },
  sample: { en: 'button that draws a new sample', zh: '按钮：换一组样本' },
  share: { en: 'button that copies a link to this state', zh: '按钮：复制当前状态的链接' },
  embed: {
    en: 'button that copies the code to embed this state',
    zh: '按钮：复制当前状态的嵌入代码',
  },
  'download-svg': { en: 'button that saves the picture as SVG', zh: '按钮：把图存为 SVG' },
  'download-png': { en: 'button that saves the picture as PNG', zh: '按钮：把图存为 PNG' },
  'download-csv': { en: 'button that saves the data', zh: '按钮：保存数据' },
  table: { en: 'button that shows the data', zh: '按钮：显示数据' },
  data: { en: 'the data as tables, once shown', zh: '显示出来的数据表' },
  notice: {
    en: 'a remark: an attribute that could not be read, a link that was copied',
    zh: '提示：读不懂的属性、已复制的链接',
  },
  failure: { en: 'says what went wrong, in place of numbers', zh: '出错时代替数字，说明原因' },
  retry: { en: 'button that tries again', zh: '按钮：重试' },
};

/** The lengths that pages may set. */
export const MARGIN = { en: 'margin above and below the element', zh: '元素上下的外边距' };
export const TOP = {
  en: 'height of a bar at the top of the page, under which the main control stays on a phone; none: it does not stay',
  zh: '页面顶栏的高度；在手机上，主控件停留在它下方；none 表示不停留',
};

/** The colours and the font that pages may set. @type {Record<keyof Palette, Both>} */
export const COLOURS = {
  ink: { en: 'text', zh: '文字' },
  muted: { en: 'axis names, ticks, annotations', zh: '轴名、刻度、注释' },
  faint: { en: 'grid', zh: '网格' },
  paper: { en: 'behind labels', zh: '标签的底色' },
  scaled: { en: 'series with the scale', zh: '缩放的系列' },
  scaledText: { en: 'labels of that series; else its colour', zh: '该系列的标签，不设则同色' },
  unscaled: { en: 'series without the scale', zh: '不缩放的系列' },
  unscaledText: { en: 'labels of that series; else its colour', zh: '该系列的标签，不设则同色' },
  third: { en: 'a further series', zh: '第三个系列' },
  thirdText: { en: 'labels of that series; else its colour', zh: '该系列的标签，不设则同色' },
  folk: { en: 'the claim as commonly made', zh: '常见的说法' },
  folkText: { en: 'labels of that claim; else its colour', zh: '该说法的标签，不设则同色' },
  font: { en: 'font family of all text', zh: '全部文字的字体' },
};
