// The words of <attn-training>, in both languages.

import { factors, shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** @typedef {'average' | 'retrieve'} Task */

/** Learning rates by name: half-decades. */
export const RATE_NAMES = ['0.01', '0.03', '0.1', '0.3', '1', '3', '10', '30', '100'];

/** At the ends of lines, where the name is long. @type {Record<string, string>} */
const short = {
  '1/√d': factors.sqrt,
  '1/d': factors.linear,
  norm: 'g·cos',
  softcap: 'cap 50',
  clip: 'clip 100',
};

/** @type {Record<string, string>} */
const formulas = {
  none: 'c = 1',
  '1/√d': 'c = 1/√d_k',
  '1/d': 'c = 1/d_k',
  norm: 'g·cos(q, k)',
  softcap: '50·tanh(s/50)',
  clip: 's ≤ 100',
  additive: 'v·tanh(W₁q + W₂k)',
};

export const en = {
  ...shared.en,
  short,
  formulas,
  name: 'What the scale does to training',
  fields: {
    ...shared.en.fields,
    task: 'task',
    rate: 'learning rate shown',
    scales: 'scales compared',
    steps: 'steps',
  },
  options: {
    average: 'average half',
    retrieve: 'retrieve one',
    classic: '1, 1/√dₖ, 1/dₖ and additive',
    today: 'today’s: normalised, capped, clipped',
  },
  /** @type {Record<string, string>} */
  models: {
    none: 'unscaled',
    '1/√d': 'scaled',
    '1/d': 'scaled by 1/d_k',
    norm: 'normalised',
    softcap: 'scaled, soft cap',
    clip: 'scaled, clipped',
    additive: 'additive',
  },
  /** @type {Record<Task, string>} */
  tasks: {
    average: 'where attention must stay spread',
    retrieve: 'where attention must become sharp',
  },
  preview: 'A short run: ',
  title:
    '{task}, the best learning rate at d_k = {dK} reaches a loss of {none} in {steps} steps without the scale, {scaled} with 1/√d_k',
  todayTitle:
    '{task}, the learning rate changes the loss by {scaled} on average with 1/√d_k, by {norm} with normalised queries and keys (d_k = {dK}, {steps} steps)',
  caption:
    'One head on sequences of 16 Gaussian tokens of width 16, plain gradient descent, 16 fresh sequences a step, the same for every model, W_Q and W_K iid N(0, 1/16). ' +
    'Dots: mean over the last 50 steps at most, median of three seeds, lines from the smallest to the largest (additive and short run: one seed). ' +
    'Sensitivity: mean over the learning rates of min(loss, loss at the start), less the best loss.',
  panels: {
    'learning-rate': 'by learning rate',
    loss: 'loss',
    'gradient-norm': 'gradient',
    entropy: 'entropy',
  },
  sweepPanel: 'Loss after {steps} steps',
  rateAxis: 'learning rate',
  lossPanel: 'Loss',
  normPanel: 'Norm of the gradient',
  entropyPanel: 'Entropy of attention / ln n',
  stepAxis: 'steps at learning rate {rate}',
  lossAt: 'loss, rate {rate}',
  bestLoss: 'best loss, rate {rate}',
  sensitivity: 'sensitivity to the rate',
  uniformAs: 'uniform',
  differenceAs: 'difference',
  sampledNote:
    'A short run, additive at the rate shown alone. Press the button to train every point on your device: ten to twenty seconds for 300 steps.',
  averageNote:
    'Unscaled attention starts nearly one-hot, and has the largest gradients. It is late, not lost: with 3000 steps (“More settings”) it arrives. ',
  easyNote: 'Up to d_k = 16 a smaller learning rate makes up for the missing scale in 300 steps.',
  todayNote:
    'While scores stay small, the cap and the clip change nothing: their lines lie on the wide one of 1/√d_k, the cap’s thinnest. A low sensitivity is no praise by itself: it can be low where every rate does badly. The gain of the cosines is learned, from √d_k on. ' +
    'The clip shrinks both matrices after a step with a score above 100; softmax is as frozen there as at 1000, so it rescues no rate here. The button trains every point: half a minute.',
  retrieveNote:
    'Here the scale matters little: after 300 steps three valleys of about the same depth, moved by √d_k in learning rate. Additive attention is slow under plain gradient descent.',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  short,
  formulas,
  name: '缩放对训练的影响',
  fields: {
    ...shared.zh.fields,
    task: '任务',
    rate: '所示学习率',
    scales: '比较的缩放',
    steps: '步数',
  },
  options: {
    average: '对一半求平均',
    retrieve: '找出一个',
    classic: '1、1/√dₖ、1/dₖ 与加性',
    today: '今天的：归一化、软上限、截断',
  },
  models: {
    none: '不缩放',
    '1/√d': '缩放后',
    '1/d': '除以 d_k',
    norm: '归一化',
    softcap: '缩放加软上限',
    clip: '缩放加截断',
    additive: '加性',
  },
  tasks: { average: '注意力需要分散时', retrieve: '注意力需要集中时' },
  preview: '短训练：',
  title:
    '{task}（d_k = {dK}），用最合适的学习率训练 {steps} 步，不缩放时损失 {none}，乘 1/√d_k 时 {scaled}',
  todayTitle:
    '{task}（d_k = {dK}，{steps} 步），换一个学习率，损失平均相差：乘 1/√d_k 时 {scaled}，查询和键归一化时 {norm}',
  caption:
    '单头；每个序列含 16 个词元，每个词元是 16 维的高斯随机向量；普通梯度下降，每步 16 个全新的序列，各模型相同，W_Q、W_K 的元素独立服从 N(0, 1/16)。' +
    '点是最后至多 50 步的均值（三个种子取中位数，加性和短训练只用一个），竖线从最小到最大。' +
    '敏感度：各学习率下 min(损失, 起点的损失) 的平均值，减去最低的损失。',
  panels: { 'learning-rate': '各种学习率', loss: '损失', 'gradient-norm': '梯度', entropy: '熵' },
  sweepPanel: '训练 {steps} 步后的损失',
  rateAxis: '学习率',
  lossPanel: '损失',
  normPanel: '梯度的范数',
  entropyPanel: '注意力的熵 / ln n',
  stepAxis: '步数（学习率 {rate}）',
  lossAt: '损失，学习率 {rate}',
  bestLoss: '最低损失，学习率 {rate}',
  sensitivity: '对学习率的敏感度',
  uniformAs: '均匀',
  differenceAs: '相差',
  sampledNote:
    '这只是一次短训练，加性只用所示学习率。点击按钮，在你的设备上训练每一个点，300 步需要十几秒。',
  averageNote:
    '不缩放时，注意力一开始几乎只看一个词元，梯度反而最大。它只是晚到，并非到不了：在“更多设置”里改成 3000 步，它也能学会。',
  easyNote: 'd_k 不超过 16 时，换用小一些的学习率，训练 300 步就能弥补不缩放。',
  todayNote:
    '分数不大时，软上限和截断都不起作用，三条线叠在一起：最粗的是 1/√d_k，中间是截断，最细的是软上限。敏感度低不等于好：处处都学不好，敏感度也低。余弦所乘的增益从 √d_k 起步，由训练得来。' +
    '一步之后若有分数超过 100，截断就缩小两个矩阵；可是 softmax 在 100 处和在 1000 处一样冻结，所以在这里救不了任何学习率。点击按钮训练每一个点，约需半分钟。',
  retrieveNote:
    '这里缩放与否关系不大：训练 300 步后，三条谷线差不多一样深，只是沿学习率轴错开约 √d_k 倍。加性注意力用普通梯度下降学得很慢。',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: "Final loss against learning rate for scores times 1, 1/√d, 1/d, for additive attention and for today's scales, trained on the reader's device on two small tasks.",
    zh: '分数乘 1、1/√d、1/d，加性注意力，以及今天的各种缩放，最终损失随学习率的变化；两个小任务，在读者的设备上训练。',
  },
  row: 'loss against learning rate: when the scale matters, and when it does not',
  assets: ['EXPERIMENTS_WORKER'],
  attributes: {
    dK: {
      en: 'length of queries and keys, hidden size of additive attention',
      zh: '查询和键的长度，也是加性注意力的隐藏维度',
    },
    task: {
      en: 'average half of the tokens, or retrieve one',
      zh: '任务：对一半词元求平均，或找出一个',
    },
    rate: { en: 'the learning rate whose course is shown', zh: '画出训练过程的那个学习率' },
    scales: {
      en: '`classic`: 1, 1/√d, 1/d and additive; `today`: normalised, soft-capped, clipped',
      zh: '`classic`：1、1/√d、1/d 与加性；`today`：归一化、软上限、截断',
    },
    steps: { en: 'of training', zh: '训练步数' },
    seed: { en: 'of the first of three starts', zh: '三个起点中第一个的种子' },
  },
};
