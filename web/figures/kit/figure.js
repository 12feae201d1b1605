// The base of every figure element: language, state, life cycle and drawing of one FigureSpec (spec.js).
//
// Life of a figure: connected → near the viewport → kernel ready → compute in the next frame → draw.
// Every change of state leads back to "compute in the next frame"; the latest value wins.

import { init } from '../../attention/index.js';
import { watchLanguage, watchVisibility, watchWidth, watchWindow } from './controllers.js';
import { LiveElement } from './element.js';
import { figureKey } from './embed.js';
import { createFormat, figureLanguage } from './language.js';
import { kitMessages, reason } from './messages.js';
import { own } from './palette.js';
import { shell } from './shell.js';
import { createMemo } from './spec.js';
import { attributeName, initialState, isInterpreted, LARGEST_SEED, readHash } from './state.js';
import { reserve, styles } from './styles.js';
import { patch, pointIn } from './svg.js';
import { watchTyping } from './typed.js';

/**
 * @typedef {import('./spec.js').AnyFigureSpec} AnyFigureSpec
 * @typedef {import('./spec.js').View<any, any>} View
 * @typedef {import('./state.js').State} State
 */

/** A pause in dragging after which the full sample is drawn and the sentence for screen readers spoken. */
const SETTLE_MILLISECONDS = 400;
/** The same after a step by a key, which ends its dragging at once: longer than until a held one repeats. */
const REPEAT_MILLISECONDS = 100;
/** Short, since a phone takes several times as long as the machine that it was chosen on. */
const SLICE_MILLISECONDS = 4;
/** Why a run is aborted whose result is thrown away: then there is nothing to say that it stays. */
const FORGOTTEN = 0;
/** Thrown where a slice of a computation is over. */
const TURN = Symbol('the page has a turn');

/**
 * After the page has had a turn: where it can be asked for, before what can wait.
 * @returns {Promise<void>}
 */
const pause = () =>
  Reflect.get(globalThis, 'scheduler')?.yield?.() ??
  new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Draws one FigureSpec. Subclasses set `static spec` and call `declare` once. What is said here of
 * attributes, events, slots and parts goes into the manifest of each figure.
 *
 * @attr {'light' | 'dark'} theme - keeps one set of colours; without it they follow the page's color-scheme
 * @fires {CustomEvent<{ figure: string, state: Record<string, string | number>, settled: boolean }>} attn-change -
 *   after the state has changed and been computed; settled is false while the reader drags. It bubbles and is composed.
 * @fires {CustomEvent<{ series: string, pinned: string }>} attn-highlight - after another series, or none, has been lit up
 * @slot - static picture, shown until the figure is drawn
 * @slot fallback - the same, by name
 * @slot caption - replaces the figure's own caption
 * @csspart title - the claim, with its live number
 * @csspart controls - the line of controls
 * @csspart run - button that starts the measurement
 * @csspart cancel - button that ends it early
 * @csspart plot - the picture
 * @csspart readout - the numbers below the picture: measured, theory, error
 * @csspart sample - button that draws a new sample
 * @csspart share - button that copies a link to this state
 * @csspart embed - button that copies the code to embed this state
 * @csspart download-svg - button that saves the picture as SVG
 * @csspart download-png - button that saves the picture as PNG
 * @csspart download-csv - button that saves the data
 * @csspart table - button that shows the data
 * @csspart data - the data as tables, once shown
 * @csspart notice - a remark: an attribute that could not be read, a link that was copied
 * @csspart failure - says what went wrong, in place of numbers
 * @csspart retry - button that tries again
 */
export class FigureElement extends LiveElement {
  /** @type {AnyFigureSpec} */
  static spec;

  /** @type {readonly string[]} */
  static fieldAttributes = [];

  static get observedAttributes() {
    return ['controls', ...this.fieldAttributes, 'lang'];
  }

