// The words of <attn-flow>, in both languages.

/**
 * @import { Name } from '../../experiments/flow.js'
 * @import { ElementFacts } from '../kit/spec.js'
 */

/** @type {Record<Name, string>} */
const symbols = {
  x: 'X',
  queryWeight: 'W_Q',
  keyWeight: 'W_K',
  valueWeight: 'W_V',
  query: 'Q',
  key: 'K',
  value: 'V',
  scores: 'S',
  scaled: 'cS',
  weights: 'A',
  output: 'Z',
  y: 'Y',
};

/** The meaning of each matrix, beside its symbol. @type {Partial<Record<Name, string>>} */
const formulas = {
  query: ' = X W_Q',
  key: ' = X W_K',
  value: ' = X W_V',
  scores: ' = Q Kᵀ',
  scaled: ' = S / √d_k',
  weights: ' = softmax cS',
  output: ' = A V',
};

/** @type {typeof formulas} */
const crossFormulas = { ...formulas, key: ' = Y W_K', value: ' = Y W_V' };

export const en = {
  name: 'One attention head, every number',
  fields: {
    cross: 'cross-attention',
    scaling: 'divide by √d_k',
    causal: 'causal mask',
    gradients: 'show',
    seed: 'seed',
  },
  options: {
    on: 'yes',
    off: 'no',
    no: 'no',
    yes: 'yes',
    values: 'values',
    gradients: 'gradients of ½ Σ Z²',
  },
  symbols,
  formulas,
  crossFormulas,
  /** The words of the rows of X, and of another text, those of Y. */
  rows: ['I', 'saw', 'the', 'cat'],
  otherRows: ['vi', 'al', 'gato'],
  tokens: 'tokens',
  title:
    'Each query hands out a total of 1 (a row of A); a key collects {low} to {high} (a column)',
  crossTitle:
    'Four queries of one text meet three keys of another: each query still hands out 1, a key collects {low} to {high}',
  gradientTitle: 'Each row of ∂L/∂S sums to 0; its columns sum to {low} … {high}{learned}',
  learned: '. Queries and keys learn differently',
  status: '{name}, row {row}, column {column}: {value}. {how}',
  caption:
    'Point at a cell, or move with Tab and the arrow keys, to see what it is made of: blue times orange. ' +
    'While values are shown, X, Y and the matrices W can be edited; they start random. Rows of A are queries, columns are keys: A₂₃ is how much query 2 attends to key 3.',
  row: 'row {index} of {matrix}',
  column: 'column {index} of {matrix}',
  entry: 'the same cell of {matrix}',
  edit: 'Given: click to edit.',
  share: 'share of e^(cS − maximum) in its row',
  through: 'what comes back through Q, K, V',
  throughOthers: 'what comes back through K and V',
  masked: 'Masked: a query may not look at later keys.',
  start: 'Here the way back starts: L = ½ Σ Z², so ∂L/∂Z = Z.',
  cell: 'row {row}, column {column}: {value}',
  smallestRow: 'smallest row sum',
  largestRow: 'largest row sum',
  smallestColumn: 'smallest column sum',
  largestColumn: 'largest column sum',
  weightGroup: 'weights A',
  gradientGroup: 'gradient ∂L/∂S',
  rowName: 'row {index}',
  padName: 'chosen cell',
  moves: {
    left: 'cell to the left',
    up: 'cell above',
    down: 'cell below',
    right: 'cell to the right',
  },
  stepsName: 'steps',
  previousStep: 'Back',
  nextStep: 'Next step',
  stepOf: 'Step {step} of {count}: ',
  claims: [
    'A row of X is a word: six numbers, of which all else is made',
    'Each word gets a query, a key and a value, each from a matrix of its own',
    'The score of “{query}” for “{key}” is a dot product: {score}',
    'Divided by √d_k, the scores keep their size whatever d_k is',
    '“{query}” gives {weight} of its attention to “{key}”, and 100% to all together',
    'What “{query}” reads is the mean of the values, in the shares of its row',
  ],
  unscaledClaim: 'Without the division the scores grow with d_k',
  gradientClaims: [
    'The way back starts at the output',
    'Weights and values are told what the output should have been',
    'Through softmax one weight gains what the others lose: each row sums to 0',
    'The division by √d_k is undone by the same division',
    'Queries learn by the keys, and keys by the queries',
    'Every matrix learns by all tokens at once',
  ],
  steps: {
    all: 'Six steps, ① to ⑥, lead from the tokens to the output.',
    each: [
      'X holds four tokens, one a row, of six numbers each. All else is made of them.',
      'three learned matrices turn each token into a query (what it looks for), a key (what it is found by) and a value (what is read there).',
      'every query meets every key: the score of i for j is the dot product of row i of Q and row j of K.',
      'each score is divided by √d_k, so that softmax does not saturate.',
      'softmax turns each row into shares that sum to 1: how much of its attention a query gives to each key.',
      'each row of the output is the mean of the values, in these shares.',
    ],
    unscaled: 'the scores stay as they are; without the division they grow with d_k.',
    masked: ' The mask hides later keys.',
    cross: ' Y holds three words of another text: keys and values are made of it.',
  },
  gradientSteps: {
    all: 'Six steps, ① to ⑥, lead back from the output to the tokens.',
    each: [
      'the way back starts at the output. L = ½ Σ Z², so ∂L/∂Z is Z itself.',
      'Z = A V, so both receive a part: ∂L/∂A = ∂L/∂Z Vᵀ and ∂L/∂V = Aᵀ ∂L/∂Z.',
      'in softmax one weight grows at the cost of the others, so each row sums to 0.',
      'back through the division: the same numbers, divided by √d_k.',
      'the scores pass it on: ∂L/∂Q = ∂L/∂S K and ∂L/∂K = (∂L/∂S)ᵀ Q.',
      'the learned matrices receive Xᵀ times these, and X a part by way of each of Q, K and V.',
    ],
    unscaled: 'nothing was divided: the same numbers.',
    masked: ' Scores behind the mask receive 0.',
    cross: ' Y receives its part through K and V; X through Q alone.',
  },
};

