// The words of <attn-roles>, in both languages.

import { factors, shared } from '../kit/state/words.js';

/** @import { ElementFacts } from '../kit/spec.js' */

/** At the ends of lines. @type {Record<string, string>} */
const short = { '1/√d': factors.sqrt, '1/d': factors.linear };

/** @type {Record<string, string>} */
const formulas = { '1/√d': 'c = 1/√d_k', none: 'c = 1', '1/d': 'c = 1/d_k' };

export const en = {
  ...shared.en,
  name: 'A head that learns where to look',
  fields: {
    ...shared.en.fields,
    step: 'step',
    compare: '1/√d_k against',
    values: 'values',
    rate: 'learning rate',
    frame: 'what happened',
    first: 'first noun',
    second: 'second noun',
    adjective: 'adjective',
  },
  options: { none: 'no scale', linear: '1/dₖ', own: 'their own', keys: 'the keys' },
  formulas,
  /** @type {Record<string, string>} */
  short: { ...short, none: 'none' },
  /** @type {Record<string, string>} */
  models: { '1/√d': 'scaled by 1/√d_k', none: 'without a scale', '1/d': 'scaled by 1/d_k' },
  play: 'Play the training',
  start: 'start',
  itself: 'itself',
  title:
    'After {step} steps {own} of {count} adjectives look at the noun they describe with 1/√d_k, {compared} {scale}',
  panels: {
    sentence: 'one sentence',
    right: 'right answers',
    adjectives: 'all adjectives',
    nouns: 'nouns',
  },
  sentencePanel: 'Where the adjective looks',
  sentenceTable: 'Where “{adjective}” looks, {scale}',
  place: 'place',
  rightPanel: 'Right answers on pairs never shown',
  seedsNote: 'thin lines: {seeds} seeds; names at their medians',
  stepAxis: 'steps',
  adjectivePanel: 'All adjectives',
  adjectiveNote: 'right of it: where it looks {scale}, and the gradient that reaches it',
  adjectiveWidth: 58,
  nounWeight: 'weight on its noun',
  topWeight: 'weight on the word that it looks at',
  trace: '1 − Σp²',
  gradient: 'gradient that reaches W_Q',
  looksAt: '{word} {weight} · {gradient}',
  itsNoun: 'its noun',
  otherNoun: 'other noun',
  mapPanel: 'The nouns with 1/√d_k',
  keys: 'keys, as queries see them',
  values: 'values, as they are read',
  between: 'between kinds',
  kinds: { beings: 'beings', places: 'places', foods: 'foods', tools: 'tools' },
  right: 'right answers',
  found: 'adjectives that found their noun',
  wordWeight: '“{adjective}” on “{noun}”',
  stuckGradient: 'median gradient of the others',
  caption:
    'One layer, one head, d_model = 32, trained here just now on a toy language of 60 words, {steps} steps of 32 sentences, AdamW. ' +
    'The answer is the noun that the adjective describes; a fifth of the pairs, the sentence at the start among them, is never shown. ' +
    'Dashed frame: that noun. Maps: the two directions in which the nouns differ most; share of their variance between kinds.',
  note: 'Without a scale the softmax makes up its mind before it has learned anything: where all the weight lies on a wrong word, hardly any gradient is left to move it. 1/d_k does as well as 1/√d_k here.',
  seedNote:
    ' The seed is an ordinary one: of seeds 1 to 16 five do worse without a scale, ten better.',
  keysNote:
    ' Keys serve as values: in 400 steps each of ten seeds learns like that with d_k = 8, and one with 2, where six do with values of their own (recorded).',
  runNote: ' The button trains ten seeds with each scale{time}.',
  runTime: ', some {seconds} seconds on this device',
};

