// The public side of every figure element: attributes and properties, events, life cycle, and drawing
// of one FigureSpec (spec.js). Its parts are cut.js, fields.js, computing.js, running.js,
// playing.js and highlight.js.

import { keysOf, recordOf } from '../../../shared/keys.js';
import { LANGUAGE_KEYS } from '../../../shared/languages.js';
import { Computing } from './computing.js';
import { watchLanguage, watchVisibility, watchWidth, watchWindow } from './controllers.js';
import { CutElement } from './cut.js';
import { Fields } from './fields.js';
import { Highlight, seriesAt } from './highlight.js';
import { createFormat, figureLanguage } from '../state/language.js';
import { messages as kitMessages } from '../state/generated/words.js';
import { reason } from '../state/words.js';
import { STACK_BELOW } from '../chart/chart.js';
import { own } from '../chart/palette.js';
import { Playing } from './playing.js';
import { Running } from './running.js';
import { FILES } from '../shell/download.js';
import { mayStay } from '../shell/staying.js';
import { shell } from '../shell/shell.js';
import { attributeName } from '../state/state.js';
import { liveStyles } from '../shell/live-styles.js';
import { reserve, styles } from '../shell/styles.js';
import { fluid, patch } from '../chart/svg.js';
import { BESIDE, drawnWidth, textScale } from '../shell/text-size.js';
import { watchTyping } from './typed.js';

/**
 * @import { Language } from '../state/language.js'
 * @import { AnyView } from '../spec.js'
 * @import { State } from '../state/state.js'
 */

const FORMATS = recordOf(LANGUAGE_KEYS, createFormat);

/** Draws one FigureSpec. Subclasses set `static spec` and call `declare` once; facts.js and reference.js beside it describe their parts. */
export class FigureElement extends CutElement {
  /** @type {readonly string[]} */
  static fieldAttributes = [];

  static get observedAttributes() {
    return [...super.observedAttributes, ...this.fieldAttributes, 'lang'];
  }

