// A few options side by side, of which one is chosen: radio buttons that look like one row of buttons.

import { css, html } from 'lit';
import { attributeName } from '../state/state.js';
import { prose } from './prose.js';

/**
 * @import { Change } from './controls.js'
 * @import { Field } from '../state/state.js'
 */

/**
 * Draws a few options side by side, as buttons of which one is pressed.
 * @param {{ key: string, field: Field, value: string | number, label: string, change: Change,
 *   options: Record<string, string> }} options  label: the accessible name of the group
 */
export const optionButtons = ({ key, field, value, label, change, options }) =>
  html`<span class="options" role="radiogroup" aria-label=${label}>
    ${field.options?.map(
      (option) =>
        html`<label
          ><input
            type="radio"
            name=${`field-${attributeName(key)}`}
            value=${option}
            .checked=${option === value}
            @change=${() => change(key, option, true)}
          />${prose(options[option] ?? option)}</label
        >`,
    )}
  </span>`;

export const optionStyles = css`
  .options {
    display: flex;
  }
  .options label {
    position: relative;
    display: flex;
    align-items: center;
    min-height: 28px;
    padding-inline: 12px;
    border: 1px solid var(--folk);
    cursor: pointer;
  }
  .options label + label {
    margin-inline-start: -1px; /* neighbours share a border */
  }
  .options label:has(:checked) {
    color: var(--paper);
    background: var(--ink);
    border-color: var(--ink);
  }
  .options label:has(:focus-visible) {
    outline: 2px solid var(--scaledText);
    outline-offset: 2px;
    z-index: 1;
  }
  .options input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
`;
