// The words of <attn-language> in Chinese.

import { heads } from '../../common/zh/heads.js';
import { startWords } from '../../common/zh/starts.js';
import { shared } from '../../kit/state/zh/words.js';
import { factors } from '../../kit/state/words.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  ...shared,
  name: '训练怎样改变缩放',
  hints: {
    text: '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。',
    trainText: '粘贴一篇长文，至多三十万字；留空则读《全唐诗》的开头。文字不会离开这台设备。',
  },
  fields: {
    ...shared.fields,
    step: '训练步数',
    head: '头',
    variant: '系数与值',
    text: '句子',
    trainText: '用来训练的文字',
    steps: '在这里训练的步数',
  },
  options: {
    ...shared.options,
    ...startWords.options,
    fixed: '系数固定',
    learned: '每个头自己学系数',
    norm: 'QK-Norm（查询、键归一化）',
    keys: '键兼作值',
    'keys-norm': 'QK-Norm，键兼作值',
    ours: '本站所选',
    ...heads,
  },
  start: '训练开始之前，{head}的 q·k 在真实文字上的标准差是 {deviation}，接近 √d_k = {root}',
  title:
    '训练 {step} 步之后，{head} q·k 的标准差是 {deviation}，是元素互相独立时的 {ratio} 倍；不缩放的话，损失高出 {lag}',
  caption:
    '这里是本站自己记录的 {runs} 次训练，读的是《全唐诗》里的五言诗，模型有 {parameters} 个参数；损失在没读过的诗上测得，单位是每字多少奈特（nat）。' +
    '句子里的权重、没读过的诗上的 q·k，都由你的设备计算，用的是第一次训练到这一步时的参数。这样小的模型是真的，但远不是 GPT。写下的句子不会离开这台设备。',
  variantTitle: {
    learned:
      '系数让头自己学，也要看起点：训练 {step} 步之后，从 1/√d_k 开始的损失是 {sqrt}，从 1 开始的是 {none}',
    norm: 'QK-Norm 代替不了根号：训练 {step} 步之后，不除的损失是 {none}，除以 √d_k 的是 {sqrt}',
    keys: '键也能当值用：训练 {step} 步之后，损失是 {sqrt}',
    'keys-norm':
      'QK-Norm，键兼作值，系数为 1，像 Gemma 4 的全局层那样，增益初值 1：训练 {step} 步之后，损失是 {none}',
  },
  variantCaption:
    '这里是本站自己记录的 {runs} 次训练，读的是英文小说《白鲸》；损失在没读过的文字上测得，单位是每个词元多少奈特。' +
    '预测用全部查询和键的矩，实测只算因果的头看得到的配对；d_eff = tr(M_q)·tr(M_k)/tr(M_q·M_k)。有增益时，系数已乘上增益之积的平均。',
  variantNote: '细线：每个种子的每个头。圆点：从 {start} 开始的第一个种子的{head}。',
  trainingTime: '点按钮会在这里训练两个，一个除以 √d_k，一个不除，约需 {time}。',
  factorPanel: '分数的系数',
  dimensionPanel: '有效维度 d_eff',
  spreadPanel: '各头 q·k 的标准差，第 {step} 步',
  variantPanels: { lossPanel: '验证损失（没读过的文字）', entropyPanel: '熵 / ln n' },
  starts: { sqrt: factors.sqrt, none: '1', linear: factors.linear },
  predictedAxis: '由 d_eff 预测',
  law: '预测',
  predicted: 'q·k 的标准差；由 d_eff',
  dimension: 'd_eff；设元素独立',
  startLabel: { sqrt: '从 1/√d_k 开始', none: '从 1 开始', linear: '从 1/d_k 开始' },
  attentionPanel: '{head}的权重，第 {step} 步',
  attentionNote: '行：正在看的字；列：看向哪里',
  scoresPanel: '没读过的诗上 q·k 的密度，第 {step} 步',
  lossPanel: '验证损失（没读过的诗）',
  trainedPanel: '在这台设备上训练的损失',
  trainedTitle: '在这台设备上训练 {step} 步之后，缩放的损失是 {scaled}，不缩放的是 {none}',
  written: '{scale}，训练 {step} 步之后写出：“{text}”。',
  lost: '这么小的模型只认 255 个字，取你的文字里最常见的；其余的字占 {share}，一律读作 □。',
  othersRecorded: '其余各图仍是记录下来的训练。',
  rolePanel: '对往前第五个字的权重，取最大的头',
  entropyPanel: '熵 / ln n，各头平均',
  logitPanel: '最大的分数',
  stepAxis: '步数',
  place: '第几个字',
  run: '{scale}，种子 {seed}',
  dotAxis: 'q·k',
  folk: 'N(0, d_k)',
  short: shared.curves,
  scaleLabel: shared.curves,
  headLabel: '{head}，第 {step} 步',
  independent: 'q·k 的标准差；设元素独立',
  root: 'q·k 的标准差；设元素 N(0, 1)',
  startAs: '预期',
  differenceAs: '相差',
  headEntropy: '熵 / ln n',
  headLogit: '最大的分数 c·q·k',
  headRole: '对往前第五个字的权重',
  middle: '损失，各种子的中位数',
  startCosts: '不除以 √d_k，训练 1500 步后损失高出多少，按初始化分（读英文的模型）',
  least: '最小',
  most: '最大',
  cut: '只显示了句子的开头。',
  kept: '这种缩放只保存了最初和最后的参数：权重和 q·k 取自第 {shown} 步。',
  note: '细线：每个种子一条。圆点：第一个种子的{head}。',
};
