// What the reference says of <attn-training> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary:
    '分数乘 1、1/√d、1/d，加性注意力，以及今天的各种缩放，最终损失随学习率的变化；两个小任务，在读者的设备上训练。',
  attributes: {
    dK: '查询和键的长度，也是加性注意力的隐藏维度',
    task: '任务：对一半词元求平均，或找出一个',
    rate: '画出训练过程的那个学习率',
    scales: '`classic`：1、1/√d、1/d 与加性；`today`：归一化、软上限、截断',
    steps: '训练步数',
    seed: '三个起点中第一个的种子',
  },
};
