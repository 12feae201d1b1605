// The words of <attn-cost> in Chinese.

import { shared } from '../../kit/state/zh/words.js';
import { words as en } from '../en/words.js';

/** @type {typeof en} */
export const words = {
  ...shared,
  name: '点积注意力与加性注意力的耗时',
  fields: { dK: 'd', hiddenSize: '隐藏维度 h', tanh: '加性用' },
  options: { vectorised: 'WebAssembly（SIMD）', scalar: '普通 JavaScript（点积不变）' },
  methods: { dot: '点积', factored: '加性，先投影', pairwise: '加性，逐对投影' },
  short: { dot: '点积', factored: '先投影', pairwise: '逐对投影' },
  formulas: { ...en.formulas, pairwise: '每一对都重算 W₁q、W₂k' },
  memory: { dot: 'n × n 权重', broadcast: '广播', fused: '分块' },
  title:
    '{origin}{scalar}加性注意力耗时是点积注意力的 {factored} 倍{at}，若逐对投影则是 {pairwise} 倍{at2}',
  at: '（n\u00a0=\u00a0{keys}）',
  origins: {
    predicted: '按运算次数：',
    sampled: '在本机粗测：',
    measured: '在这台设备上，',
  },
  scalar: '用普通 JavaScript 写的',
  caption:
    '单头，查询数等于键数，d_v = d，float32，单线程。点是本机多次采样中最快的一次，竖线延伸到最慢的一次；' +
    '曲线按运算次数画出（一个 tanh 算 τ = {tau} 次），各自经过一个测量值；虚线是“几个数量级”，即点积的 100 倍。内存按公式计数，不含输入与输出。',
  timePanel: '一次调用的耗时',
  memoryPanel: '工作内存',
  keysAxis: '查询数 = 键数 n',
  folk: '常见说法：100 倍',
  note: '点击按钮，在你的设备上逐个规模实测。',
  measuredNote:
    '倍数是各轮的中位数，每一轮里几种方法轮流计时；各轮之间，先投影为 {factored}，逐对投影为 {pairwise}。' +
    '“相差几个数量级”意味着达到或超过虚线。',
  unsure: '各次耗时相差太大，得不出倍数，所以标题按运算次数说。',
  busy: '这台设备当时很忙：同一个调用最慢时用了 {spread} 倍的时间。',
  ratio: '点积的倍数',
  time: '耗时，n\u00a0=\u00a0{keys}',
  measuredAs: { predicted: '预测', sampled: '粗测', measured: '实测' },
  theoryAs: '按运算数',
};
