// What <attn-training> says, in both languages.

/** @typedef {import('../experiments/training.js').TrainingModel} Model */
/** @typedef {'average' | 'retrieve'} Task */

/** Learning rates by name: half-decades. */
export const RATE_NAMES = ['0.01', '0.03', '0.1', '0.3', '1', '3', '10', '30', '100'];
const rates = Object.fromEntries(RATE_NAMES.map((name) => [name, name]));

export const en = {
  name: 'What the scale does to training',
  fields: /** @type {Record<string, string>} */ ({
    dK: 'd_k',
    task: 'task',
    rate: 'learning rate shown',
    steps: 'steps',
    seed: 'seed',
  }),
  options: /** @type {Record<string, string>} */ ({
    average: 'average half',
    retrieve: 'retrieve one',
    ...rates,
  }),
  /** @type {Record<string, string>} */
  models: { none: 'unscaled', '1/√d': 'scaled', '1/d': 'scaled by d', additive: 'additive' },
  /** At the ends of lines. @type {Record<string, string>} */
  short: { none: '1', '1/√d': '1/√d', '1/d': '1/d', additive: 'additive' },
  /** @type {Record<string, string>} */
  formulas: { none: 'c = 1', '1/√d': 'c = 1/√d', '1/d': 'c = 1/d', additive: 'v·tanh(W₁q + W₂k)' },
  /** @param {{ task: Task, trained: boolean, steps: string, none: string, scaled: string }} values */
  title: ({ task, trained, steps, none, scaled }) =>
    `${trained ? '' : 'A short run: '}${task === 'average' ? 'where attention must stay spread' : 'where attention must become sharp'}, ` +
    `the best learning rate reaches a loss of ${none} in ${steps} steps without the scale, ${scaled} with 1/√d`,
  /** @param {{ task: Task, trained: boolean, d: string, steps: string, none: string, scaled: string, uniform: string }} values */
  status: ({ task, trained, d, steps, none, scaled, uniform }) =>
    `${trained ? 'Trained here' : 'Short run'}, ${task === 'average' ? 'average half' : 'retrieve one'}, d = ${d}, ${steps} steps: best loss ${none} unscaled, ${scaled} scaled, ${uniform} for uniform attention.`,
  caption:
    'One head on sequences of 16 Gaussian tokens of width 16, plain gradient descent, 16 fresh sequences a step, W_Q and W_K iid N(0, 1/16); every model sees the same batches. ' +
    'Dots: median of three seeds, the least and the most as whiskers (additive: one seed), mean over the last 50 steps; thin lines only join them. Horizontal line: attention that stays uniform, exact.',
  description:
    'Four panels: loss at the end against learning rate, both logarithmic, for scale 1, 1 over root d, 1 over d and additive attention, with the loss of uniform attention as a line; ' +
    'and against training steps, at one learning rate, the loss, the norm of the gradient and the entropy of the weights of attention.',
  /** @param {string} steps */
  sweepPanel: (steps) => `Loss after ${steps} steps`,
  rateAxis: 'learning rate (log scale)',
  lossPanel: 'Loss',
  normPanel: 'Norm of the gradient',
  entropyPanel: 'Entropy of attention / ln n',
  /** @param {string} rate */
  stepAxis: (rate) => `steps at learning rate ${rate}`,
  uniform: 'uniform attention',
  /** @param {string} rate */
  lossAt: (rate) => `loss, rate ${rate}`,
  /** @param {string} rate */
  bestLoss: (rate) => `best loss, rate ${rate}`,
  entropyEnd: 'entropy / ln n',
  uniformAs: 'uniform',
  differenceAs: 'difference',
  /** @param {string} steps */
  sampledNote: (steps) =>
    `A preview: ${steps} steps from one start. Run it to train every point on your device, some seconds.`,
  /** @type {Record<Task, string>} */
  trainedNote: {
    average:
      'Unscaled attention starts nearly one-hot, and has the largest gradients. It is late, not lost: with 3000 steps (“More settings”) it arrives. Up to d_k = 16 a smaller learning rate makes up for it.',
    retrieve:
      'Here the scale matters little: three valleys of about the same depth, moved by √d in learning rate. Additive attention is slow under plain gradient descent.',
  },
};

/** @type {typeof en} */
export const zh = {
  name: '缩放对训练的影响',
  fields: { dK: 'd_k', task: '任务', rate: '所示学习率', steps: '步数', seed: '种子' },
  options: { average: '对一半求平均', retrieve: '找出一个', ...rates },
  models: { none: '不缩放', '1/√d': '缩放', '1/d': '除以 d', additive: '加性' },
  short: { none: '1', '1/√d': '1/√d', '1/d': '1/d', additive: '加性' },
  formulas: { none: 'c = 1', '1/√d': 'c = 1/√d', '1/d': 'c = 1/d', additive: 'v·tanh(W₁q + W₂k)' },
  title: ({ task, trained, steps, none, scaled }) =>
    `${trained ? '' : '先短训几步：'}${task === 'average' ? '注意力需要分散时' : '注意力需要集中时'}，` +
    `用最合适的学习率训练 ${steps} 步，不缩放的损失为 ${none}，乘 1/√d 为 ${scaled}`,
  status: ({ task, trained, d, steps, none, scaled, uniform }) =>
    `${trained ? '本机训练' : '短训'}，任务“${task === 'average' ? '对一半求平均' : '找出一个'}”，d = ${d}，${steps} 步：最低损失，不缩放 ${none}，缩放 ${scaled}，均匀注意力 ${uniform}。`,
  caption:
    '单头，每个序列有 16 个宽 16 的高斯词元；普通梯度下降，每步 16 个全新的序列，W_Q、W_K 的元素独立服从 N(0, 1/16)，各模型用同样的数据。' +
    '点是三个种子的中位数，竖线从最小到最大（加性只用一个种子），取最后 50 步的平均；细线只是把点连起来。水平线是始终均匀的注意力，为精确值。',
  description:
    '四幅图：其一是训练结束时的损失，横轴为学习率，均为对数轴，比较 1、1/√d、1/d 三种缩放与加性注意力，水平线为均匀注意力的损失；' +
    '另外三幅以训练步数为横轴，画出某一学习率下的损失、梯度范数和注意力的熵。',
  sweepPanel: (steps) => `训练 ${steps} 步后的损失`,
  rateAxis: '学习率（对数轴）',
  lossPanel: '损失',
  normPanel: '梯度的范数',
  entropyPanel: '注意力的熵 / ln n',
  stepAxis: (rate) => `步数（学习率 ${rate}）`,
  uniform: '均匀注意力',
  lossAt: (rate) => `损失，学习率 ${rate}`,
  bestLoss: (rate) => `最低损失，学习率 ${rate}`,
  entropyEnd: '熵 / ln n',
  uniformAs: '均匀',
  differenceAs: '相差',
  sampledNote: (steps) =>
    `这只是预览：从一个起点训练了 ${steps} 步。点击运行，在你的设备上训练每一个点，需要几秒钟。`,
  trainedNote: {
    average:
      '不缩放时，注意力一开始几乎只看一个词元，平均梯度反而最大。它只是晚到，并非到不了：在“更多设置”里改成 3000 步，它也能学会。d_k 不超过 16 时，换用小一些的学习率就能弥补。',
    retrieve:
      '这里缩放与否关系不大：三条谷线差不多一样深，只是沿学习率轴错开约 √d 倍。加性注意力用普通梯度下降学得很慢。',
  },
};
