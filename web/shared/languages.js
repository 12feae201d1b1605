/**
 * The languages of figures and pages, the first one for readers of none of them. A further language is a line
 * here, and its texts beside those of the others.
 *
 * `key`: in attributes, links and folders; `tag`: of HTML; `tags`: the language tags that ask for it, also with
 * underscores, as Jekyll and Java write them (zh_CN); `locale`: of numbers; `grouping`: whether
 * they have commas; `word`: the unit of `wordsAMinute`, a usual speed for prose with formulas; `colon`: as its sentences have it; `models`: the language of the models
 * that its figures show, its own where there are texts for them (web/recording/, web/experiments/roles-language.js).
 */
export const LANGUAGES = Object.freeze(
  /** @type {const} */ ([
    {
      key: 'en',
      tag: 'en',
      tags: /^en(?![a-z\d])/i,
      locale: 'en',
      grouping: true,
      name: 'English',
      word: /\S+/g,
      wordsAMinute: 200,
      colon: ': ',
      models: 'en',
    },
    {
      key: 'zh',
      tag: 'zh-Hans',
      tags: /^(zh|cmn)(?![a-z\d])/i,
      locale: 'zh-Hans-CN',
      grouping: false, // whole numbers as in its prose: 1048576
      name: '中文',
      word: /\p{Script=Han}|\w+/gu,
      wordsAMinute: 300,
      colon: '：',
      models: 'zh',
    },
  ]),
);

/** @typedef {typeof LANGUAGES[number]['key']} Language */
/** @typedef {typeof LANGUAGES[number]['models']} ModelLanguage */

/** The keys of the languages. */
export const LANGUAGE_KEYS = Object.freeze(LANGUAGES.map(({ key }) => key));

/** Returns the language that a language tag asks for. @param {string} tag @returns {Language | undefined} */
export const languageAsked = (tag) => LANGUAGES.find(({ tags }) => tags.test(tag))?.key;

/** Returns what is known of a language. @param {Language} language */
export const aboutLanguage = (language) =>
  LANGUAGES.find(({ key }) => key === language) ?? LANGUAGES[0];

/** Returns the language of the models that the figures in a language show. @param {Language} language */
export const modelsOf = (language) => aboutLanguage(language).models;
