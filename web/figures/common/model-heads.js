// The heads of the recorded models: layer and head, from 1.
import { modelsOf } from '../../shared/languages.js';

/**
 * @import { Role } from '../../experiments/language.js'
 * @import { Language, ModelLanguage } from '../../shared/languages.js'
 */

/**
 * `sentence`: a head whose reason one can see in the sentences of <attn-words>; `text`: the one in the texts of
 * <attn-language>; `role`: what the heads learn to look at.
 * @type {Record<ModelLanguage, { sentence: string, text: string, role: Role }>}
 */
const HEADS = {
  en: { sentence: '2.1', text: '1.1', role: 'previousKey' },
  zh: { sentence: '2.1', text: '2.2', role: 'fiveBack' },
};

/** Returns the heads of the models that a language shows. @param {Language} language */
export const modelHeads = (language) => HEADS[modelsOf(language)];
