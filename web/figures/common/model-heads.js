// The heads of the recorded models, by language: layer and head, from 1.

/**
 * @import { Role } from '../../experiments/language.js'
 * @import { Language } from '../kit/state/language.js'
 */

/**
 * `sentence`: the head that shows most in the sentences of <attn-words>; `text`: the one in the texts of
 * <attn-language>; `role`: what the heads learn to look at.
 * @type {Record<Language, { sentence: string, text: string, role: Role }>}
 */
export const MODEL_HEADS = {
  en: { sentence: '1.1', text: '1.1', role: 'previousKey' },
  zh: { sentence: '2.1', text: '2.2', role: 'fiveBack' },
};
