// The film of a figure: a state a frame, once by itself and again at a press of the button. Whoever touches the
// figure, or changes its state, stops it. Readers who prefer less motion start it themselves.

import { STACK_BELOW } from '../chart/chart.js';

/**
 * @import { FigureElement } from './figure.js'
 * @import { State } from '../state/state.js'
 */

/** The share of a figure, or of the window if that is less, that has to be in view before its film begins. */
const IN_VIEW = 0.6;
/** The shares at which that is looked at. */
const LOOKS = [0.2, 0.3, 0.4, 0.5, IN_VIEW];

/** Returns whether enough of a figure is in view. @param {IntersectionObserverEntry} entry */
const isInView = ({ intersectionRatio, intersectionRect, rootBounds }) =>
  intersectionRatio >= IN_VIEW ||
  intersectionRect.height >= IN_VIEW * (rootBounds?.height ?? Infinity);

const prefersLessMotion = () =>
  Boolean(globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches);

export class Playing {
  #host;
  #frame = 0;
  /** Whether the film has begun, or somebody has touched the figure, so that it does not begin by itself. */
  #isKnown = false;
  #isInView = false;
  /** The state that the film has set last. @type {State | undefined} */
  #shown;
  /** @type {IntersectionObserver | undefined} */
  #observer;

  #isReaders = false;

  isPlaying = false;

  /** @param {FigureElement} host */
  constructor(host) {
    this.#host = host;
    if (!host.spec.film) return;
    host.addController(this);
    const touched = (/** @type {Event} */ event) => {
      this.#isKnown = true;
      // The button stops the film by its click, which would play it again if it had stopped before.
      const [target] = /** @type {Element[]} */ (event.composedPath());
      if (!target.closest('[part=play]')) this.stop();
    };
    for (const type of ['pointerdown', 'keydown']) host.addEventListener(type, touched);
  }

  hostConnected() {
    const { film } = this.#host.spec;
    if (!film?.byItself || typeof IntersectionObserver !== 'function' || prefersLessMotion())
      return;
    this.#observer = new IntersectionObserver(
      (entries) => {
        this.#isInView = isInView(entries[entries.length - 1]);
        this.begin();
      },
      { threshold: LOOKS },
    );
    this.#observer.observe(this.#host);
  }

  hostDisconnected() {
    this.#observer?.disconnect();
    this.stop();
  }

  /** Plays the film by itself, once the figure is live and in view, unless a page or a reader has chosen its state. */
  begin() {
    const { state, spec, isLive, compact, figureWidth } = this.#host;
    if (this.#isKnown || !this.#isInView || !isLive || compact || !spec.film) return;
    // While the reader of a phone scrolls past, the control that stays in view would move.
    if (figureWidth < STACK_BELOW) return;
    this.#isKnown = true;
    const chosen = Object.keys(spec.film.at(0) ?? {}).some(
      (key) => state[key] !== spec.fields[key].initial,
    );
    if (!chosen) this.play({ isReaders: false });
  }

  /** @param {{ isReaders: boolean }} by */
  play({ isReaders }) {
    const host = this.#host;
    const { film } = host.spec;
    if (!film) return;
    cancelAnimationFrame(this.#frame);
    this.#isKnown = true;
    this.#isReaders = isReaders;
    this.isPlaying = true;
    this.#shown = undefined;
    let start = 0;
    const next = () => {
      if (start === 0) host.keepRoom();
      start ||= performance.now();
      const patch = film.at(performance.now() - start);
      const isOthers = this.#shown !== undefined && host.state !== this.#shown;
      if (!patch || isOthers) return this.stop();
      host.showState(patch, { isSettled: false, isReaders });
      this.#shown = host.state;
      this.#frame = requestAnimationFrame(next);
    };
    this.#frame = requestAnimationFrame(next); // when the figure has been drawn
  }

  /** Stops the film where it is. */
  stop() {
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.#frame);
    this.isPlaying = false;
    this.#host.showState({}, { isSettled: true, isReaders: this.#isReaders });
  }
}
