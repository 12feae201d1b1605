// The sentence of <attn-roles>: it is put together from words.

import { css, html } from 'lit';
import { rolesLanguage, sentenceOf } from '../../experiments/roles-language.js';
import { modelsOf } from '../../shared/languages.js';
import { times } from '../../shared/times.js';
import { numberField } from '../kit/state/state.js';

/**
 * @import { ToyLanguage } from '../../experiments/roles-language.js'
 * @import { Change, From } from '../kit/shell/controls.js'
 * @import { Language } from '../kit/state/language.js'
 * @import { Field } from '../kit/state/state.js'
 * @import { State, View } from './element.js'
 */

/** Words of a list, nouns of a kind among them. */
const COUNT = 8;
/** Adjectives of a kind. */
const OWN = 4;

/** One of eight words, whose control stands in the sentence. @type {Field<number>} */
const wordField = {
  ...numberField({ initial: 1, min: 1, max: COUNT, slider: false }),
  kind: 'picture',
};

/** The parts of the sentence, each by its place in a list. Adjectives 1 to 4 describe the first noun. */
export const sentenceFields = {
  frame: wordField,
  first: wordField,
  second: wordField,
  adjective: wordField,
};

/** Returns the lists of words from which the sentence of a state is put together. @param {ToyLanguage} toy @param {State} state */
function listsOf({ frames, kinds }, { frame }) {
  const [first, second] = frames[frame - 1].kinds.map((kind) => kinds[kind]);
  return {
    first: first.nouns,
    second: second.nouns,
    adjective: [...first.adjectives, ...second.adjectives],
  };
}

/**
 * Returns the sentence of a state with an adjective.
 * @param {ToyLanguage} toy
 * @param {State} state
 * @param {number} adjective
 */
export function sentenceIn(toy, state, adjective) {
  const lists = listsOf(toy, state);
  return sentenceOf(toy, {
    frame: state.frame - 1,
    nouns: [lists.first[state.first - 1], lists.second[state.second - 1]],
    adjective: lists.adjective[adjective - 1],
    described: adjective > OWN ? 1 : 0,
  });
}

/** Returns the adjective of the same place that describes the other noun. @param {State} state */
export const counterpart = ({ adjective }) => (adjective > OWN ? adjective - OWN : adjective + OWN);

// ---- its controls --------------------------------------------------------------------------

/**
 * Draws the sentence, whose words can be chosen.
 * @param {Pick<View, 'state' | 'text'>} view
 * @param {Change} change
 * @param {Language} language
 */
export function lead({ state, text: words }, change, language) {
  const toy = rolesLanguage(modelsOf(language));
  const lists = listsOf(toy, state);
  const parts = toy.frames.map(({ words: frame }) => {
    const [a, b] = [frame.indexOf('A'), frame.indexOf('B')];
    return [frame.slice(1, a), frame.slice(a + 1, b), frame.slice(b + 1)].map((part) =>
      part.join(toy.space),
    );
  });
  const [before, , after] = parts[state.frame - 1];
  /** @param {keyof typeof sentenceFields} key @param {readonly string[]} options */
  const choice = (key, options) =>
    html`<select
      aria-label=${words.fields[key]}
      data-value=${state[key]}
      @change=${(/** @type {From<HTMLSelectElement>} */ { target }) =>
        change(key, target.value, true)}
    >
      ${options.map(
        (option, i) =>
          html`<option value=${i + 1} ?selected=${i + 1 === state[key]}>${option}</option>`,
      )}
    </select>`;
  return html`<p class="sentence">
    ${before} ${choice('first', lists.first)}
    ${choice(
      'frame',
      times(COUNT, (i) => parts[i][1]),
    )}
    ${choice('second', lists.second)} ${after} ${choice('adjective', lists.adjective)}
  </p>`;
}

export const sentenceStyles = css`
  .sentence {
    margin-bottom: 8px;
    font-size: calc(17 * var(--px));
    line-height: 2.1;
  }
  .sentence select {
    max-width: 100%;
    font-weight: 600;
  }
`;
