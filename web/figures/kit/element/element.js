// The base of the elements: a LitElement that works on any page, also on pages that move elements
// between documents, translate their content, set properties before the definition, or listen to
// every key.

import { LitElement } from 'lit';
import { watchColours } from './controllers.js';
import { backgroundOf, stylesOn } from './page-colours.js';
import { addSigns } from '../shell/signs.js';

/** @import { CSSResult, PropertyValues } from 'lit' */

/**
 * The style sheets of each document, because a document adopts only sheets that it created.
 * @type {WeakMap<Document, Map<CSSResult, CSSStyleSheet>>}
 */
const sheets = new WeakMap();

/**
 * Returns a style sheet for a document.
 * @param {CSSResult} style
 * @param {Document} document
 * @param {typeof globalThis} window  of the document
 */
function sheetOf(style, document, window) {
  const known = sheets.get(document) ?? new Map();
  sheets.set(document, known);
  if (!known.has(style)) {
    const sheet = new window.CSSStyleSheet();
    sheet.replaceSync(style.cssText);
    known.set(style, sheet);
  }
  return known.get(style);
}

/** The key events that pages take for shortcuts. @type {readonly ('keydown' | 'keypress' | 'keyup')[]} */
const KEY_EVENTS = ['keydown', 'keypress', 'keyup'];

/** Subclasses that list further `observedAttributes` begin with those of `super`, which prepares their styles. */
export class LiveElement extends LitElement {
  /** The style sheet with the colours that suit the page. @type {CSSStyleSheet | undefined} */
  #colours;
  /** The background that it is for. */
  #background = '';

  constructor() {
    super();
    watchColours(this, () => this.#suitPage());
    for (const type of KEY_EVENTS) this.addEventListener(type, this.#keep);
  }

  /**
   * Keeps a key pressed in a control from the page, which might turn its slide with the slider. The
   * page still receives keys with a modifier, Escape and Tab, and keys in the content that it slots.
   * @param {KeyboardEvent} event
   */
  #keep = (event) => {
    const { target, key, ctrlKey, altKey, metaKey } = event;
    if (target === this && !(ctrlKey || altKey || metaKey || /^(Esc|Tab)/.test(key))) {
      event.stopPropagation();
    }
  };

  connectedCallback() {
    if (!this.renderRoot) this.#adoptProperties();
    super.connectedCallback();
    addSigns(this.ownerDocument);
  }

  /** Sets properties again that the page set before the definition, since they hide the accessors. */
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
   * Writes a property into its attribute at once; undefined and null remove the attribute.
   * @param {string} attribute
   * @param {unknown} value
   */
  reflect(attribute, value) {
    if (value === undefined || value === null) this.removeAttribute(attribute);
    else this.setAttribute(attribute, String(value));
  }

  /** Uses the shadow root that the page was served with, if there is one. */
  createRenderRoot() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.#adoptStyles(root);
    return root;
  }

  /** Adopts the styles of the element. @param {ShadowRoot} root */
  #adoptStyles(root) {
    const { elementStyles } = /** @type {typeof LitElement} */ (this.constructor);
    const { ownerDocument } = this;
    const { defaultView } = ownerDocument;
    // The document of a template shows nothing, and jsdom shows nothing at all.
    if (!defaultView?.CSSStyleSheet?.prototype.replaceSync) return;
    root.adoptedStyleSheets = elementStyles.map((style) =>
      sheetOf(/** @type {CSSResult} */ (style), ownerDocument, defaultView),
    );
  }

  /** Takes the colours that suit the page, unless a theme fixes them. */
  #suitPage() {
    const { shadowRoot: root, theme, ownerDocument } = this;
    const { defaultView } = ownerDocument;
    if (!root || !defaultView) return;
    const background = /^(light|dark)$/.test(theme) ? [] : backgroundOf(this, root);
    if (String(background) === this.#background) return;
    this.#background = String(background);
    const others = root.adoptedStyleSheets.filter((sheet) => sheet !== this.#colours);
    this.#colours = new defaultView.CSSStyleSheet();
    if (background.length) this.#colours.replaceSync(stylesOn(background));
    root.adoptedStyleSheets = [...others, this.#colours];
  }

  /** Adopts the style sheets again, which a move to the document of another window drops. */
  adoptedCallback() {
    this.#background = '';
    if (this.shadowRoot) this.#adoptStyles(this.shadowRoot);
  }

  /**
   * Draws everything anew where a translator has changed the content: lit would fail, or write in a
   * wrong place.
   * @param {PropertyValues} changed
   */
  update(changed) {
    if (this.renderRoot.querySelector('font')) this.#startOver();
    try {
      super.update(changed);
    } catch {
      this.#startOver();
      super.update(changed);
    }
  }

  #startOver() {
    const end = new Comment();
    this.renderRoot.replaceChildren(end);
    this.renderOptions.renderBefore = end;
  }
}