  /**
   * Prepares a subclass: attributes, properties and styles of its spec.
   * @param {typeof FigureElement} subclass
   */
  static declare(subclass) {
    const { fields, aspect, styles: further = [] } = subclass.spec;
    subclass.styles = [styles, reserve(aspect), ...further];
    subclass.fieldAttributes = Object.keys(fields).map(attributeName);
    for (const key of Object.keys(fields)) {
      Object.defineProperty(subclass.prototype, key, {
        configurable: true,
        enumerable: true,
        /** @this {FigureElement} */
        get() {
          return this.state[key];
        },
        /** @this {FigureElement} @param {unknown} value */
        set(value) {
          this.setField(key, value);
        },
      });
    }
  }

  /** @type {State | undefined} */
  #computed;
  #sliceEnd = Infinity;
  #turn = () => {
    if (performance.now() > this.#sliceEnd) throw TURN;
  };
  #memo = createMemo(this.#turn);
  #near = false;
  #ready = false;
  #entered = false;
  #coarse = false;
  #changed = false;
  #announced = true;
  #frame = 0;
  #spoken = '';
  #lit = ',';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #settling;
  /** @type {Set<string>} */
  #touched = new Set();
  /** @type {AbortController | undefined} */
  #running;
  #fill = () => {};
  /** Whether the picture shows the data, in this width and language. */
  #drawn = false;
  /** @type {ChildNode[]} */
  #prerendered = [];

