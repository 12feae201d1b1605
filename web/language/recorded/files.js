// The recorded files, each loaded when it is first needed: curves and an excerpt of the text
// by language, and models by language, scale and step.

const FILES = {
  en: () => import('./data/en.js'),
  'en-text': () => import('./data/en-text.js'),
  'en-sqrt-100': () => import('./data/en-sqrt-100.js'),
  'en-sqrt-300': () => import('./data/en-sqrt-300.js'),
  'en-sqrt-1000': () => import('./data/en-sqrt-1000.js'),
  'en-sqrt-1500': () => import('./data/en-sqrt-1500.js'),
  'en-none-1500': () => import('./data/en-none-1500.js'),
  'en-linear-1500': () => import('./data/en-linear-1500.js'),
  zh: () => import('./data/zh.js'),
  'zh-text': () => import('./data/zh-text.js'),
  'zh-sqrt-100': () => import('./data/zh-sqrt-100.js'),
  'zh-sqrt-300': () => import('./data/zh-sqrt-300.js'),
  'zh-sqrt-1000': () => import('./data/zh-sqrt-1000.js'),
  'zh-sqrt-1500': () => import('./data/zh-sqrt-1500.js'),
  'zh-none-1500': () => import('./data/zh-none-1500.js'),
  'zh-linear-1500': () => import('./data/zh-linear-1500.js'),
};

/**
 * @typedef {keyof typeof FILES} FileName
 * @typedef {Exclude<FileName, 'en' | 'zh' | 'en-text' | 'zh-text'>} ModelName
 */

/** Loads a file. @param {FileName} name  @returns {Promise<{ default: any }>} */
export const loadRecorded = (name) => FILES[name]();
