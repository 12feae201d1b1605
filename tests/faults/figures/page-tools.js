// The tools that the looks of cases receive; they are sent to the page as text.

/** @typedef {ReturnType<typeof makeTools>} Tools */

export function makeTools() {
  const sleep = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** Waits until a condition holds. @param {() => unknown} condition */
  async function until(condition) {
    for (let turn = 0; !condition(); turn++) {
      if (turn === 9000) throw new Error(`never came true: ${condition}`);
      await sleep(20);
    }
  }
  /** Returns the first such element, once it has drawn, or the ledger its first number. @param {string} selector @returns {Promise<Element>} */
  async function drawn(selector) {
    const figure = () => document.querySelector(selector);
    figure()?.scrollIntoView();
    await until(() => figure()?.shadowRoot?.querySelector('.plot > svg text, output:not(:empty)'));
    return /** @type {Element} */ (figure());
  }
  return { sleep, nextFrame, until, drawn };
}