  constructor() {
    super();
    /** @type {State} */
    this.state = initialState(this.spec.fields);
    /** @type {unknown} what `compute` gave last */
    this.data = undefined;
    /** @type {unknown} what `run` gave last */
    this.result = undefined;
    /** Share of the long work that is done; undefined while none runs. */
    this.progress = /** @type {number | undefined} */ (undefined);
    /** @type {unknown} */
    this.failure = undefined;
    /** @type {Set<string>} attributes that could not be read */
    this.ignored = new Set();
    this.notice = '';
    this.status = '';
    /** @type {{ label: string, text: string }[]} what to copy: a link, or code */
    this.shared = [];
    this.tableOpen = false;
    this.pinned = '';
    this.hovered = '';
    /** Whether this is rendered ahead of time, when the static picture stands for the drawing. */
    this.still = false;
    /** In CSS pixels; 0 until it is known. */
    this.figureWidth = 0;
    watchWidth(this, (width) => this.#setWidth(width));
    watchLanguage(this);
    watchWindow(this, 'hashchange', () => this.#readHash());
    watchWindow(this, 'beforeprint', () => this.#print());
    watchVisibility(this, (near) => this.#setNear(near));
  }

  /** Fields shown in the control line, by attribute name; `none` hides all. @returns {string} */
  get controls() {
    return this.getAttribute('controls') ?? '';
  }

  set controls(names) {
    this.reflect('controls', names);
  }

  get spec() {
    return /** @type {typeof FigureElement} */ (this.constructor).spec;
  }

  /** @returns {import('./language.js').Language} */
  get language() {
    return figureLanguage(this);
  }

  get kit() {
    return kitMessages[this.language];
  }

  // ---- life cycle ---------------------------------------------------------------------------

  connectedCallback() {
    super.connectedCallback();
    if (this.#entered) return;
    this.#entered = true;
    this.#readHash();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#near = false;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#settling);
    this.#frame = 0;
    this.#running?.abort();
  }

  /** @param {number} width */
  #setWidth(width) {
    if (width === this.figureWidth) return;
    this.figureWidth = width;
    this.#drawn = false;
    this.requestUpdate();
  }

  /** @param {boolean} near */
  #setNear(near) {
    this.#near = near;
    if (!near) this.#running?.abort();
    else if (this.#coarse)
      this.#settle(); // moved in the document while the reader dragged
    else this.#schedule();
  }

  #schedule() {
    if (!this.#near || this.#frame || this.failure) return;
    this.#frame = requestAnimationFrame(() => this.#compute());
  }

  async #compute() {
    try {
      if (!this.#ready) await init();
      this.#ready = true;
      while (!this.#attempt()) await pause();
    } catch (error) {
      this.#frame = 0;
      this.#fail(error);
    }
  }

  /**
   * Computes, in slices unless the reader drags; an engine without a compiler needs them even then. Away
   * from the viewport the rest waits.
   * @returns {boolean} whether nothing is left to do
   */
  #attempt() {
    if (this.#near && (this.data === undefined || this.#changed)) {
      const whole = this.#coarse && !isInterpreted;
      this.#sliceEnd = whole ? Infinity : performance.now() + SLICE_MILLISECONDS;
      try {
        const { state } = this;
        this.data = this.spec.compute(state, this.#context());
        this.#computed = state;
      } catch (error) {
        if (error === TURN) return false;
        throw error;
      }
      this.#changed = false;
      this.#frame = 0;
      this.#afterCompute();
    } else this.#frame = 0;
    return true;
  }

  /** Paper shows what has not come near yet, too: then or never, so a small sample. */
  #print() {
    if (this.data !== undefined || this.failure) return;
    this.#near = this.#coarse = true;
    try {
      this.#attempt();
    } catch {
      // It may be tried again when it comes near.
    }
    this.#coarse = false;
    this.#changed = true;
  }

  #context() {
    const { result } = this;
    return { coarse: this.#coarse, still: false, memo: this.#memo, turn: this.#turn, result };
  }

  #afterCompute() {
    this.#drawn = false;
    const settled = !this.#coarse;
    if (settled) this.#settled();
    if (!this.#announced) {
      this.#announced = settled;
      const detail = { figure: this.spec.name, state: { ...this.state }, settled };
      this.#tell('attn-change', detail);
    }
    this.requestUpdate();
  }

  /** @param {string} type  @param {object} detail */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  #settled() {
    if (!this.#announced || !this.busy) this.#say(); // else each slice of long work would be read out
    for (const key of this.#touched) this.setAttribute(attributeName(key), String(this.state[key]));
    this.#touched.clear();
  }

  /** Data of which nothing can be said are not shown. */
  #say() {
    try {
      this.status = this.spec.status(this.view());
    } catch (error) {
      this.data = undefined;
      throw error;
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    this.failure = error;
    this.status = this.kit.failed(reason(error));
    this.requestUpdate();
  }

  retry() {
    this.failure = undefined;
    this.#changed = true;
    this.requestUpdate();
    this.#schedule();
  }

  // ---- state --------------------------------------------------------------------------------

  /**
   * @param {string} name
   * @param {string | null} old
   * @param {string | null} value
   */
  attributeChangedCallback(name, old, value) {
    const key = Object.keys(this.spec.fields).find((field) => attributeName(field) === name);
    if (!key) return this.requestUpdate();
    const { initial } = this.spec.fields[key];
    // What cannot be read is the default, as HTML has it, and not what stood there before.
    if (!this.assign(key, value ?? initial)) this.#set({ [key]: initial }, true);
  }

  /**
   * A field as a property: written into the attribute, which null and undefined remove.
   * @param {string} key
   * @param {unknown} raw
   */
  setField(key, raw) {
    const name = attributeName(key);
    if (raw === null || raw === undefined) {
      this.removeAttribute(name);
      this.assign(key, this.spec.fields[key].initial);
    } else if (this.assign(key, raw)) {
      this.setAttribute(name, String(this.state[key]));
    }
  }

  /**
   * What a field makes of something; where that is nothing, the figure names the field.
   * @param {string} key
   * @param {unknown} raw
   * @param {boolean} [quiet]
   */
  #read(key, raw, quiet = false) {
    const value = this.spec.fields[key].parse(raw);
    if (value !== undefined) this.ignored.delete(attributeName(key));
    else if (!quiet) this.ignored.add(attributeName(key));
    this.requestUpdate();
    return value;
  }

  /**
   * Sets one field from outside; what cannot be read changes nothing.
   * @param {string} key
   * @param {unknown} raw
   * @returns {boolean} whether it could be read
   */
  assign(key, raw) {
    const value = this.#read(key, raw);
    // A page that writes back what it is told while the reader drags does not end the dragging.
    if (value !== undefined && this.state[key] !== value) this.#set({ [key]: value }, true);
    return value !== undefined;
  }

  /**
   * The reader moves a control.
   * @param {string} key
   * @param {unknown} raw
   * @param {boolean} settled  false while dragging
   */
  change(key, raw, settled) {
    const value = this.#read(key, raw, raw === ''); // being typed
    if (value === undefined) return;
    const { presets, also } = this.spec.fields[key];
    const patch = { ...also, [key]: value, ...presets?.[value] };
    for (const name of Object.keys(patch)) this.#touched.add(name);
    this.#set(patch, settled);
  }

  /**
   * The pointer sets fields in the picture: a mouse by dragging, anything by a click or tap.
   * @param {PointerEvent} event  click or pointermove
   */
  pick(event) {
    const clicked = event.type === 'click';
    const held = event.buttons === 1 || (this.spec.follows && event.buttons === 0);
    const dragged = event.pointerType === 'mouse' && held;
    /** @type {SVGSVGElement | null | undefined} */
    const canvas = this.renderRoot?.querySelector('.plot > svg');
    if (!this.spec.pick || !canvas || !(clicked || dragged)) return;
    const values = this.spec.pick(this.view(), pointIn(canvas, event)) ?? {};
    for (const [key, value] of Object.entries(values)) this.change(key, value, clicked);
  }

  newSample() {
    this.change('seed', (this.state.seed % LARGEST_SEED) + 1, true);
  }

  /** @param {Partial<State>} patch  @param {boolean} settled */
  #set(patch, settled) {
    const same = Object.entries(patch).every(([key, value]) => this.state[key] === value);
    this.requestUpdate(); // also where what was typed comes to the value there was
    if (same && !(settled && this.#coarse)) return;
    if (!same) this.state = /** @type {State} */ ({ ...this.state, ...patch });
    const kept = Object.keys(patch).every((key) => this.spec.keeps?.includes(key));
    if (!same && !kept && this.spec.run) this.#forgetResult();
    const stepped = same && this.#frame > 0; // let go before it was drawn
    this.#coarse = !settled || stepped;
    this.#changed = true;
    this.#announced = false;
    this.failure = undefined;
    this.shared = [];
    this.notice = '';
    clearTimeout(this.#settling);
    const wait = stepped ? REPEAT_MILLISECONDS : SETTLE_MILLISECONDS;
    if (this.#coarse) this.#settling = setTimeout(() => this.#settle(), wait);
    this.#schedule();
  }

  #settle() {
    this.#coarse = false;
    this.#changed = true;
    this.#schedule();
  }

  #readHash() {
    const found = readHash(location.hash, figureKey(this), this.spec.fields);
    if (!found) return;
    for (const name of found.ignored) this.ignored.add(name);
    for (const key of Object.keys(found.state)) {
      if (found.state[key] !== this.state[key]) this.#touched.add(key);
    }
    this.#set(found.state, true);
    requestAnimationFrame(() => this.scrollIntoView({ block: 'nearest' }));
  }

  // ---- long work ----------------------------------------------------------------------------

  #forgetResult() {
    this.#running?.abort(FORGOTTEN);
    this.result = undefined;
  }

  async run() {
    const { spec } = this;
    if (!spec.run || this.#running) return;
    const running = new AbortController();
    const hide = () => document.hidden && running.abort();
    document.addEventListener('visibilitychange', hide);
    this.#running = running;
    this.progress = 0;
    this.notice = '';
    this.requestUpdate();
    try {
      const result = await spec.run(this.state, {
        signal: running.signal,
        onProgress: ({ fraction, rows }) => this.#advance(running, fraction, rows),
      });
      this.#advance(running, 1, result);
    } catch (error) {
      if (!running.signal.aborted) this.notice = this.kit.failed(reason(error));
    } finally {
      document.removeEventListener('visibilitychange', hide);
      const { aborted, reason: why } = running.signal;
      if (aborted && why !== FORGOTTEN) this.notice = this.kit.cancelled;
      this.#running = undefined;
      this.progress = undefined;
      this.#changed = true; // what was cut short is said too
      this.requestUpdate();
      this.#schedule();
    }
  }

  /** @param {AbortController} running  @param {number} share  @param {unknown} result */
  #advance(running, share, result) {
    if (running.signal.aborted) return;
    this.progress = share;
    this.result = result;
    this.#changed = true;
    this.#announced &&= share < 1; // what the reader changed meanwhile is still to be told
    this.#schedule();
  }

  cancel() {
    this.#running?.abort();
  }

  // ---- drawing ------------------------------------------------------------------------------

  /** What was said in one language is said again in another. */
  #translate() {
    const { language } = this;
    if (this.#spoken !== language && this.data !== undefined && !this.failure) {
      this.#say();
      this.#drawn = false;
      this.notice = '';
    }
    this.#spoken = language;
  }

  /** A page may come with the figure rendered ahead of time: it stays until the first drawing. */
  createRenderRoot() {
    const root = super.createRenderRoot();
    this.#prerendered = [...root.childNodes];
    this.#fill = watchTyping(root);
    return root;
  }

  shouldUpdate() {
    const { data, failure } = this;
    return this.#prerendered.length === 0 || data !== undefined || failure !== undefined;
  }

  willUpdate() {
    try {
      this.#translate();
    } catch (error) {
      this.#fail(error);
    }
    for (const node of this.#prerendered.splice(0)) node.remove();
  }

  /** What is drawn and said is about the state that was computed last. @returns {View} */
  view() {
    return {
      state: this.#computed ?? this.state,
      data: this.data,
      text: this.spec.messages[this.language],
      format: createFormat(this.language),
      palette: own,
      width: this.figureWidth,
    };
  }

  /** @returns {boolean} whether there is a running measurement */
  get busy() {
    return this.#running !== undefined;
  }

  /** What cannot be said about the data, or drawn, is a failure too: then they are not shown. */
  render() {
    try {
      return shell(this);
    } catch (error) {
      if (this.data === undefined) throw error;
      this.data = undefined;
      this.#fail(error);
      return shell(this);
    }
  }

  updated() {
    this.#fill();
    const canvas = this.renderRoot?.querySelector('.plot > svg');
    if (!canvas || this.data === undefined || this.figureWidth === 0) return;
    try {
      // An empty one has come in its place.
      if (!this.#drawn || !canvas.firstChild) patch(canvas, this.spec.draw(this.view()));
      this.#drawn = true;
      this.#light();
    } catch (error) {
      this.data = undefined;
      this.#fail(error);
    }
  }

  /** Dims what does not belong to the series lit up, where anything does. */
  #light() {
    const lit = this.hovered || this.pinned;
    for (const place of ['.plot > svg [data-series]', '.readout > [data-series]']) {
      const parts = [...(this.renderRoot?.querySelectorAll(place) ?? [])];
      const found = parts.some((part) => part.getAttribute('data-series') === lit);
      for (const part of parts) {
        part.classList.toggle('dim', found && part.getAttribute('data-series') !== lit);
      }
    }
    const detail = { series: lit, pinned: this.pinned };
    const told = Object.values(detail).join();
    if (told === this.#lit) return;
    this.#lit = told;
    this.#tell('attn-highlight', detail);
  }

  /** @param {Event} event  pointer or focus on something that belongs to a series, or leaves it */
  hover(event) {
    const leaving = event.type === 'pointerleave' || event.type === 'focusout';
    const target = /** @type {Element} */ (event.target);
    this.highlight(
      leaving ? '' : (target.closest('[data-series]')?.getAttribute('data-series') ?? ''),
    );
  }

  /**
   * Lights up one series, in the chart and in the read-out; a formula beside the figure may ask for it.
   * @param {string} series  its key; the empty string for none
   */
  highlight(series) {
    if (series === this.hovered) return;
    this.hovered = series;
    this.requestUpdate();
  }

  /** @param {string} series */
  pin(series) {
    this.pinned = this.pinned === series ? '' : series;
    this.requestUpdate();
  }
}
