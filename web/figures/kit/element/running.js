// Long work that a reader starts by a button: it shows progress, and ends by another button, away
// from the viewport, or when the page is hidden.

import { reason } from '../state/words.js';

/** @import { FigureElement } from './figure.js' */

/** The reason of an abort whose result is thrown away, so that no notice promises to keep it. */
const FORGOTTEN = 'forgotten';

export class Running {
  #host;
  /** @type {AbortController | undefined} */
  #run;

  /** Share of the work that is done; undefined while none runs. @type {number | undefined} */
  progress;
  /** Seconds that the rest takes at the pace so far. @type {number | undefined} */
  secondsLeft;
  #begun = 0;
  /** The result, as far as it got. @type {unknown} */
  result;

  /** @param {FigureElement} host */
  constructor(host) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected() {
    this.cancel();
  }

  get isRunning() {
    return this.#run !== undefined;
  }

  cancel() {
    this.#run?.abort();
  }

  /** Throws the result away, since its state has changed. */
  forget() {
    this.#run?.abort(FORGOTTEN);
    this.result = undefined;
  }

  async start() {
    const host = this.#host;
    if (!host.spec.run || this.isRunning) return;
    const run = new AbortController();
    const { signal } = run;
    const cancelHidden = () => document.hidden && run.abort();
    document.addEventListener('visibilitychange', cancelHidden);
    this.#run = run;
    this.progress = 0;
    this.#begun = performance.now();
    host.notice = '';
    host.requestUpdate();
    try {
      const onProgress = (/** @type {{ fraction: number, rows: unknown }} */ { fraction, rows }) =>
        this.#advance(signal, fraction, rows);
      this.#advance(
        signal,
        1,
        await host.spec.run(host.state, { signal, language: host.language, onProgress }),
      );
    } catch (error) {
      if (!signal.aborted) host.notice = host.kit.failed(reason(error));
    } finally {
      document.removeEventListener('visibilitychange', cancelHidden);
      if (signal.aborted && signal.reason !== FORGOTTEN) host.notice = host.kit.cancelled;
      this.#run = undefined;
      this.progress = undefined;
      this.secondsLeft = undefined;
      host.requestUpdate();
      host.resultChanged(false); // the status of a run that was cut short is spoken, too
    }
  }

  /** @param {AbortSignal} signal  @param {number} fraction  @param {unknown} result */
  #advance(signal, fraction, result) {
    if (signal.aborted) return;
    this.progress = fraction;
    const seconds = (performance.now() - this.#begun) / 1000;
    this.secondsLeft = fraction > 0 ? (seconds * (1 - fraction)) / fraction : undefined;
    this.result = result;
    this.#host.resultChanged(fraction === 1);
  }
}
