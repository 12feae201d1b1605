// The heads of the small language models in Chinese.

/** @type {typeof import('../en/heads.js').heads} */
export const heads = {
  1.1: '第 1 层第 1 头',
  1.2: '第 1 层第 2 头',
  2.1: '第 2 层第 1 头',
  2.2: '第 2 层第 2 头',
};
