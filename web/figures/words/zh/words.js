// The words of <attn-words> in Chinese.

import { heads } from '../../common/zh/heads.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  name: '一个词在关注什么',
  hints: { text: '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。' },
  fields: { text: '句子', word: '第几个字', factor: '倍数', head: '头' },
  options: {
    ours: '本站所选',
    ...heads,
  },
  title:
    '读到“{query}”，{weight} 的注意力给了“{top}”；分数若不除以 √d_k，“{unscaledTop}”会拿走 {unscaled}',
  alone: '第一个字只能关注自己',
  caption:
    '模型很小，由本站自己的代码训练，读的是《全唐诗》里的五言诗；它是真的，但远不是 GPT。' +
    '模型从左往右读，每个字关注自己和前面的字。点一个字，或者自己写一句；写下的内容不会离开这台设备。',
  query: '查询：这个字在找什么',
  key: '键：一个字凭什么被找到',
  weight: '权重：在 100% 里占多少，值就按这个比例读取',
  unscaled: '同上，但不除以 √d_k',
  scaledLabel: '÷ √d_k',
  factorLabel: '÷ √d_k，再乘 {factor}',
  unscaledLabel: '不缩放',
  largest: '最大的权重',
  entropyRatio: '熵 / ln n',
  panel: '“{query}”的权重',
  reason:
    '读到下句第四个字，这个头看的是前面各句的末字，下一个字与它们在各句中的位置相同：在读过的诗里，末字这时平均得到 {weight} 的权重，若一视同仁只有 {even}。',
  cut: '只显示了句子的开头。',
  note: '模型共有 {parameters} 个参数，这是其中的{head}。倍数乘在除以 √d_k 之后的分数上：取 0，对每个字一视同仁；取 {none}，就等于不除。',
};
