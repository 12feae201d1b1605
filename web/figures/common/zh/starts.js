// The words of figures for the starts of queries and keys in Chinese.

import { startWords as en } from '../en/starts.js';

/** @type {typeof en} */
export const startWords = {
  field: '初始化',
  options: { ...en.options, unit: '单位方差' },
};
