// The words of <attn-roles> in English.

import { startWords } from '../../common/en/starts.js';
import { shared } from '../../kit/state/en/words.js';

/** @type {Record<string, string>} */
const formulas = { '1/√d': 'c = 1/√d_k', none: 'c = 1', '1/d': 'c = 1/d_k' };

export const words = {
  ...shared,
  name: 'A head that learns where to look',
  fields: {
    ...shared.fields,
    step: 'step',
    compare: '÷ √d_k against',
    values: 'values',
    start: startWords.field,
    rate: 'learning rate',
    frame: 'what happened',
    first: 'first noun',
    second: 'second noun',
    adjective: 'adjective',
  },
  options: { ...shared.options, ...startWords.options, own: 'their own', keys: 'the keys' },
  formulas,
  /** @type {Record<string, string>} */
  models: { '1/√d': shared.curves.sqrt, none: shared.curves.none, '1/d': shared.curves.linear },
  start: 'start',
  itself: 'itself',
  title:
    'After {step} steps {own} of {count} adjectives look at the noun they describe with scores ÷ √d_k, {compared} {scale}',
  seedsTitle:
    'After {step} steps, in the median of {seeds} seeds, {own} of {count} adjectives look at the noun they describe with scores ÷ √d_k, {compared} {scale}',
  /** @type {Record<'none' | 'linear', string>} */
  comparedWith: { none: 'without', linear: 'with scores ÷ d_k' },
  panels: {
    sentence: 'one sentence',
    right: 'right answers',
    adjectives: 'all adjectives',
    nouns: 'nouns',
  },
  sentencePanel: 'Where the adjective looks',
  sentenceTable: 'Where “{adjective}” looks, {scale}',
  place: 'place',
  rightPanel: 'Right answers on pairs never shown',
  seedsNote: 'thin lines: {seeds} seeds; names at their medians',
  stepAxis: 'steps',
  directions: 'directions of W_QᵀW_K',
  size: 'size of W_QᵀW_K',
  adjectivePanel: 'All adjectives',
  adjectiveNote: 'right of it: where it looks {scale}, and the gradient that reaches it',
  adjectiveWidth: 58,
  nounWeight: 'weight on its noun',
  topWeight: 'weight on the word that it looks at',
  trace: '1 − Σp²',
  gradient: 'gradient that reaches W_Q',
  looksAt: '{word} {weight} · {gradient}',
  itsNoun: 'its noun',
  otherNoun: 'other noun',
  mapPanel: 'The nouns with scores ÷ √d_k',
  keys: 'keys, as queries see them',
  values: 'values, as they are read',
  queries: 'queries of adjectives',
  between: 'between kinds',
  kinds: { beings: 'beings', places: 'places', foods: 'foods', tools: 'tools' },
  right: 'right answers',
  found: 'adjectives that found their noun',
  wordWeight: '“{adjective}” on “{noun}”',
  stuckGradient: 'median gradient of the others',
  caption:
    'One layer, one head, d_model = 32, trained here on a toy language of 60 words, {steps} steps of 32 sentences, by AdamW, a gradient descent that sizes each number’s step. ' +
    'Answer: the noun that the adjective describes; a fifth of the pairs, that at the start among them, is never shown. ' +
    'Dashed frame: that noun. Maps: where nouns differ most; hollow: queries of adjectives, which find keys far out on their side; share of variance between kinds.',
  note: 'Without a scale the softmax makes up its mind before it has learned anything: where all the weight lies on a wrong word, hardly any gradient is left to move it. Right answers after {step} steps{seeds}: {root} with ÷ √d_k, {none} unscaled, {linear} with ÷ d_k.',
  and: ', ',
  noteSeeds: ', medians of {seeds} seeds',
  recordedNote:
    ' Recorded medians of seeds 1 to 16: {found} of 16 adjectives and {right} right answers, in the same order.',
  keysNote:
    ' Keys serve as values: in 400 steps each of ten seeds learns like that with d_k = 8, and one with 2, where six do with values of their own (recorded).',
  runNote: ' The button trains ten seeds with each scale{time}.',
  runTime: ', some {seconds} seconds on this device',
};
