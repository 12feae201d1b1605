// <attn-view>: the attention of a reader's own model, from a file, an address, pasted text or properties.

import { toAttention, toSeries } from '../reading/index.js';
import { watchColours } from '../../figures/kit/element/controllers.js';
import { FigureElement } from '../../figures/kit/element/figure.js';
import { initialState } from '../../figures/kit/state/state.js';
import { reason, say } from '../../figures/kit/state/words.js';
import { renderStatic } from '../../figures/kit/chart/static.js';
import { acceptDrops, bring, comparisonChoice, textChoice } from './bring.js';
import { paintCells } from '../picture/canvas.js';
import { Course, indexOf } from '../course/course.js';
import { expectAlike } from '../heads/compared.js';
import { knownOf } from '../heads/known.js';
import { withPadding } from '../heads/options.js';
import { courseControls } from '../course/course-controls.js';
import { load as loadExample } from './example.js';
import { LongHeads } from '../heads/long.js';
import { imageOverPatches, overlay } from './overlay.js';
import { openSaved, pageOf } from './page.js';
import { fromAddress, fromBytes, unlessAborted } from './source.js';
import { spec } from './spec.js';
import { headTable, standingOut } from './table.js';
import { whyPanel } from '../why/why.js';

/**
 * @import { AnyFigureSpec } from '../../figures/kit/spec.js'
 * @import { Attention, AttentionStep, GivenAttention, GivenStep } from '../reading/index.js'
 * @import { Language } from '../../figures/kit/state/language.js'
 * @import { Change } from '../../figures/kit/shell/controls.js'
 * @import { StaticSvg } from '../../figures/kit/chart/static.js'
 * @import { Extras } from '../course/course.js'
 * @import { Shown } from '../heads/heads.js'
 * @import { Source } from './source.js'
 * @import { Data, Head, View } from './data.js'
 * @import { State } from './fields.js'
 * @import { Order } from './table.js'
 */

export { spec };

/** What is chosen of one attention alone, and means nothing of another. */
const { layer, head, factor, row, column, minus, region, without, step, text } = spec.fields;
const BEGINNING = initialState({
  ...{ layer, head, factor, row, column, minus, region, without, step, text },
});
/** What a page may set, besides attributes. */
const TENSORS = ['weights', 'query', 'key', 'file', 'series'];
const EXTRAS = ['tokens', 'keyTokens', 'scale', 'attentionMask', 'options'];

/** The attention of a model of your own: every head, and what stands out. */
export class AttnView extends FigureElement {
  static spec = spec;

  /** @type {Record<string, unknown>} */
  #given = {};
  /** Whether properties have changed since they were read. */
  #isSet = false;
  /** The address whose file was asked for last. */
  #src = '';
  /** What is to be read next. @type {Source | undefined} */
  #next;
  /** Ends what is being fetched and read, once a newer source has come. */
  #reading = new AbortController();
  /** What could not be read, and why. @type {{ source: Source, error: unknown } | undefined} */
  #failed;
  /** The course of training of which a step is shown. @type {Course | undefined} */
  #course;
  /** The batch of which a text is shown, and its number. @type {{ source: Source, text: number } | undefined} */
  #batch;
  /** What it is compared with, and the course of training that this is a step of. @type {{ source: Source, attention: Shown, course?: Course } | undefined} */
  #second;
  /** Whether what the reader brings next is compared with what is shown. */
  #isCompared = false;
  /** Whether the reader has brought what is shown, of which the image of the page is none. */
  #isReaders = false;
  /** What the reader calls what is shown. @type {string | undefined} */
  #label;
  /** Whether what is shown next opens at the head that stands out. */
  #opens = false;
  #long = new LongHeads(() => this.resultChanged(false));
  /** @type {Order} */
  #order = { column: 'head', isDescending: false };
  /** The figure's own spec: it loads what this element is to show, and draws the inputs. */
  #spec = {
    ...spec,
    load: (/** @type {Language} */ language) => this.#load(language),
    lead: (/** @type {View} */ view, /** @type {Change} */ change) =>
      this.controls === 'none' || this.compact
        ? ''
        : [
            bring(view, (source) => this.#bring(source), this.#comparing()),
            view.data === undefined
              ? ''
              : [
                  comparisonChoice(view, change),
                  textChoice(view, this.state, change),
                  courseControls(view, this.state, change),
                ],
          ],
    overlay: (/** @type {View} */ view, /** @type {Change} */ change) => [
      this.#isReaders ? '' : imageOverPatches(view),
      overlay(view, change),
    ],
    below: (/** @type {View} */ view, /** @type {Change} */ change) => [
      whyPanel(view, change),
      headTable(view, {
        order: this.#order,
        sort: (column) => this.#sort(column),
        show: (head) => this.#show(head),
        measureAll: this.#long.hasAll(view.data, view.state)
          ? undefined
          : () => this.#long.measureAll(view.data, view.state),
      }),
    ],
  };

