// The words of <attn-training> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  short: en.short,
  name: '缩放对训练的影响',
  fields: {
    ...shared.fields,
    task: '任务',
    rate: '所示学习率',
    scales: '比较的缩放',
    steps: '步数',
  },
  options: {
    average: '对一半求平均',
    retrieve: '找出一个',
    classic: '不缩放、÷ √dₖ、÷ dₖ、加性',
    today: '今天的：QK-Norm、软上限、截断',
  },
  models: {
    none: shared.curves.none,
    '1/√d': shared.curves.sqrt,
    '1/d': shared.curves.linear,
    norm: 'QK-Norm',
    softcap: '÷ √d_k，软上限',
    clip: '÷ √d_k，截断',
    additive: '加性',
  },
  tasks: { average: '注意力需要分散时', retrieve: '注意力需要集中时' },
  preview: '短训练：',
  title:
    '{task}（d_k = {dK}），用最合适的学习率训练 {steps} 步，不缩放时损失 {none}，乘 1/√d_k 时 {scaled}',
  todayTitle:
    '{task}（d_k = {dK}，{steps} 步），换一个学习率，损失平均相差：乘 1/√d_k 时 {scaled}，QK-Norm 时 {norm}',
  caption:
    '单头；每个序列含 16 个词元，每个词元是 16 维的高斯随机向量；普通梯度下降，每步 16 个全新的序列，各模型相同；W_Q、W_K 的元素独立服从 N(0, 1/16)。' +
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
    '这只是一次短训练，加性只用所示学习率。点击按钮，在你的设备上训练每一个点，300 步在空闲的笔记本电脑上需要十几秒。',
  averageNote:
    '不缩放时，注意力一开始几乎只看一个词元，梯度反而最大。它只是晚到，并非到不了：在“更多设置”里改成 3000 步，它也能学会。',
  easyNote: 'd_k 不超过 16 时，换用小一些的学习率，训练 300 步就能弥补不缩放。',
  todayNote:
    '分数不大时，软上限和截断都不起作用，三条线叠在一起：最粗的是 1/√d_k，中间是截断，最细的是软上限。敏感度低不等于好：处处都学不好，敏感度也低。余弦所乘的增益从 √d_k 起步，由训练得来。' +
    '每步更新后，最大分数若超过 100，截断就缩小两个矩阵；可是 softmax 在 100 处和在 1000 处一样饱和，所以在这里救不了任何学习率。点击按钮训练每一个点，空闲的笔记本电脑约需十到二十秒。',
  retrieveNote:
    '这里缩放与否关系不大：训练 300 步后，三条谷线差不多一样深，只是沿学习率轴错开约 √d_k 倍。加性注意力用普通梯度下降学得很慢。',
};
