// The words of <attn-flow> in English.

/**
 * @import { Name } from '../../../experiments/flow.js'
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

export const words = {
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
    cross:
      'X holds four tokens, one a row, of six numbers each, and queries are made of it; Y three words of another text, of which keys and values are made.',
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
    cross:
      'W_Q receives Xᵀ times its part, W_K and W_V receive Yᵀ times theirs; X gets a part through Q alone, Y through K and V.',
  },
};