  /**
   * Prepares a subclass: attributes, properties and styles of its spec.
   * @param {typeof FigureElement} subclass
   */
  static declare(subclass) {
    const { fields, aspect, room, styles: further = [] } = subclass.spec;
    subclass.styles = [styles, liveStyles, reserve(aspect, room), ...further];
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
          this.#fields.setProperty(key, value);
        },
      });
    }
  }

  #fields = new Fields(this);
  #computing = new Computing(this);
  #running = new Running(this);
  #playing = new Playing(this);
  #highlight = new Highlight(this);
  /** The state from which the data were computed. @type {State | undefined} */
  #computedState;
  /** Whether a change of state is still to be announced. */
  #hasNews = false;
  /** The language of the status. */
  #spoken = '';
  #writeInputs = () => {};
  /** @type {AnyView | undefined} */
  #view;
  /** The view that the picture shows. @type {AnyView | undefined} */
  #drawnView;
  /** The content with which the page was served. @type {ChildNode[]} */
  #prerendered = [];

  constructor() {
    super();
    /** The result of `compute`. @type {unknown} */
    this.data = undefined;
    /** @type {unknown} */
    this.failure = undefined;
    this.notice = '';
    this.status = '';
    /** Texts to copy: a link, or code. @type {{ label: string, text: string }[]} */
    this.shared = [];
    this.tableOpen = false;
    /** Whether a narrow figure shows all of its numbers, its links and files. */
    this.isUnfolded = false;
    /** Whether it has computed, or failed to: until then its controls are disabled. */
    this.isLive = false;
    /** Whether this is rendered ahead of time, with the static picture in place of the drawing. */
    this.still = false;
    /** Whether it is printed without data, which it had no time to load: with the page's picture, if there is one. */
    this.isOnPaper = false;
    /** In CSS pixels; 0 until it is known. */
    this.figureWidth = 0;
    /** The least heights in CSS pixels, so that nothing moves while a film changes words and numbers; 0: any. */
    this.room = { title: 0, figure: 0 };
    /** How many times larger than usual the reader's text is. */
    this.textScale = 1;
    /** Whether the main control may stay in view while a narrow figure scrolls past. */
    this.mayStay = false;
    watchWidth(this, (width) => this.#setWidth(width));
    watchLanguage(this);
    watchWindow(this, 'hashchange', () => this.#fields.readAddress());
    watchWindow(this, 'beforeprint', () => this.#prepareForPaper());
    watchWindow(this, 'afterprint', () => this.#setOnPaper(false));
    watchVisibility(this, (isNear) => {
      this.#computing.setNear(isNear);
      if (!isNear) this.#running.cancel();
    });
  }

  /** @returns {Language} */
  get language() {
    return figureLanguage(this);
  }

  get kit() {
    return kitMessages[this.language];
  }

  // ---- state --------------------------------------------------------------------------------

  get state() {
    return this.#fields.state;
  }

  /** Attributes that could not be read. */
  get ignored() {
    return this.#fields.ignored;
  }

  connectedCallback() {
    const isFirst = !this.renderRoot;
    super.connectedCallback();
    if (isFirst) this.#fields.readAddress();
  }

  /**
   * @param {string} name
   * @param {string | null} old
   * @param {string | null} value
   */
  attributeChangedCallback(name, old, value) {
    if (!this.#fields.attributeChanged(name, value)) this.requestUpdate();
    if (name === 'compact' && this.figureWidth > 0) this.#setWidth(this.figureWidth); // its text has another size
  }

  /**
   * Sets a field from a control that the reader moves.
   * @param {string} key
   * @param {unknown} raw
   * @param {boolean} isSettled  false while dragging
   */
  change(key, raw, isSettled) {
    this.#fields.change(key, raw, isSettled);
  }

  /** @param {PointerEvent} event  in the picture */
  pick(event) {
    this.#fields.pick(event);
  }

  newSample() {
    this.#fields.newSample();
  }

  /** Sets fields as a film does. @param {State} patch  @param {{ isSettled: boolean, isReaders: boolean }} by */
  showState(patch, by) {
    this.#fields.show(patch, by);
  }

  /** Keeps title and figure as high as they are, until the width changes. */
  keepRoom() {
    const heightOf = (/** @type {string} */ part) =>
      Math.ceil(this.renderRoot.querySelector(part)?.getBoundingClientRect().height ?? 0);
    this.room = { title: heightOf('.title'), figure: heightOf('figure') };
  }

  /** Plays the film for the reader, or stops it. */
  play() {
    if (this.#playing.isPlaying) this.#playing.stop();
    else this.#playing.play({ isReaders: true });
    this.requestUpdate();
  }

  get isPlaying() {
    return this.#playing.isPlaying;
  }

  /**
   * Computes for the state that has changed.
   * @param {State} patch
   * @param {{ isSettled: boolean, isSame: boolean }} change isSame: the patch changes no value
   */
  stateChanged(patch, { isSettled, isSame }) {
    this.requestUpdate(); // also where the text of an input comes to the same value
    if (isSame && !(isSettled && this.#computing.isDragging)) return;
    const { keeps = [] } = this.spec;
    if (!isSame && !Object.keys(patch).every((key) => keeps.includes(key))) this.#running.forget();
    this.#hasNews = true;
    this.failure = undefined;
    this.shared = [];
    this.notice = '';
    this.#computing.stateChanged(isSettled, isSame);
  }

  // ---- work ---------------------------------------------------------------------------------

  /** @returns {boolean} whether long work is under way */
  get busy() {
    return this.#running.isRunning;
  }

  /** Returns the share of the long work that is done; undefined while none is under way. */
  get progress() {
    return this.#running.progress;
  }

  /** Returns the seconds that the rest of it takes at the pace so far. */
  get secondsLeft() {
    return this.#running.secondsLeft;
  }

  /** Returns the result of `run`, as far as it got. */
  get result() {
    return this.#running.result;
  }

  /** Sets a result that was computed elsewhere; `retry` shows it. */
  set result(result) {
    this.#running.result = result;
  }

  run() {
    return this.#running.start();
  }

  cancel() {
    this.#running.cancel();
  }

  /** @param {boolean} isWhole  the long work has come to its end */
  resultChanged(isWhole) {
    if (isWhole) this.#hasNews = true;
    this.#computing.restart();
  }

  /** Shows new data. @param {unknown} data @param {State} state  that they are of */
  computed(data, state) {
    this.data = data;
    this.isLive = true;
    this.#computedState = state;
    const settled = !this.#computing.isDragging;
    if (settled) {
      if (this.#hasNews || !this.busy) this.#speak(); // else each slice of long work would be read out
      this.#fields.reflectTouched();
    }
    if (this.#hasNews) {
      this.#hasNews = !settled;
      const state = { ...this.state };
      this.announce('attn-change', { figure: this.spec.name, state, settled });
    }
    this.requestUpdate();
    this.#playing.begin();
  }

  /** Writes the status; data without a status are not shown. */
  #speak() {
    try {
      this.status = this.spec.status(this.view());
    } catch (error) {
      this.data = undefined;
      throw error;
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.#computing.fail();
    this.isLive = true;
    this.failure = error;
    this.status = this.kit.failed(reason(error));
    this.requestUpdate();
  }

  retry() {
    this.failure = undefined;
    this.requestUpdate();
    this.#computing.retry();
  }

  /** @param {string} type  @param {object} detail */
  announce(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }

  // ---- highlighting -------------------------------------------------------------------------

  get pinned() {
    return this.#highlight.pinned;
  }

  /** @param {Event} event pointer or focus enters or leaves an item of a series */
  hover(event) {
    this.#highlight.hover(seriesAt(event));
  }

  /**
   * Lights up one series, in the chart and in the read-out, as a formula of the page may.
   * @param {string} series  its key; the empty string for none
   */
  highlight(series) {
    this.#highlight.hover(series);
  }

  /** Keeps a series lit until it is pinned again. @param {string} series */
  pin(series) {
    this.#highlight.pin(series);
  }

  // ---- drawing ------------------------------------------------------------------------------

  /** Paper shows the figure with which the page was served, until it is live. */
  #prepareForPaper() {
    if (this.#prerendered.length > 0 && this.data === undefined) return;
    this.#setOnPaper(!this.#computing.computeForPrint());
  }

  /** @param {boolean} isOnPaper */
  #setOnPaper(isOnPaper) {
    if (isOnPaper === this.isOnPaper) return;
    this.isOnPaper = isOnPaper;
    this.requestUpdate();
  }

  /** @param {number} width */
  #setWidth(width) {
    const stays = mayStay(this);
    const scale = textScale(this);
    const { figureWidth, mayStay: stayed, textScale: known } = this;
    if (width === figureWidth && stays === stayed && scale === known) return;
    if (width !== figureWidth) this.room = { title: 0, figure: 0 };
    this.figureWidth = width;
    this.textScale = scale;
    this.mayStay = stays;
    this.requestUpdate();
  }

  /** What makes each kind of file that the figure can be saved as. */
  get files() {
    return FILES;
  }

  /** Whether the words of a compact figure stand beside its only panel, so that it fits a slide under a heading. */
  get isBeside() {
    const { compact, spec, chosenPanels, figureWidth, textScale } = this;
    const isOne = Boolean(spec.main) && chosenPanels.shown?.length === 1;
    return compact && isOne && figureWidth >= STACK_BELOW * textScale;
  }

  /** The width of the picture, in CSS pixels. */
  get pictureWidth() {
    return this.isBeside ? Math.floor(BESIDE * this.figureWidth) : this.figureWidth;
  }

  /**
   * Returns the view of the state that was computed last, for picture and words: the same object as
   * long as nothing in it changes.
   * @returns {AnyView}
   */
  view() {
    const width = drawnWidth(this.pictureWidth, this.textScale);
    const view = /** @type {AnyView} */ ({
      state: this.#computedState ?? this.state,
      data: this.data,
      text: this.spec.messages[this.language],
      format: FORMATS[this.language],
      palette: own,
      width,
      panels: this.panelsAt(width),
      compact: this.compact,
    });
    const known = this.#view;
    if (known && keysOf(view).every((key) => view[key] === known[key])) return known;
    this.#view = view;
    return view;
  }

  createRenderRoot() {
    const root = super.createRenderRoot();
    this.#prerendered = [...root.childNodes];
    this.#writeInputs = watchTyping(root);
    return root;
  }

  /** Keeps the figure with which the page was served until there are data to show. */
  shouldUpdate() {
    const { data, failure } = this;
    return this.#prerendered.length === 0 || data !== undefined || failure !== undefined;
  }

  willUpdate() {
    try {
      this.#translate();
    } catch (error) {
      this.fail(error);
    }
    for (const node of this.#prerendered.splice(0)) node.remove();
  }

  /** Repeats the status in a new language. */
  #translate() {
    const { language } = this;
    const isOther = this.#spoken !== language;
    if (isOther && this.#spoken && this.spec.load) this.#computing.restart(); // other data
    if (isOther && this.data !== undefined && !this.failure) {
      this.#speak();
      this.notice = '';
    }
    this.#spoken = language;
  }

  /** Draws the shell. Data for which the figure has no words are a failure: they are not shown. */
  render() {
    try {
      return shell(this);
    } catch (error) {
      if (this.data === undefined) throw error;
      this.data = undefined;
      this.fail(error);
      return shell(this);
    }
  }

  updated() {
    this.#writeInputs();
    const pictures = [...this.renderRoot.querySelectorAll('.plot > svg')];
    if (pictures.length === 0 || this.data === undefined || this.figureWidth === 0) return;
    try {
      this.#draw(pictures);
      this.#highlight.draw();
    } catch (error) {
      this.data = undefined;
      this.fail(error);
    }
  }

  /** Draws the pictures unless they show the same already. @param {Element[]} pictures */
  #draw(pictures) {
    const view = this.view();
    if (pictures[0].firstChild && view === this.#drawnView) return;
    const trees = this.spec.pictures?.(view) ?? [fluid(this.spec.draw(view))];
    pictures.forEach((picture, index) => patch(picture, trees[index]));
    this.#drawnView = view;
  }
}
