// The base of the elements: a shadow root with shared style sheets, filled by a template of lit. All
// changes of one task are drawn once, after it.

import { render } from 'lit/html.js';

/** What acts whenever the element comes onto a page and leaves it (controllers.js). */
/** @typedef {{ hostConnected(): void, hostDisconnected(): void }} Controller */

/** Where pages are made ahead of time there are no elements, yet their classes are read. */
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

/** Marks a text as a style sheet. */
export const css = String.raw;

/** One for all elements with the same text. @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** @param {string} text */
function sheetOf(text) {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(text);
  sheets.set(text, sheet);
  return sheet;
}

/** Subclasses give `static styles` and `render`. */
export class LiveElement extends Base {
  /** Style sheets of the shadow root. @type {string[]} */
  static styles = [];

  /** @type {Controller[]} */
  #controllers = [];
  #asked = false;
  /** Exists from the first connection on; nothing is drawn before. @type {ShadowRoot | undefined} */
  renderRoot;

  /** @param {Controller} controller */
  addController(controller) {
    this.#controllers.push(controller);
  }

  connectedCallback() {
    if (!this.renderRoot) {
      this.renderRoot = this.createRenderRoot();
      this.requestUpdate();
    }
    for (const controller of this.#controllers) controller.hostConnected();
  }

  disconnectedCallback() {
    for (const controller of this.#controllers) controller.hostDisconnected();
  }

  /** A shadow root written into the page is taken as it is. */
  createRenderRoot() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const { styles } = /** @type {typeof LiveElement} */ (this.constructor);
    root.adoptedStyleSheets = styles.map(sheetOf);
    return root;
  }

  /** Draws the element once this task is done. */
  requestUpdate() {
    if (this.#asked || !this.renderRoot) return;
    this.#asked = true;
    queueMicrotask(() => this.#update());
  }

  #update() {
    this.#asked = false;
    if (!this.renderRoot || !this.shouldUpdate()) return;
    this.willUpdate();
    render(this.render(), this.renderRoot);
    this.updated();
  }

  /** @returns {boolean} whether there is something to draw yet */
  shouldUpdate() {
    return true;
  }

  /** Comes before each drawing. */
  willUpdate() {}

  /** @returns {unknown} the content of the shadow root */
  render() {
    return undefined;
  }

  /** Comes after each drawing. */
  updated() {}
}
