// What stands in an input is the reader's as well as the figure's.

import { noChange } from 'lit/html.js';
import { Directive, directive } from 'lit/directive.js';

/**
 * The value of an input that the reader types into: drawing the figure again, while a sample grows or
 * an experiment runs, must not take back half a number. From the first `input` to the `change` or
 * `blur` that ends it, the value is the reader's.
 */
class Typed extends Directive {
  /** @type {HTMLInputElement | undefined} */
  #input;
  #typing = false;

  /** @param {string} value */
  render(value) {
    return value;
  }

  /** @override @param {import('lit/directive.js').ElementPart} part  @param {[string]} values */
  update({ element }, [value]) {
    this.#input ??= this.#listen(/** @type {HTMLInputElement} */ (element));
    if (!this.#typing && this.#input.value !== value) this.#input.value = value;
    return noChange;
  }

  /** @param {HTMLInputElement} input */
  #listen(input) {
    if (input.type === 'range') return input; // a slider is never half typed
    const listen = (/** @type {string} */ type, /** @type {boolean} */ typing) =>
      input.addEventListener(type, () => (this.#typing = typing));
    listen('input', true);
    listen('change', false);
    listen('blur', false);
    return input;
  }
}

export const typed = directive(Typed);
