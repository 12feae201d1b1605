// The words of <attn-words> in Chinese.

import { heads } from '../../common/zh/heads.js';

/** @type {typeof import('../en/words.js').words} */
export const words = {
  name: '一个词在关注什么',
  sentences: {
    first: '白日依山尽，黄河入海流。欲穷千里目，更上一层楼。',
    second: '床前明月光，疑是地上霜。举头望明月，低头思故乡。',
    third: '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。',
  },
  hints: { text: '由本站的小模型来读' },
  fields: {
    power: 'd_k 的幂',
    example: '句子',
    text: '自己写一句',
    word: '第几个词',
    head: '小模型的头',
  },
  options: {
    tired: 'MiniLM：… too tired.',
    wide: 'MiniLM：… too wide.',
    first: '小模型：白日依山尽',
    second: '小模型：床前明月光',
    third: '小模型：春眠不觉晓',
    ours: '本站所选',
    ...heads,
  },
  title:
    '分数除以 {divisor}，“{query}”把 {weight} 的注意力给了“{top}”；不除，“{unscaledTop}”会拿走 {unscaled}',
  alone: '第一个字只能关注自己',
  headCaption:
    '这是 all-MiniLM-L6-v2 的一个头：模型是公开发布的（Apache-2.0 许可），查询和键由我们录下，权重在这里现算。它读的是英文，词下注了中文；读中文的小模型里，我们没有这样的头。' +
    '它前后都看，[CLS] 和 [SEP] 是每段文字首尾的记号。' +
    '在 softmax 之前把分数除以 T，就是温度 T：大于 1，权重变平；小于 1，权重变尖。所以 √d_k 就是一个温度，别的图里的倍数是 1/T。' +
    '点一个词看看；也可以自己写一句，由本站读过唐诗的小模型来读，写下的内容不会离开这台设备。',
  caption:
    '模型很小，由本站自己的代码训练，读的是《全唐诗》里的五言诗；它是真的，但远不是 GPT。' +
    '模型从左往右读，每个字关注自己和前面的字。把分数除以 T，就是温度 T：大于 1，权重变平。' +
    '点一个字，或者自己写一句；诗里没有的字是它的生字，一概当同一个字读。写下的内容不会离开这台设备。',
  query: '查询：这个词在找什么',
  key: '键：一个词凭什么被找到',
  weight: '权重：在 100% 里占多少，分数除以 {divisor}',
  unscaled: '同上，分数不除',
  unknown: '生字',
  glosses: {
    '[CLS]': '句首',
    the: '那',
    animal: '动物',
    did: '助动',
    not: '没',
    cross: '过',
    street: '街',
    because: '因为',
    it: '它',
    was: '是',
    too: '太',
    tired: '累',
    wide: '宽',
    '.': '句号',
    '[SEP]': '句末',
  },
  scaledLabel: '÷ {divisor}',
  unscaledLabel: '不缩放',
  largest: '最大的权重',
  temperature: '温度 T',
  entropyRatio: '熵 / ln n',
  panel: '“{query}”的权重',
  tiredReason: '太累的是动物，这个头找对了。',
  wideReason: '太宽的是街：这个头对动物不那么肯定了，可也没有找到街。',
  headNote: '第 {layer} 层第 {head} 头，d_k = {dK}。',
  reason:
    '读到下句第四个字，这个头看的是前面各句的末字，下一个字与它们在各句中的位置相同：在读过的诗里，末字这时平均得到 {weight} 的权重，若一视同仁只有 {even}。',
  cut: '只显示了句子的开头。',
  note: '第 {layer} 层第 {head} 头，模型共有 {parameters} 个参数，d_k = {dK}。',
  limit: '除数越大，{tokens} 个词元的权重越接近一样，即各占 {even}{several}。',
  several: '；“{text}”有 {own} 个词元，合占 {share}',
};
