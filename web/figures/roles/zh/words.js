// The words of <attn-roles> in Chinese.

import { startWords } from '../../common/zh/starts.js';
import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  name: '一个学着该看哪里的头',
  fields: {
    ...shared.fields,
    step: '步数',
    compare: '÷ √d_k 对比',
    values: '值',
    start: startWords.field,
    rate: '学习率',
    frame: '发生了什么',
    first: '前一个名词',
    second: '后一个名词',
    adjective: '形容词',
  },
  options: { ...shared.options, ...startWords.options, own: '独立', keys: '与键共用' },
  formulas: en.formulas,
  models: { ...en.models, none: shared.curves.none },
  start: '句首',
  itself: '自己',
  title:
    '训练 {step} 步后，{count} 个形容词中，除以 √d_k 时 {own} 个看对了名词，{scale}时有 {compared} 个',
  seedsTitle:
    '训练 {step} 步后，取 {seeds} 个种子的中位数，{count} 个形容词中，除以 √d_k 时 {own} 个看对了名词，{scale}时有 {compared} 个',
  comparedWith: { none: '不缩放', linear: '除以 d_k ' },
  panels: { sentence: '一句话', right: '正确率', adjectives: '全部形容词', nouns: '名词' },
  sentencePanel: '形容词在看哪里',
  sentenceTable: '“{adjective}”在看哪里（{scale}）',
  place: '位置',
  rightPanel: '未见搭配上的正确率',
  seedsNote: '细线：{seeds} 个种子；名称标在中位数处',
  stepAxis: '步数',
  directions: 'W_QᵀW_K 的有效方向数',
  size: 'W_QᵀW_K 的大小',
  adjectivePanel: '全部形容词',
  adjectiveNote: '右侧：{scale}时它在看什么，还有多少梯度传得到它',
  adjectiveWidth: 40,
  nounWeight: '对应名词得到的权重',
  topWeight: '所看的词得到的权重',
  trace: '1 − Σp²',
  gradient: '传到 W_Q 的梯度',
  looksAt: '{word} {weight} · {gradient}',
  itsNoun: '对应名词',
  otherNoun: '另一名词',
  mapPanel: '各个名词（除以 √d_k）',
  keys: '键（查询所见）',
  values: '值（读出的内容）',
  queries: '形容词的查询',
  between: '类间方差占',
  kinds: { beings: '动物', places: '地方', foods: '食物', tools: '用具' },
  right: '正确率',
  found: '看对名词的形容词',
  wordWeight: '“{adjective}”给“{noun}”的权重',
  stuckGradient: '其余形容词的梯度，中位数',
  caption:
    '一层一头，d_model = 32，刚刚在这台设备上训练：约六十个词的小语言，每步 32 句，共 {steps} 步，用 AdamW（给每个参数各定步长的梯度下降）。' +
    '任务：给出形容词描述的名词；五分之一的搭配训练时从不出现，开头这句就是其中之一。' +
    '虚线框是该看的名词。分布图取名词差别最大的两个方向；空心的是形容词的查询，在它那一侧越远的键，分数越高；百分数是类与类之间的方差所占的比例。',
  note: '不缩放时，softmax 什么都还没学到就先认准了：权重全压在一个错的词上，几乎没有梯度能让它改主意。训练 {step} 步后的正确率{seeds}：除以 √d_k 是 {root}，不缩放是 {none}，除以 d_k 是 {linear}。',
  and: '、',
  noteSeeds: '（{seeds} 个种子的中位数）',
  recordedNote:
    '训练记录里，种子 1 到 16 的中位数依次是：16 个形容词看对 {found} 个，答对 {right}。',
  keysNote:
    '这里值与键共用：训练 400 步，d_k = 8 时十个种子里有八个学得会，d_k = 2 时一个也没有；值独立时，分别是九个和三个（训练记录）。',
  runNote: '点击按钮，三种缩放各训练十个种子{time}。',
  runTime: '，在这台设备上约需 {seconds} 秒',
};
