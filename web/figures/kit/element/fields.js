// The fields of a figure: attributes, properties, links and the reader set them, and each change ends in
// one call of `stateChanged`.

import { figureKey } from '../shell/embed.js';
import { beforeNextFrame } from './frame.js';
import { attributeName, initialState, LARGEST_SEED, readHash } from '../state/state.js';
import { pointIn } from '../chart/svg.js';

/**
 * @import { FigureElement } from './figure.js'
 * @import { State } from '../state/state.js'
 */

export class Fields {
  #host;
  /** Fields that the reader has set since the last settled drawing. @type {Set<string>} */
  #touched = new Set();

  /** Attributes that could not be read. @type {Set<string>} */
  ignored = new Set();

  /** @param {FigureElement} host */
  constructor(host) {
    this.#host = host;
    /** @type {State} */
    this.state = initialState(host.spec.fields);
  }

  get #fields() {
    return this.#host.spec.fields;
  }

  /**
   * Sets a field from an attribute. An unreadable value means the default, as in HTML.
   * @param {string} name
   * @param {string | null} value
   * @returns {boolean} whether a field has this attribute
   */
  attributeChanged(name, value) {
    const key = Object.keys(this.#fields).find((field) => attributeName(field) === name);
    if (!key) return false;
    const { initial } = this.#fields[key];
    if (!this.#assign(key, value ?? initial)) this.#set({ [key]: initial }, true);
    return true;
  }

  /**
   * Sets a field as a property: writes it into the attribute, which null and undefined remove.
   * @param {string} key
   * @param {unknown} raw
   */
  setProperty(key, raw) {
    if (raw === null || raw === undefined) {
      this.#host.removeAttribute(attributeName(key));
      this.#assign(key, this.#fields[key].initial);
    } else if (this.#assign(key, raw)) this.#reflect(key);
  }

  /** @param {string} key */
  #reflect(key) {
    this.#host.setAttribute(attributeName(key), String(this.state[key]));
  }

  /**
   * Reads a value; the figure names a field whose value is unreadable.
   * @param {string} key
   * @param {unknown} raw
   * @param {boolean} [isTyping]  then an unreadable value is no mistake yet
   */
  #read(key, raw, isTyping = false) {
    const value = this.#fields[key].parse(raw);
    if (value !== undefined) this.ignored.delete(attributeName(key));
    else if (!isTyping) this.ignored.add(attributeName(key));
    this.#host.requestUpdate();
    return value;
  }

  /**
   * Sets one field from outside; an unreadable value changes nothing.
   * @param {string} key
   * @param {unknown} raw
   * @returns {boolean} whether the value was readable
   */
  #assign(key, raw) {
    const value = this.#read(key, raw);
    // A page that writes back the value of an event does not end the dragging.
    if (value !== undefined && this.state[key] !== value) this.#set({ [key]: value }, true);
    return value !== undefined;
  }

  /**
   * Sets a field from a control that the reader moves.
   * @param {string} key
   * @param {unknown} raw
   * @param {boolean} isSettled  false while dragging
   */
  change(key, raw, isSettled) {
    const value = this.#read(key, raw, raw === '');
    if (value === undefined) return;
    const { presets, also } = this.#fields[key];
    const patch = { ...also, [key]: value, ...presets?.[value] };
    for (const name of Object.keys(patch)) this.#touched.add(name);
    this.#set(patch, isSettled);
  }

  /**
   * Sets fields as a film does: what a reader plays ends in attributes, what plays by itself leaves no trace there.
   * @param {State} patch
   * @param {{ isSettled: boolean, isReaders: boolean }} by
   */
  show(patch, { isSettled, isReaders }) {
    if (isReaders) for (const name of Object.keys(patch)) this.#touched.add(name);
    this.#set(patch, isSettled);
  }

  newSample() {
    this.change('seed', (this.state.seed % LARGEST_SEED) + 1, true);
  }

  /**
   * Sets fields by the pointer in the picture: a mouse by dragging, any pointer by a click or tap.
   * @param {PointerEvent} event  click or pointermove
   */
  pick(event) {
    const { spec, renderRoot } = this.#host;
    const isClick = event.type === 'click';
    const isHeld = event.buttons === 1 || (spec.follows && event.buttons === 0);
    const isDragged = event.pointerType === 'mouse' && isHeld;
    /** @type {SVGSVGElement | null} */
    const picture =
      /** @type {Element} */ (event.target).closest('svg') ??
      renderRoot.querySelector('.plot > svg');
    if (!spec.pick || !picture || !(isClick || isDragged)) return;
    const values = spec.pick(this.#host.view(), pointIn(picture, event)) ?? {};
    for (const [key, value] of Object.entries(values)) this.change(key, value, isClick);
  }

  /** @param {State} patch  @param {boolean} isSettled */
  #set(patch, isSettled) {
    const isSame = Object.entries(patch).every(([key, value]) => this.state[key] === value);
    if (!isSame) this.state = { ...this.state, ...patch };
    this.#host.stateChanged(patch, { isSettled, isSame });
  }

  /** Writes the fields that the reader has set into their attributes. */
  reflectTouched() {
    for (const key of this.#touched) this.#reflect(key);
    this.#touched.clear();
  }

  /** Sets the state of a shared link to this figure, and scrolls to it. */
  readAddress() {
    const host = this.#host;
    const found = readHash(location.hash, figureKey(host), this.#fields);
    if (!found) return;
    for (const name of found.ignored) this.ignored.add(name);
    for (const key of Object.keys(found.state)) {
      if (found.state[key] !== this.state[key]) this.#touched.add(key);
    }
    this.#set(found.state, true);
    beforeNextFrame(() => host.scrollIntoView?.({ block: 'nearest' }));
  }
}
