// Words that the tests of pages look for, by language.

/** @import { Language } from '../../../web/shared/languages.js' */

/**
 * `subject`: a word of the article; `meaning`: of the Jacobian in the glossary; `firstClaim` and `timedClaim`: how
 * the ledger gives its first number and a time; `linked`: the name of the formula that stands for the scaled series.
 * @type {Record<Language, { subject: string, meaning: RegExp, firstClaim: RegExp, timedClaim: RegExp, linked: RegExp }>}
 */
export const EXPECTED = {
  en: {
    subject: 'saturation',
    meaning: /derivatives/,
    firstClaim: /true: .*±67\.7;/s,
    timedClaim: /^a time, /,
    linked: /^1\/√dk: “scaled” in the figure “Softmax saturation against dk”$/,
  },
  zh: {
    subject: '饱和',
    meaning: /导数/,
    firstClaim: /对：.*±67\.7；/s,
    timedClaim: /^这是耗时/,
    linked: /^1\/√dk：图“softmax 饱和程度与 dk 的关系”中的“缩放后”$/,
  },
};
