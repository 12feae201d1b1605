// The words of <attn-flow>, in both languages.

/** @import { Name } from '../../experiments/flow.js' */

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

export const en = {
  name: 'One attention head, every number',
  fields: {
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
  tokens: 'tokens',
  title:
    'Each query hands out a total of 1 (a row of A); a key collects {low} to {high} (a column)',
  gradientTitle: 'Each row of ∂L/∂S sums to 0; its columns sum to {low} … {high}{learned}',
  learned: '. Queries and keys learn differently',
  status: '{name}, row {row}, column {column}: {value}. {how}',
  caption:
    'Point at a cell, or move with Tab and the arrow keys, to see what it is made of: blue times orange. ' +
    'While values are shown, X and the three weight matrices can be edited. Rows of A are queries, columns are keys: A₂₃ is how much query 2 attends to key 3.',
  row: 'row {index} of {matrix}',
  column: 'column {index} of {matrix}',
  entry: 'the same cell of {matrix}',
  edit: 'Given: click to edit.',
  share: 'share of e^(cS − maximum) in its row',
  through: 'what comes back through Q, K, V',
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
};

/** @type {typeof en} */
export const zh = {
  name: '一个注意力头里的每一个数',
  fields: {
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
  tokens: '个词元',
  title: '每个查询恰好分出总量为 1 的权重（A 的一行）；一个键收到的在 {low} 与 {high} 之间（一列）',
  gradientTitle: '∂L/∂S 的每一行之和是 0，各列之和从 {low} 到 {high}{learned}',
  learned: '：查询和键学到的东西并不对称',
  status: '{name} 第 {row} 行第 {column} 列：{value}。{how}',
  caption:
    '指向一个格子，或用 Tab 键和方向键移动，就能看到它是怎么算出来的：蓝色乘橙色。显示数值时，X 和三个权重矩阵可以修改。' +
    'A 的行是查询，列是键：A₂₃ 是查询 2 对键 3 的关注程度。',
  row: '{matrix} 第 {index} 行',
  column: '{matrix} 第 {index} 列',
  entry: '{matrix} 的同一格',
  edit: '已知量，点击即可修改。',
  share: 'e^(cS − 最大值) 在本行中所占的份额',
  through: '经 Q、K、V 三路传回之和',
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
};
