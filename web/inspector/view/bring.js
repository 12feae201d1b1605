// How a reader brings attention: a file chosen or dropped, or pasted text.

import { css, html, nothing } from 'lit';
import { say } from '../../figures/kit/state/words.js';
import { fromFiles, fromText } from './source.js';
import { nameOfShown } from './telling.js';

/**
 * @import { View } from './data.js'
 * @import { Source } from './source.js'
 * @import { Change, From } from '../../figures/kit/shell/controls.js'
 * @import { State } from '../../figures/kit/state/state.js'
 */

export const styles = css`
  .lead.stays {
    position: static; /* a file is chosen once */
  }
  .bring {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 18px;
    align-items: center;
  }
  .bring label {
    min-width: 0;
    max-width: 100%;
  }
  .bring input[type='file'] {
    max-width: 100%;
    border: 0;
    padding: 2px 0;
  }
  .bring textarea {
    display: block;
    box-sizing: border-box;
    width: 100%;
    margin: 4px 0;
    font:
      calc(13 * var(--px)) / 1.4 ui-monospace,
      monospace;
  }
  .bring .compare {
    display: flex;
    gap: 6px;
    align-items: center;
  }
  .field.text {
    margin-top: 8px;
  }
  .bring details {
    flex: 1 1 14em;
  }
  .field.text select {
    max-width: 100%;
  }
  @media print {
    .bring {
      display: none;
    }
  }
`;

/**
 * Draws the inputs.
 * @param {View} view
 * @param {(source: Source) => void} open
 * @param {{ isCompared: boolean, compare: (isCompared: boolean) => void } | undefined} comparing  whether what comes next is
 *   to be compared with what is shown, where something is
 */
export function bring({ text: words }, open, comparing) {
  const choose = (/** @type {From<HTMLInputElement>} */ { target: input }) => {
    if (input.files?.length) open(fromFiles([...input.files]));
    input.value = ''; // so that the same file, when it has changed, can be chosen again
  };
  const paste = (/** @type {From<HTMLElement>} */ { target }) => {
    const area = target.parentElement?.querySelector('textarea');
    if (area?.value.trim()) open(fromText(area.value));
  };
  return html`<div class="bring">
    <label
      >${words.file}
      <input type="file" multiple accept=".safetensors,.npy,.npz,.json" @change=${choose} />
    </label>
    <details>
      <summary>${words.paste}</summary>
      <textarea rows="4" aria-label=${words.paste} placeholder=${words.pasteHint}></textarea>
      <button @click=${paste}>${words.show}</button>
    </details>
    ${comparing ? compareNext(words, comparing) : nothing}
  </div>`;
}

/** @param {View['text']} words @param {{ isCompared: boolean, compare: (isCompared: boolean) => void }} comparing */
const compareNext = (words, { isCompared, compare }) =>
  html`<label class="compare">
    <input
      type="checkbox"
      .checked=${isCompared}
      @change=${(/** @type {From<HTMLInputElement>} */ { target }) => compare(target.checked)}
    />
    ${words.compareNext}
  </label>`;

/**
 * Draws the choice between two recordings and their difference.
 * @param {View} view
 * @param {Change} change
 */
export function comparisonChoice(view, change) {
  const { compared } = view.data;
  if (!compared) return nothing;
  const { first, second, shown, isDifference, canSubtract } = compared;
  const chosen = isDifference ? 'difference' : shown === second ? 'second' : 'first';
  const options = [
    ...(canSubtract ? [{ value: 'difference', label: 'A − B' }] : []),
    { value: 'first', label: `A${view.text.colon}${nameOfShown(first)}` },
    { value: 'second', label: `B${view.text.colon}${nameOfShown(second)}` },
  ];
  const choose = (/** @type {From<HTMLSelectElement>} */ { target }) =>
    change('compare', target.value, true);
  return html`<div class="field text">
    <label for="comparison">${view.text.compareLabel}</label>
    <select id="comparison" data-value=${chosen} @change=${choose}>
      ${options.map(({ value, label }) => html`<option value=${value} ?selected=${value === chosen}>${label}</option>`)}
    </select>
  </div>`;
}

/**
 * Draws the choice of a text, where there is a batch of them.
 * @param {View} view
 * @param {State} state  what the reader wants, which may not be read yet
 * @param {Change} change
 */
export function textChoice(view, { text }, change) {
  const { texts } = view.data.attention;
  if (!texts) return nothing;
  const choose = (/** @type {From<HTMLInputElement>} */ { target }) =>
    change('text', target.value, true);
  return html`<div class="field text">
    <label for="batch-text">${view.text.textLabel}</label>
    <input
      id="batch-text"
      type="number"
      min="1"
      max=${texts}
      .value=${String(Math.min(Number(text), texts))}
      @change=${choose}
    />
    <span>${say(view, view.text.ofTexts, { texts })}</span>
  </div>`;
}

/**
 * Opens the files that are dropped on an element.
 * @param {HTMLElement} element
 * @param {(source: Source) => void} open
 */
export function acceptDrops(element, open) {
  const hasFiles = (/** @type {DragEvent} */ { dataTransfer }) =>
    dataTransfer?.types.includes('Files');
  element.addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  element.addEventListener('drop', (event) => {
    const { files } = event.dataTransfer ?? {};
    if (!files?.length) return;
    event.preventDefault();
    open(fromFiles([...files]));
  });
}
