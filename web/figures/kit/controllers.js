// What a figure watches while it is on the page. Each controller starts with its host's connection
// and ends with it, so that a removed figure leaves nothing behind.

/**
 * @typedef {import('./element.js').LiveElement} Host
 * @typedef {import('./element.js').Controller} Controller
 */

/** How far outside the viewport a figure begins to work. */
const NEAR = '400px 0px';

/**
 * Tells when the host comes near the viewport, and when it leaves it.
 * @implements {Controller}
 */
export class Visibility {
  /** @type {IntersectionObserver | undefined} */
  #observer;

  /**
   * @param {Host} host
   * @param {(near: boolean) => void} onChange
   */
  constructor(host, onChange) {
    this.host = host;
    this.onChange = onChange;
    host.addController(this);
  }

  hostConnected() {
    this.#observer = new IntersectionObserver(
      (entries) => this.onChange(entries[entries.length - 1].isIntersecting),
      { rootMargin: NEAR },
    );
    this.#observer.observe(this.host);
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }
}

/**
 * The width in which the host may draw, in CSS pixels.
 * @implements {Controller}
 */
export class Width {
  /** @type {ResizeObserver | undefined} */
  #observer;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.value = 0;
    host.addController(this);
  }

  hostConnected() {
    this.#observer = new ResizeObserver(([entry]) => this.#measure(entry.contentRect.width));
    this.#observer.observe(this.host);
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  /** @param {number} width */
  #measure(width) {
    const whole = Math.floor(width);
    if (whole === this.value || whole === 0) return;
    this.value = whole;
    this.host.requestUpdate();
  }
}

/**
 * Redraws the host when a `lang` changes anywhere above it in the document.
 * @implements {Controller}
 */
export class LanguageWatch {
  /** @type {MutationObserver | undefined} */
  #observer;

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    host.addController(this);
  }

  hostConnected() {
    this.#observer = new MutationObserver(() => this.host.requestUpdate());
    this.#observer.observe(this.host.ownerDocument.documentElement, {
      attributes: true,
      attributeFilter: ['lang'],
      subtree: true,
    });
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.#observer = undefined;
  }
}

/**
 * Calls back when the hash of the address changes.
 * @implements {Controller}
 */
export class HashWatch {
  /**
   * @param {Host} host
   * @param {() => void} onChange
   */
  constructor(host, onChange) {
    this.onChange = onChange;
    host.addController(this);
  }

  hostConnected() {
    addEventListener('hashchange', this.onChange);
  }

  hostDisconnected() {
    removeEventListener('hashchange', this.onChange);
  }
}
