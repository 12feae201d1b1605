// The loop that computes a figure's data.
//
// Phases:  idle ──near──► waiting ──next frame, kernel ready──► computing ──► drawn
//           ▲               │ away from the viewport               │           │
//           └───────────────┴──────────────────────────────────────┘           │
//           └────────────────────── the state has changed ─────────────────────┘
// A failure in any phase leads to `failed`, and a retry or a new state back to `idle`. A new state while
// computing begins the computation again; while the reader drags, the small sample under way is drawn
// first, so that a slow device shows something. The latest value wins.

import { init } from '../../../attention/index.js';
import { createMemo } from '../../../shared/memo.js';
import { pause } from '../../../shared/pause.js';
import { runFor } from '../../../shared/slices.js';
import { beforeNextFrame } from './frame.js';

/**
 * @import { Steps } from '../../../shared/slices.js'
 * @import { State } from '../state/state.js'
 * @import { FigureElement } from './figure.js'
 * @typedef {'idle' | 'waiting' | 'computing' | 'drawn' | 'failed'} Phase
 */

/** The pause in dragging after which the full sample is drawn and the status spoken. */
const SETTLE_MILLISECONDS = 400;
/**
 * The same pause after a key step, which ends its dragging at once: longer than the interval at
 * which a held key repeats.
 */
const REPEAT_MILLISECONDS = 100;
/** Short, since a phone takes several times as long as the machine on which the slice was chosen. */
const SLICE_MILLISECONDS = 4;
/** The part of a frame to compute in while the reader drags. */
const DRAGGED_SLICE_MILLISECONDS = 8;

/** @returns {Promise<void>} */
const nextFrame = () => new Promise((resolve) => beforeNextFrame(resolve));

export class Computing {
  #host;
  #isNear = false;
  #isReady = false;
  #memo = createMemo();
  /** What the spec has fetched for the latest state. @type {unknown} */
  #loaded;
  /** How often it was asked to compute anew, since what is being fetched may be of before. */
  #asked = 0;
  /** The computation under way. @type {{ state: State, coarse: boolean, steps: Steps<unknown> } | undefined} */
  #current;
  #callOff = () => {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #settling;

  /** @type {Phase} */
  phase = 'idle';

  /** Whether the reader drags, when a small sample is enough. */
  isDragging = false;

  /** @param {FigureElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    clearTimeout(this.#settling);
    this.setNear(false);
  }

  /** @returns {boolean} whether a computation will end without further notice */
  get isPending() {
    return this.phase === 'waiting' || this.phase === 'computing';
  }

  /** Starts near the viewport, and pauses away from it. @param {boolean} isNear */
  setNear(isNear) {
    this.#isNear = isNear;
    if (!isNear && this.isPending) this.#rest();
    else if (isNear && this.isDragging)
      this.#settle(); // moved in the document meanwhile
    else if (isNear) this.#start();
  }

  #rest() {
    this.#callOff();
    this.phase = 'idle';
  }

  /**
   * Computes for the state that has changed.
   * @param {boolean} isSettled  false while the reader drags
   * @param {boolean} isSame the reader let go of a control without changing its value
   */
  stateChanged(isSettled, isSame) {
    const isStep = isSame && this.isPending; // let go before it was drawn, as an arrow key does
    this.isDragging = !isSettled || isStep;
    clearTimeout(this.#settling);
    const wait = isStep ? REPEAT_MILLISECONDS : SETTLE_MILLISECONDS;
    if (this.isDragging) this.#settling = setTimeout(() => this.#settle(), wait);
    this.retry();
  }

  #settle() {
    this.isDragging = false;
    this.restart();
  }

  /** Computes anew, also after a failure. */
  retry() {
    if (this.phase === 'failed') this.phase = 'idle';
    this.restart();
  }

  /** Computes anew; a failure stays. */
  restart() {
    this.#asked += 1;
    if (!this.isDragging || !this.#current?.coarse) this.#current = undefined;
    if (this.phase === 'drawn') this.phase = 'idle';
    this.#start();
  }

  /** Ends the computation under way after a failure. */
  fail() {
    this.#callOff();
    this.#current = undefined;
    this.phase = 'failed';
  }

  #start() {
    if (!this.#isNear || this.phase !== 'idle') return;
    this.phase = 'waiting';
    this.#callOff = beforeNextFrame(() => this.#compute());
  }

  /** Computes in slices, between which the page stays responsive: one a frame while the reader drags. */
  async #compute() {
    try {
      if (!this.#isReady) await init();
      this.#isReady = true; // from now on a figure is computed within its frame
      await this.#load();
      if (this.phase !== 'waiting') return;
      this.phase = 'computing';
      while (this.phase === 'computing') {
        if (!this.#current) await this.#load(); // the state has changed meanwhile
        if (this.phase !== 'computing') return;
        this.#advance(this.isDragging ? DRAGGED_SLICE_MILLISECONDS : SLICE_MILLISECONDS);
        await (this.isDragging ? nextFrame() : pause());
      }
    } catch (error) {
      this.#host.fail(error);
    }
  }

  /** Fetches what the latest state needs. */
  async #load() {
    const host = this.#host;
    if (!host.spec.load) return;
    let asked;
    do {
      asked = this.#asked;
      this.#loaded = await host.spec.load(host.language, host.state);
    } while (asked !== this.#asked);
  }

  /** @param {number} milliseconds  to compute for */
  #advance(milliseconds) {
    const host = this.#host;
    this.#current ??= this.#begin(host.state);
    const { state, steps } = this.#current;
    const step = runFor(steps, milliseconds);
    if (!step.done) return;
    this.#current = undefined;
    this.phase = 'drawn';
    host.computed(step.value, state);
    if (host.state !== state) this.restart();
  }

  /** @param {State} state */
  #begin(state) {
    const { spec, result, language } = this.#host;
    const coarse = this.isDragging;
    const [memo, loaded] = [this.#memo, this.#loaded];
    const context = { coarse, still: false, memo, result, language, loaded };
    return { state, coarse, steps: spec.compute(state, context) };
  }

  /**
   * Computes a small sample at once, since paper also shows figures that have not come near yet.
   * @returns {boolean} whether there is something to show: data, or the reason of a failure
   */
  computeForPrint() {
    if (this.phase === 'failed' || this.#host.data !== undefined) return true;
    const phase = this.phase;
    this.#current = undefined;
    this.isDragging = true;
    try {
      this.#advance(Infinity);
    } catch {
      // It is computed again when the figure comes near.
    }
    this.#current = undefined;
    this.isDragging = false;
    this.phase = phase;
    return this.#host.data !== undefined;
  }
}