  constructor() {
    super();
    acceptDrops(this, (source) => this.#bring(source));
    watchColours(this, () => this.#paint());
  }

  /** @returns {AnyFigureSpec} */
  get spec() {
    return #spec in this ? this.#spec : spec; // the base asks for it before it is there
  }

  get files() {
    const html = async () => new Blob([await pageOf(this)], { type: 'text/html' });
    return { ...super.files, html };
  }

  // ---- what is shown --------------------------------------------------------------------------

  /**
   * Reads attention and shows it; what is shown stays where it cannot be read.
   * @param {Source} source
   */
  open(source) {
    this.#replace(source);
    super.retry();
  }

  /**
   * Reads another source in the place of any before it, which may never answer; a series to which the page adds steps
   * is read to its end, so that fast steps do not keep each other from being shown.
   * @param {Source | undefined} source
   */
  #replace(source) {
    const goesOn = this.#next?.items && source?.items;
    this.#next = source;
    this.#failed = undefined;
    if (goesOn) return;
    this.#reading.abort();
    this.#reading = new AbortController();
  }

  /** @type {FigureElement['stateChanged']} */
  stateChanged(patch, change) {
    const { src } = this.state;
    if (src !== this.#src) {
      this.#src = src;
      this.#replace(src ? fromAddress(src, this.baseURI) : undefined);
      if (!src) this.#take(undefined);
    }
    super.stateChanged(patch, change);
  }

  /** Shows what the reader brings. @param {Source} source */
  #bring(source) {
    this.open({ ...source, isReaders: true, isSecond: this.#isCompared });
    this.#isCompared = false;
  }

  /** Returns the choice of comparing, where there is attention of the reader's or the page's. */
  #comparing() {
    if (!this.result) return undefined;
    const compare = (/** @type {boolean} */ isCompared) => {
      this.#isCompared = isCompared;
      this.requestUpdate();
    };
    return { isCompared: this.#isCompared, compare };
  }

  firstUpdated() {
    openSaved(this);
  }

  /** Returns a property that the page has set. @param {string} name */
  given(name) {
    return this.#given[name];
  }

  /**
   * Sets a property; null and undefined remove it. Properties set together are read together.
   * @param {string} name
   * @param {unknown} value
   */
  give(name, value) {
    this.#given = { ...this.#given, [name]: value ?? undefined };
    if (this.#isSet) return;
    this.#isSet = true;
    queueMicrotask(() => {
      this.#isSet = false;
      this.#readProperties();
    });
  }

  /** Shows the properties, once they are enough. */
  #readProperties() {
    const { weights, query, key, file, series } = this.#given;
    const isEnough = weights !== undefined || (query !== undefined && key !== undefined);
    const given = /** @type {GivenAttention} */ (this.#given);
    const isSeries = series !== undefined && !(Array.isArray(series) && series.length === 0);
    if (isEnough)
      this.open({
        name: this.localName,
        isComplete: true,
        read: (text) => toAttention(given, { name: this.localName, text }),
      });
    else if (isSeries) this.#openSeries(/** @type {readonly GivenStep[]} */ (series));
    else if (file !== undefined) this.open(fromBytes(/** @type {Blob} */ (file)));
    else if (TENSORS.some((name) => name in this.#given) && !query && !key) this.#clear();
  }

  /** Shows a course of training that the page holds. @param {readonly GivenStep[]} series */
  #openSeries(series) {
    const name = this.localName;
    const read = () => toSeries(series, { name });
    this.open({
      name,
      read,
      items: () => new Map(series.map((item) => [Number(item.step), item])),
    });
  }

  /** Returns to the example. */
  #clear() {
    this.#take(undefined);
    this.#replace(undefined);
    super.retry();
  }

  /** Shows some attention, the course of training that it is of, and its name. @param {Shown | undefined} attention @param {Course} [course] @param {string} [label] */
  #take(attention, course, label) {
    if (course !== this.#course) this.#course?.cancel();
    this.#course = course;
    this.#label = label;
    this.#batch = undefined;
    if (attention) knownOf(attention).label = label;
    this.result = attention;
    if (!attention) this.#second = undefined;
  }

  /** Reads what is compared with what is shown. @param {Source} source @param {AbortSignal} signal */
  async #readSecond(source, signal) {
    const first = /** @type {Shown} */ (this.result);
    const found = await source.read(this.state.text - 1, signal);
    const isCourse = found instanceof Course || Array.isArray(found);
    const course = isCourse ? this.#courseOf(found) : undefined;
    const attention = course
      ? await course.show(this.state.step)
      : this.#complete(/** @type {Attention} */ (found), this.#extras());
    if (signal.aborted) return;
    expectAlike(first, attention);
    this.#second?.course?.cancel();
    this.#second = { source, attention, course };
  }

  /** Puts what is compared, at the same step, beside what is shown. @param {AbortSignal} signal */
  async #pair(signal) {
    const [first, second] = [/** @type {Shown} */ (this.result), this.#second];
    if (!second) return;
    const { course, source } = second;
    const step = this.#course
      ? String(this.#course.steps[indexOf(this.#course, this.state.step)])
      : this.state.step;
    if (course) second.attention = await course.show(step);
    if (signal.aborted) return;
    knownOf(second.attention).label = source.label;
    knownOf(first).second = second.attention;
  }

  /** Returns what the page gives for any attention. */
  #extras() {
    return Object.fromEntries(EXTRAS.map((name) => [name, this.#given[name]]));
  }

  /** Fetches what is to be shown: of several sources the newest, whatever an older one waits for. @param {Language} language */
  async #load(language) {
    for (;;) {
      const { signal } = this.#reading;
      try {
        const loaded = await unlessAborted(this.#loadNewest(language, signal), signal);
        if (!signal.aborted) return loaded;
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
  }

  /** Fetches what is to be shown next, else the example. @param {Language} language @param {AbortSignal} signal */
  async #loadNewest(language, signal) {
    const { example, step } = this.state;
    while (this.#next && !signal.aborted) {
      const source = this.#next;
      try {
        await this.#read(source, signal);
        if (this.#next === source) this.#next = undefined;
      } catch (error) {
        if (this.#next !== source) continue;
        this.#failed = { source, error };
        this.#next = undefined;
        throw error;
      }
    }
    if (this.result === undefined && this.#failed) throw this.#failed.error;
    if (this.#batch && this.#batch.text !== this.state.text) {
      const second = this.#second?.source;
      await this.#read({ ...this.#batch.source, isReaders: false, second }, signal); // another of its texts
    }
    if (this.#course) {
      const shown = await this.#course.show(step);
      if (!signal.aborted) this.#take(shown, this.#course, this.#label);
    }
    await this.#pair(signal);
    if (this.result === undefined) return loadExample(language, { example });
  }

  /**
   * Reads a source: some attention, or a course of training, whose step is read after it. A course to which the
   * page adds steps goes on.
   * @param {Source} source
   * @param {AbortSignal} signal
   */
  async #read(source, signal) {
    const { label, isReaders } = source;
    if (source.isSecond && this.result) return this.#readSecond(source, signal);
    const { text } = isReaders ? BEGINNING : this.state;
    const found = await source.read(text - 1, signal);
    if (signal.aborted) return;
    if (!(found instanceof Course) && !Array.isArray(found)) {
      const extras = source.isComplete ? { options: this.#given.options } : this.#extras();
      this.#take(this.#complete(found, extras), undefined, label);
      this.#second = undefined;
      if (found.texts) this.#batch = { source, text };
    } else {
      const course = this.#courseOf(found, source.items?.());
      if (course !== this.#course) this.#second = undefined;
      const shown = await course.show(isReaders ? BEGINNING.step : this.state.step);
      if (signal.aborted) return;
      this.#take(shown, course, label);
    }
    if (source.second) await this.#readSecond(source.second, signal);
    this.#opens = this.#isReaders = Boolean(isReaders);
    if (!isReaders) return;
    this.#src = ''; // what is shown is no longer of that address
    this.showState({ ...BEGINNING, src: '' }, { isSettled: true, isReaders });
  }

  /** Returns the course of some steps: the shown one, where the page adds steps to it. @param {AttentionStep[] | Course} steps @param {ReadonlyMap<number, unknown>} [items] */
  #courseOf(steps, items) {
    if (steps instanceof Course) return steps;
    const given = { steps, items, extras: this.#extras() };
    const before = this.#course?.isContinuedBy(given) ? this.#course : undefined;
    before?.update(given);
    return before ?? new Course(given, (...step) => this.#complete(...step));
  }

  /** Adds tokens, scale and options of the page, which belong to any attention. @param {Shown} found @param {Extras} all @returns {Shown} */
  #complete({ causal, mask, texts, layerScales, options: own, ...found }, all) {
    const { options, ...extras } = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    );
    const given = { ...found, ...(layerScales && { scale: layerScales }), ...extras };
    const attention = toAttention(given, { name: this.localName });
    const hidden = withPadding(mask, attention.query && attention.attentionMask);
    return {
      ...attention,
      ...(texts && { texts }),
      options: {
        ...(causal && { causal: 'lower-right' }),
        ...(hidden && { mask: hidden }),
        ...own,
        ...Object(options),
      },
    };
  }

  /** @param {Data} data @param {State} state  that they are of */
  computed(data, state) {
    const opened = this.#opens ? standingOut(data.overview) : undefined;
    this.#opens = false;
    if (opened && (opened.layer !== data.layer || opened.head !== data.head)) this.#show(opened);
    else super.computed(data, state);
  }

  /** Tries again what could not be read. */
  retry() {
    this.#next ??= this.#failed?.source;
    super.retry();
  }

  /** @param {unknown} error */
  fail(error) {
    super.fail(error);
    const name = this.#failed?.error === error ? this.#failed?.source.name : undefined;
    const why = reason(error);
    if (name !== undefined) {
      const view = { ...this.view(), state: {} };
      this.status = say(view, view.text.unread, { name, why });
    }
    const { code } = /** @type {{ code?: string }} */ (Object(error));
    this.announce('attn-error', { figure: spec.name, source: name, code, message: why });
  }

  // ---- the table ------------------------------------------------------------------------------

  /** @param {string} column */
  #sort(column) {
    const isSame = this.#order.column === column;
    this.#order = { column, isDescending: isSame && !this.#order.isDescending };
    this.requestUpdate();
  }

  /** @param {Head} head */
  #show({ layer, head }) {
    const place = { layer: layer + 1, head: head + 1 };
    this.showState(place, { isSettled: true, isReaders: true });
  }

  updated() {
    super.updated();
    this.#paint();
    if (this.data === undefined || !this.isConnected) return;
    const { data, state } = this.view();
    this.#long.want(data, state).catch((error) => this.fail(error));
    for (const each of [data.attention, data.compared?.other]) {
      const course = each && knownOf(each).course;
      course
        ?.measure(() => this.resultChanged(false))
        .catch((/** @type {unknown} */ error) => this.fail(error));
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#long.cancel();
    this.#course?.cancel();
    this.#second?.course?.cancel();
  }

  #paint() {
    const canvas = this.renderRoot?.querySelector('canvas');
    if (canvas && this.data !== undefined) paintCells(canvas, this.view());
  }
}
FigureElement.declare(AttnView);

for (const name of [...TENSORS, ...EXTRAS]) {
  Object.defineProperty(AttnView.prototype, name, {
    configurable: true,
    enumerable: true,
    /** @this {AttnView} */
    get() {
      return this.given(name);
    },
    /** @this {AttnView} @param {unknown} value */
    set(value) {
      this.give(name, value);
    },
  });
}

/** Returns the figure as self-contained SVG text; needs no document, but its model: `loaded: await load('en')`. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
