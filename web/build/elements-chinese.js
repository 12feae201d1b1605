// What the manifest of the elements says, in Chinese, by what it says in English.

/** @type {Record<string, string>} */
const SAID = {
  // elements
  'How softmax saturates as d_k grows, with and without the scale.':
    'd_k 增大时，softmax 缩放与不缩放各如何饱和。',
  'How much gradient softmax lets through as d_k grows, for three scales, and the Jacobian of a few logits.':
    'd_k 增大时，三种缩放下还有多少梯度穿过 softmax；另附几个 logits 的雅可比矩阵。',
  'What 16-bit formats do to attention as d_k grows: overflow, and weights lost to 0.':
    'd_k 增大时，16 位浮点格式对注意力的影响：溢出，以及变成 0 的权重。',
  "Which factor scores may have: a map of the entropy over d_k and the factor's exponent, and the weight on a key against its alignment with the query.":
    '分数该乘怎样的缩放系数：熵随 d_k 与缩放系数的指数变化的分布图，以及一个键的权重随它与查询的对齐程度的变化。',
  "Final loss against learning rate for scores times 1, 1/√d, 1/d and for additive attention, trained on the reader's device on two small tasks.":
    '分数乘 1、1/√d、1/d 以及加性注意力，最终损失随学习率的变化；两个小任务，在读者的设备上训练。',
  "Time and memory of dot-product against additive attention, measured on the reader's device.":
    '点积注意力与加性注意力的时间和内存，在读者的设备上实测。',
  'What more heads cost: parameters of a layer and cached numbers per token.':
    '多用几个头的代价：一层的参数，以及每个词元要缓存的数。',
  'One attention head on four tokens: every matrix, its arithmetic and its gradient.':
    '四个词元上的一个注意力头：每个矩阵、它的算式和梯度。',
  'Queries and keys are not interchangeable: two ways to normalise, and relations that Q = K cannot learn.':
    '查询与键不能互换：两种归一方向，以及 Q = K 学不会的关系。',
  'Recall with keys that serve as values, and with values of their own.':
    '键兼作值与值独立时，各能回忆起多少。',
  "What is commonly said about scaled attention: claim, verdict, and a number measured on the reader's device.":
    '关于缩放注意力的常见说法：原话、判断，以及在读者设备上测得的数字。',
  // attributes
  'en or zh': 'en 或 zh',
  'which controls are visible, by attribute name, or `none`': '要显示的控件，写属性名，或 `none`',
  "keeps one set of colours; without it they follow the page's color-scheme":
    '固定一套颜色；不写则跟随页面的 color-scheme',
  'length of queries and keys': '查询和键的长度',
  'how many keys a query chooses from': '一个查询有多少个键可选',
  'factor of the scaled series': '“缩放后”一组所乘的缩放系数',
  'standard deviation of the entries': '元素的标准差',
  'sample size': '样本的查询数',
  'of the random numbers': '随机数的种子',
  'logits of the matrices': '矩阵所用的 logits',
  'two to eight numbers, used where preset is own': '二至八个数，preset 为 own 时使用',
  'number format of entries, scores and softmax': '元素、分数和 softmax 的数值格式',
  'alignment of one key with the query': '一个键与查询的对齐程度',
  'the factor looked at': '所看的缩放系数',
  'of the factor 1/T': '缩放系数 1/T 中的 T',
  'of cosine similarity': '余弦相似度的增益',
  'length of queries and keys, hidden size of additive attention':
    '查询和键的长度，也是加性注意力的隐藏维度',
  'average half of the tokens, or retrieve one': '任务：对一半词元求平均，或找出一个',
  'the learning rate whose course is shown': '画出训练过程的那个学习率',
  'of training': '训练步数',
  'of the first of three starts': '三个起点中第一个的种子',
  'length of queries, keys and values': '查询、键和值的长度',
  'hidden size of additive attention': '加性注意力的隐藏维度',
  'additive attention by the kernel, or in plain JavaScript':
    '加性注意力由内核计算，或用普通 JavaScript',
  'd_model; choosing one also sets the heads of a published model':
    'd_model；选定后，头数也取自已发表的模型',
  'query heads h': '查询的头数 h',
  'heads of keys and values': '键和值的头数',
  'd_k = d_model/h, or that of the published model': 'd_k = d_model/h，或已发表模型的 d_k',
  'whether the projections have biases': '投影是否带偏置',
  'whether scores are divided by √d_k': '分数是否除以 √d_k',
  'whether a query may see only itself and earlier keys': '是否只让查询看到自己和更早的键',
  'what the cells show': '格子里显示什么',
  'of the matrices that are not given': '未给出的矩阵所用的种子',
  'the cell whose arithmetic is shown, as in `scores-2-3`': '显示算式的格子，如 `scores-2-3`',
  '4 × 6 numbers, row by row': '4 × 6 个数，逐行给出',
  '6 × 3 numbers, row by row': '6 × 3 个数，逐行给出',
  'length of the trained queries and keys': '所训练的查询和键的长度',
  'whether the keys in the plane are the queries': '平面上的键是否就是查询',
  'what is learned': '所学的关系',
  'choosing one sets the vectors in the plane': '选定后，平面上的向量随之改变',
  'of the first run': '第一次运行的种子',
  '3 × 2 numbers, row by row, in place of those that `vectors` names':
    '3 × 2 个数，逐行给出，取代 `vectors` 所指定的',
  // events
  'after the state has changed and been computed; settled is false while the reader drags. It bubbles and is composed.':
    '状态改变并算出结果之后触发；拖动期间 settled 为 false。事件冒泡，并能穿出 shadow DOM。',
  'after another series, or none, has been lit up': '点亮另一个系列或取消点亮之后触发',
  // slots
  'static picture, shown until the figure is drawn': '静态图片，图画好之前显示',
  'the same, by name': '同上，用名称指定',
  "replaces the figure's own caption": '代替图自带的说明',
  "replaces the ledger's own caption": '代替清单自带的说明',
  // parts
  'the claim, with its live number': '标题：论断与实测数字',
  'the line of controls': '控件一行',
  'the picture': '图本身',
  'the numbers below the picture: measured, theory, error': '图下的数字：实测、理论、误差',
  'button that draws a new sample': '按钮：换一组样本',
  'button that copies a link to this state': '按钮：复制当前状态的链接',
  'button that copies the code to embed this state': '按钮：复制当前状态的嵌入代码',
  'button that saves the picture as SVG': '按钮：把图存为 SVG',
  'button that saves the picture as PNG': '按钮：把图存为 PNG',
  'button that saves the data': '按钮：保存数据',
  'button that shows the data': '按钮：显示数据',
  'the data as tables, once shown': '显示出来的数据表',
  'a remark: an attribute that could not be read, a link that was copied':
    '提示：读不懂的属性、已复制的链接',
  'says what went wrong, in place of numbers': '出错时代替数字，说明原因',
  'button that tries again': '按钮：重试',
  'button that starts the measurement': '按钮：开始测量',
  'button that ends it early': '按钮：提前结束测量',
  "the ledger's name": '清单的名称',
  'the line with the choice of language': '选择语言的一行',
  'one claim: what is said, the verdict, the number': '一种说法：原话、判断、数字',
  'says what went wrong': '说明出错的原因',
  // custom properties
  text: '文字',
  'axis names, ticks, annotations': '轴名、刻度、注释',
  grid: '网格',
  'behind labels': '标签的底色',
  'series with the scale': '缩放的系列',
  'labels of that series': '该系列的标签',
  'series without the scale': '不缩放的系列',
  'a further series': '第三个系列',
  'the claim as commonly made': '常见的说法',
  'font family of all text': '全部文字的字体',
};

/** What was asked for and is not here. @type {Set<string>} */
const missing = new Set();

/**
 * @param {string} english a sentence of the manifest
 * @returns {string} itself where it is not here, which `expectAll` reports
 */
export function inChinese(english) {
  if (Object.hasOwn(SAID, english)) return SAID[english];
  missing.add(english);
  return english;
}

/** @throws {Error} that names everything that `inChinese` did not have */
export function expectAll() {
  if (missing.size === 0) return;
  const list = [...missing].map((english) => `\n  ${english}`).join('');
  missing.clear();
  throw new Error(`web/build/elements-chinese.js does not have:${list}`);
}