/** @type {typeof en} */
export const zh = {
  name: '一个注意力头里的每一个数',
  fields: {
    cross: '交叉注意力',
    scaling: '除以 √d_k',
    causal: '因果掩码',
    gradients: '显示',
    seed: '种子',
  },
  options: {
    on: '是',
    off: '否',
    no: '无',
    yes: '有',
    values: '数值',
    gradients: '½ Σ Z² 的梯度',
  },
  symbols,
  formulas,
  crossFormulas,
  rows: ['我', '看', '见', '猫'],
  otherRows: ['I', 'saw', 'cats'],
  tokens: '个词元',
  title: '每个查询恰好分出总量为 1 的权重（A 的一行）；一个键收到的在 {low} 与 {high} 之间（一列）',
  crossTitle:
    '一段文字的四个查询，对上另一段文字的三个键：每个查询仍然恰好分出 1，一个键收到的在 {low} 与 {high} 之间',
  gradientTitle: '∂L/∂S 的每一行之和是 0，各列之和从 {low} 到 {high}{learned}',
  learned: '：查询和键学到的东西并不对称',
  status: '{name} 第 {row} 行第 {column} 列：{value}。{how}',
  caption:
    '指向一个格子，或用 Tab 键和方向键移动，就能看到它是怎么算出来的：蓝色乘橙色。显示数值时，X、Y 和三个权重矩阵可以修改，其中的数是随机的。' +
    'A 的行是查询，列是键：A₂₃ 是查询 2 对键 3 的关注程度。',
  row: '{matrix} 第 {index} 行',
  column: '{matrix} 第 {index} 列',
  entry: '{matrix} 的同一格',
  edit: '已知量，点击即可修改。',
  share: 'e^(cS − 最大值) 在本行中所占的份额',
  through: '经 Q、K、V 三路传回之和',
  throughOthers: '经 K、V 两路传回之和',
  masked: '被掩码遮住：查询不能看后面的键。',
  start: '反向传播从这里开始：L = ½ Σ Z²，所以 ∂L/∂Z = Z。',
  cell: '第 {row} 行第 {column} 列：{value}',
  smallestRow: '最小的行和',
  largestRow: '最大的行和',
  smallestColumn: '最小的列和',
  largestColumn: '最大的列和',
  weightGroup: '权重 A',
  gradientGroup: '梯度 ∂L/∂S',
  rowName: '第 {index} 行',
  padName: '选中的格子',
  moves: { left: '左边的格子', up: '上面的格子', down: '下面的格子', right: '右边的格子' },
  stepsName: '步骤',
  previousStep: '上一步',
  nextStep: '下一步',
  stepOf: '第 {step} 步（共 {count} 步）：',
  claims: [
    'X 的一行是一个词：六个数，其余的一切都由此算出',
    '每个词都得到一个查询、一个键和一个值，各用一个矩阵算出',
    '“{query}”对“{key}”的分数是一个点积：{score}',
    '除以 √d_k 之后，不论 d_k 多大，分数的大小都差不多',
    '“{query}”把 {weight} 的注意力给了“{key}”，给所有词的合起来是 100%',
    '“{query}”读到的，是按它那一行的比例对各个值求的平均',
  ],
  unscaledClaim: '不除的话，d_k 越大，分数就越大',
  gradientClaims: [
    '反向传播从输出开始',
    '输出该往哪边变，先告诉权重和值',
    '穿过 softmax，一个权重多得的，就是其余失去的：每行之和为 0',
    '前向除以 √d_k，反向也除以 √d_k',
    '查询靠键来学，键靠查询来学',
    '每个矩阵都同时从所有词元那里学',
  ],
  steps: {
    all: '从词元到输出共六步，图中标为 ① 到 ⑥。',
    each: [
      'X 是四个词元，每行一个，各有六个数。其余的一切都由它们算出。',
      '每个词元乘以三个学来的矩阵，得到查询（它要找什么）、键（别人凭什么找到它）和值（从它那里读到什么）。',
      '每个查询与每个键一一相比：i 对 j 的分数，就是 Q 第 i 行与 K 第 j 行的点积。',
      '每个分数除以 √d_k，softmax 就不会饱和。',
      'softmax 把每一行变成总和为 1 的比例：查询把多少注意力分给各个键。',
      '按这些比例对值求平均，就得到输出的一行。',
    ],
    unscaled: '分数保持原样；不除的话，d_k 越大，分数越大。',
    masked: '掩码遮住了后面的键。',
    cross: 'Y 是另一段文字的三个词元：键和值由它算出。',
  },
  gradientSteps: {
    all: '从输出反向传回词元共六步，图中标为 ① 到 ⑥。',
    each: [
      '反向传播从输出开始：L = ½ Σ Z²，所以 ∂L/∂Z 就是 Z。',
      'Z = A V，两者各得一份：∂L/∂A = ∂L/∂Z Vᵀ，∂L/∂V = Aᵀ ∂L/∂Z。',
      '经过 softmax 时，一个权重升高，其余就得降低，所以每行之和为 0。',
      '再经过除法：还是这些数，除以 √d_k。',
      '分数把梯度传给查询和键：∂L/∂Q = ∂L/∂S K，∂L/∂K = (∂L/∂S)ᵀ Q。',
      '三个学来的矩阵得到 Xᵀ 乘以这些梯度；X 则从 Q、K、V 三路各得一份。',
    ],
    unscaled: '前面没有除，数值不变。',
    masked: '被遮住的分数得到 0。',
    cross: 'Y 从 K、V 两路各得一份，X 只从 Q 一路得到。',
  },
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'One attention head on four tokens: every matrix, its arithmetic and its gradient.',
    zh: '四个词元上的一个注意力头：每个矩阵、它的算式和梯度。',
  },
  row: 'one small head, every number of it, forwards and backwards',
  attributes: {
    cross: {
      en: '`yes`: queries of one text, keys and values of another, without a mask',
      zh: '`yes`：查询来自一段文字，键和值来自另一段，不用掩码',
    },
    scaling: { en: 'whether scores are divided by √d_k', zh: '分数是否除以 √d_k' },
    causal: {
      en: 'whether a query may see only itself and earlier keys',
      zh: '是否只让查询看到自己和更早的键',
    },
    gradients: { en: 'what the cells show', zh: '格子里显示什么' },
    seed: { en: 'of the matrices that are not given', zh: '未给出的矩阵所用的种子' },
    cell: {
      en: 'the cell whose arithmetic is shown, as in `scores-2-3`',
      zh: '显示算式的格子，如 `scores-2-3`',
    },
    step: {
      en: 'the step that stands out, 1 to 6; 0 for none',
      zh: '突出显示的步骤，1 到 6；0 表示不突出',
    },
    x: { en: '4 × 6 numbers, row by row', zh: '4 × 6 个数，逐行给出' },
    queryWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    keyWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    valueWeight: { en: '6 × 3 numbers, row by row', zh: '6 × 3 个数，逐行给出' },
    y: {
      en: '3 × 6 numbers, row by row: the other text of cross-attention',
      zh: '3 × 6 个数，逐行给出：交叉注意力的另一段文字',
    },
  },
};
