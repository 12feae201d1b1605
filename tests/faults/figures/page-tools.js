// The tools that the looks of cases receive; they are sent to the page as text.

/** @import { waitUntil } from '../../wait.js' */
/** @typedef {ReturnType<typeof makeTools>} Tools */

/** @param {typeof waitUntil} wait @param {number} patience  the milliseconds after which a wait gives up */
export function makeTools(wait, patience) {
  /** @type {<T>(condition: () => T | Promise<T>, what?: string) => Promise<NonNullable<T>>} */
  const until = (condition, what = String(condition)) => wait(condition, what, { patience });
  const sleep = (/** @type {number} */ milliseconds) =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  /** Returns the first such element, once it has drawn, or the ledger its first number. @param {string} selector @returns {Promise<Element>} */
  async function drawn(selector) {
    const figure = () => document.querySelector(selector);
    const picture = () => {
      figure()?.scrollIntoView(); // again, since figures above grow when they draw
      return figure()?.shadowRoot?.querySelector('.plot > svg text, output:not(:empty)');
    };
    await until(picture, `the picture of ${selector}`).catch((/** @type {Error} */ { message }) => {
      const said = figure()?.shadowRoot?.querySelector('[part~=failure], [role=status]');
      throw new Error(`${message}; the figure says: ${said?.textContent?.trim()}`);
    });
    return /** @type {Element} */ (figure());
  }
  return { sleep, nextFrame, until, drawn };
}