/** @type {typeof en} */
export const zh = {
  ...shared.zh,
  name: '一个学着该看哪里的头',
  fields: {
    ...shared.zh.fields,
    step: '步数',
    compare: '1/√d_k 对比',
    values: '值',
    rate: '学习率',
    frame: '发生了什么',
    first: '前一个名词',
    second: '后一个名词',
    adjective: '形容词',
  },
  options: { none: '不缩放', linear: '1/dₖ', own: '单独的', keys: '就用键' },
  formulas,
  short: { ...short, none: '不缩放' },
  models: { '1/√d': '乘 1/√d_k', none: '不缩放', '1/d': '乘 1/d_k' },
  play: '播放训练过程',
  start: '句首',
  itself: '自己',
  title:
    '训练 {step} 步后，{count} 个形容词里看对名词的：乘 1/√d_k 有 {own} 个，{scale}有 {compared} 个',
  panels: { sentence: '一句话', right: '答对的比例', adjectives: '全部形容词', nouns: '名词' },
  sentencePanel: '形容词在看哪里',
  sentenceTable: '“{adjective}”在看哪里（{scale}）',
  place: '位置',
  rightPanel: '没见过的搭配，答对的比例',
  seedsNote: '细线：{seeds} 个种子；名称标在中位数处',
  stepAxis: '步数',
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
  mapPanel: '各个名词（乘 1/√d_k）',
  keys: '键，查询眼中的样子',
  values: '值，读出来的样子',
  between: '类间方差占',
  kinds: { beings: '动物', places: '地方', foods: '食物', tools: '用具' },
  right: '答对的比例',
  found: '看对名词的形容词',
  wordWeight: '“{adjective}”给“{noun}”的权重',
  stuckGradient: '其余形容词的梯度，中位数',
  caption:
    '一层一头，d_model = 32，刚刚在这台设备上训练：约六十个词的小语言，每步 32 句，AdamW，共 {steps} 步。' +
    '要答的是形容词说的是哪个名词；五分之一的搭配训练时从不出现，开头这句就是其中之一。' +
    '虚线框是该看的名词。分布图取名词差别最大的两个方向；百分数是类与类之间的方差所占的比例。',
  note: '不缩放时，softmax 什么都还没学到就先认准了：权重全压在一个错的词上，几乎没有梯度能让它改主意。在这里，除以 d_k 和除以 √d_k 一样好。',
  seedNote: '这个种子很平常：1 到 16 号里，不缩放时六个比它差，八个比它好。',
  keysNote:
    '这里用键作值：训练 400 步，d_k = 8 时十个种子里有八个学得会，d_k = 2 时一个也没有；有单独的值，分别是九个和三个（训练记录）。',
  runNote: '点击按钮，三种缩放各训练十个种子{time}。',
  runTime: '，在这台设备上约需 {seconds} 秒',
};

export const messages = { en, zh };

/** What the manifest, the types and the reference of the element are made of. @type {ElementFacts} */
export const facts = {
  summary: {
    en: 'A head that learns which noun an adjective describes, trained on the reader’s device with 1/√d_k, no scale and 1/d_k.',
    zh: '一个头学着判断形容词说的是哪个名词：分数乘 1/√d_k、不缩放、乘 1/d_k，都在读者的设备上训练。',
  },
  row: 'a head that learns where to look, with the scale and without, trained while you look',
  assets: ['EXPERIMENTS_WORKER', 'LANGUAGE_KERNELS'],
  needs: ['EXPERIMENTS_WORKER'],
  attributes: {
    frame: {
      en: 'what happened, 1 (“did not cross”) to 8, in the order of the list',
      zh: '发生了什么，1（没有过）到 8，按列表的次序',
    },
    first: { en: 'the first noun, 1 to 8 in its list', zh: '前一个名词，列表里的第 1 到第 8 个' },
    second: { en: 'the second noun, 1 to 8', zh: '后一个名词，第 1 到第 8 个' },
    adjective: {
      en: 'the adjective: 1 to 4 describe the first noun, 5 to 8 the second',
      zh: '形容词：1 到 4 说的是前一个名词，5 到 8 说的是后一个',
    },
    step: { en: 'of training, at which the models are shown', zh: '显示训练到第几步的模型' },
    compare: {
      en: 'the scale beside 1/√d_k: none, or `linear` for 1/d_k',
      zh: '与 1/√d_k 对比的缩放：`none` 不缩放，`linear` 为 1/d_k',
    },
    dK: { en: 'length of queries, keys and values', zh: '查询、键和值的长度' },
    values: {
      en: '`own`, or `keys`: keys serve as values',
      zh: '`own` 有单独的值；`keys` 用键作值',
    },
    rate: { en: 'the learning rate', zh: '学习率' },
    seed: { en: 'of the start and of the sentences', zh: '起点和训练句子的种子' },
  },
};
