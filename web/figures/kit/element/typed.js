// Protects a value that the reader is typing from a figure that is drawn again.

/**
 * Watches typing, since drawing a figure again, while a sample grows or an experiment runs, must not
 * undo half a number: from the first `input` to the `change` or `blur` that ends it, a value belongs
 * to the reader. A slider is never half typed.
 * @param {ShadowRoot} root
 * @returns {() => void} writes into all other inputs their `data-value`
 */
export function watchTyping(root) {
  /** @type {EventTarget | null} */
  let typing = null;
  for (const type of ['input', 'change', 'blur']) {
    const hear = (/** @type {Event} */ { target }) => {
      const isSlider = /** @type {HTMLInputElement} */ (target).type === 'range';
      typing = type === 'input' && !isSlider ? target : null;
    };
    root.addEventListener(type, hear, true); // before the answer to it is drawn
  }
  return () => {
    /** @type {NodeListOf<HTMLInputElement>} */
    const inputs = root.querySelectorAll('[data-value]');
    for (const input of inputs) {
      const { value = '' } = input.dataset;
      if (input !== typing && input.value !== value) input.value = value;
    }
  };
}
