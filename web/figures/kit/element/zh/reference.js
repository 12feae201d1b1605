// What the reference says of all elements in Chinese.

import { LANGUAGE_KEYS } from '../../../../shared/languages.js';

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  sharedAttributes: {
    lang: LANGUAGE_KEYS.join(' 或 '),
    theme: '固定一套颜色；不写则按页面的背景和文字颜色自动选择，页面变了也跟着变',
  },
  figureAttributes: {
    controls: '只保留列出的控件（写属性名）；`none` 表示一个也不要',
    panels: '只画列出的分图（写名称）',
    compact:
      '精简版：标题、一幅分图、一个控件和每个系列的第一个数，字号是周围文字的一半；可再用 `panels`、`controls` 指定',
  },
  fields: {
    dK: '查询和键的长度',
    keys: '一个查询有多少个键可选',
    scale: '“缩放后”一组所乘的缩放系数',
    entrySize: '元素的标准差',
    mean: '元素的均值，以标准差为单位',
    start: 'W_Q、W_K 的初始化方式，决定查询和键各元素的方差',
    queries: '样本的查询数',
    seed: '随机数的种子',
  },
  events: {
    'attn-change':
      '状态改变并算出结果之后触发；拖动期间 settled 为 false。事件冒泡，并能穿出 shadow DOM。',
    'attn-highlight': '点亮另一个系列或取消点亮之后触发',
  },
  slots: {
    '': '静态图片，图画好之前显示；其他内容则留在图的下方',
    fallback: '同上，用名称指定',
    title: '代替图自带的标题',
    caption: '代替图自带的说明',
  },
  parts: {
    title: '标题：论断与实测数字',
    controls: '控件一行',
    run: '按钮：开始测量',
    cancel: '按钮：提前结束测量',
    play: '播放或停止动画的按钮',
    turns: '窄屏上一次只显示一幅分图时，切换分图的按钮',
    plot: '图本身',
    readout: '图下的数字：实测、理论、误差',
    fold: '窄屏上展开其余数字、说明和链接的按钮',
    sample: '按钮：换一组样本',
    share: '按钮：复制当前状态的链接',
    embed: '按钮：复制当前状态的嵌入代码',
    'download-svg': '按钮：把图存为 SVG',
    'download-png': '按钮：把图存为 PNG',
    'download-csv': '按钮：保存数据',
    table: '按钮：显示数据',
    data: '显示出来的数据表',
    notice: '提示：读不懂的属性、已复制的链接',
    failure: '出错时代替数字，说明原因',
    retry: '按钮：重试',
  },
  margin: '元素上下的外边距',
  top: '页面顶栏的高度；在手机上，主控件停留在它下方；none 表示不停留',
  colours: {
    ink: '文字',
    muted: '轴名、刻度、注释',
    faint: '网格',
    paper: '标签的底色',
    scaled: '缩放的系列',
    scaledText: '该系列的标签，不设则同色',
    unscaled: '不缩放的系列',
    unscaledText: '该系列的标签，不设则同色',
    third: '第三个系列',
    thirdText: '该系列的标签，不设则同色',
    folk: '常见的说法',
    folkText: '该说法的标签，不设则同色',
    font: '全部文字的字体',
  },
};
