// The base of the elements: a shadow root with shared style sheets, filled by a template of lit. All
// changes of one task are drawn once, after it.

import { render } from 'lit/html.js';

/** Where pages are made ahead of time there are no elements, yet their classes are read. */
const Base = globalThis.HTMLElement ?? /** @type {typeof HTMLElement} */ (class {});

/** Marks a text as a style sheet. */
export const css = String.raw;

/**
 * One for all elements of a document with the same text: a document adopts only sheets of its own.
 * @type {WeakMap<Document, Map<string, CSSStyleSheet>>}
 */
const sheets = new WeakMap();

/** @param {string} text  @param {Document} document  @param {typeof globalThis} window  its own */
function sheetOf(text, document, window) {
  const known = sheets.get(document) ?? new Map();
  sheets.set(document, known);
  if (!known.has(text)) {
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(text);
    known.set(text, sheet);
  }
  return known.get(text);
}

/** Subclasses give `static styles` and `render`. */
export class LiveElement extends Base {
  /** Style sheets of the shadow root. @type {string[]} */
  static styles = [];

  /** @type {(() => () => void)[]} */
  #watches = [];
  /** @type {(() => void)[]} */
  #ends = [];
  #asked = false;
  /** What the content stands before. @type {Comment | undefined} */
  #end;
  /** Exists from the first connection on; nothing is drawn before. @type {ShadowRoot | undefined} */
  renderRoot;

  /** @param {() => () => void} watch  begins whenever the element comes onto a page; what it gives ends it */
  whileConnected(watch) {
    this.#watches.push(watch);
  }

  connectedCallback() {
    if (!this.renderRoot) {
      for (const type of ['keydown', 'keypress', 'keyup']) this.addEventListener(type, this.#keep);
      this.#adoptProperties();
      this.renderRoot = this.createRenderRoot();
      this.requestUpdate();
    }
    this.#ends = this.#watches.map((watch) => watch());
  }

  /**
   * A key pressed in a control is no shortcut of the page, which sees nothing of the control, and would
   * turn its slide with the slider. Nor is it one if it has a modifier or leads out of the control.
   * @param {any} event  of a keyboard
   */
  #keep = (event) => {
    const { target, key, ctrlKey, altKey, metaKey } = event; // what is in a slot is the page's
    if (target === this && !(ctrlKey || altKey || metaKey || /^(Esc|Tab)/.test(key))) {
      event.stopPropagation();
    }
  };

  /** What was set before the element was defined lies on the instance and hides the accessors. */
  #adoptProperties() {
    const accessors = Object.getPrototypeOf(this);
    for (const [key, value] of Object.entries(this)) {
      if (!(key in accessors)) continue;
      Reflect.deleteProperty(this, key);
      Reflect.set(this, key, value);
    }
  }

  /** The colour scheme: `light`, `dark`, or empty for the page's. @returns {string} */
  get theme() {
    return this.getAttribute('theme') ?? '';
  }

  set theme(name) {
    this.reflect('theme', name);
  }

  /**
   * Writes a property into its attribute, which says what it means; nothing removes it.
   * @param {string} attribute
   * @param {unknown} value
   */
  reflect(attribute, value) {
    if (value === undefined || value === null) this.removeAttribute(attribute);
    else this.setAttribute(attribute, String(value));
  }

  disconnectedCallback() {
    for (const end of this.#ends.splice(0)) end();
  }

  /** A shadow root written into the page is taken as it is. */
  createRenderRoot() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.#dress(root);
    return root;
  }

  /** @param {ShadowRoot} root */
  #dress(root) {
    const { styles } = /** @type {typeof LiveElement} */ (this.constructor);
    const { ownerDocument: document } = this;
    const { defaultView } = document;
    if (!defaultView) return; // nothing of this document is shown: a template has one
    root.adoptedStyleSheets = styles.map((text) => sheetOf(text, document, defaultView));
  }

  /** The document of another window leaves the style sheets behind. */
  adoptedCallback() {
    if (this.renderRoot) this.#dress(this.renderRoot);
  }

  /** Draws the element once this task is done. */
  requestUpdate() {
    if (this.#asked || !this.renderRoot) return;
    this.#asked = true;
    queueMicrotask(() => this.#update());
  }

  #update() {
    this.#asked = false;
    const root = this.renderRoot;
    if (!root || !this.shouldUpdate()) return;
    this.willUpdate();
    const content = this.render();
    const draw = () => render(content, root, { renderBefore: this.#end });
    try {
      if (root.querySelector('font')) throw 0; // lit would write beside the text, and not notice
      draw();
    } catch {
      // Something else has changed what was drawn, as translators do: all of it anew.
      root.replaceChildren((this.#end = new Comment()));
      draw();
    }
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
