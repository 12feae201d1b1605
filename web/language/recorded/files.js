// The recorded files, each loaded when it is first needed: curves by language, and models by language,
// scale and step.

const FILES = {
  'en-sqrt-1500': () => import('./data/en-sqrt-1500.js'),
  'zh-sqrt-1500': () => import('./data/zh-sqrt-1500.js'),
};

/** @typedef {keyof typeof FILES} FileName */

/** Loads a file. @param {FileName} name */
export const loadRecorded = (name) => FILES[name]();
