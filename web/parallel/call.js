/**
 * A call that a pool has accepted: first it waits, then its parts are given out, and it ends once, with a
 * result or an error.
 */
import { DTypeError, show } from '../attention/errors.js';

/**
 * @import { CallOptions } from './index.js'
 * @import { Part } from './split.js'
 */

/** Returns an error as that of an AbortController. @param {string} message */
export const abortError = (message) => new DOMException(message, 'AbortError');

export class Call {
  /**
   * @param {string} name of the function
   * @param {unknown[]} args
   * @param {(call: Call) => void} onEnd
   */
  constructor(name, args, onEnd) {
    const { signal, latest, rest } = readCallOptions(name, args[args.length - 1]);
    this.name = name;
    this.args = args.length === 0 ? args : [...args.slice(0, -1), rest];
    this.latest = latest;
    this.signal = signal;
    this.onEnd = onEnd;
    this.hasEnded = false;
    /** Whether a part has been given out. */
    this.hasBegun = false;
    /** Operations that its function takes. */
    this.operations = 0;
    /** Parts to give out, undefined before the call's turn. @type {Part[] | undefined} */
    this.parts = undefined;
    /** The number of parts whose results are missing. */
    this.missing = 0;
    /** What the promise resolves to, once all parts have stored their results. @type {unknown} */
    this.result = undefined;
    /** Milliseconds that workers have computed. */
    this.milliseconds = 0;
    /** @type {Promise<unknown>} */
    this.promise = new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    this.onAbort = () => this.fail(signal?.reason ?? abortError(`${name}: the signal aborted`));
    signal?.addEventListener('abort', this.onAbort);
    if (signal?.aborted) this.onAbort();
  }

  /** Takes the parts that compute the call. @param {Part[]} parts */
  divide(parts) {
    this.parts = parts;
    this.missing = parts.length;
  }

  /** The number of parts to give out. */
  get left() {
    return this.parts?.length ?? 0;
  }

  /** Returns the next part to give out. */
  take() {
    this.hasBegun = true;
    return this.parts?.shift();
  }

  /** Stores the result of a part. @param {Part} part @param {unknown} result */
  store(part, result) {
    if (this.hasEnded) return;
    part.store(result);
    this.missing -= 1;
    if (this.missing === 0) this.succeed(this.result);
  }

  /** @param {unknown} result */
  succeed(result) {
    if (this.end()) this.settle?.resolve(result);
  }

  /** @param {unknown} error */
  fail(error) {
    if (this.end()) this.settle?.reject(error);
  }

  /** Ends the call and returns whether it had not ended before. */
  end() {
    if (this.hasEnded) return false;
    this.hasEnded = true;
    this.parts = [];
    this.signal?.removeEventListener('abort', this.onAbort);
    this.onEnd(this);
    return true;
  }
}

/**
 * Takes the options of a call by a pool out of those of the function.
 *
 * @param {string} name
 * @param {unknown} last argument
 * @returns {{ signal?: AbortSignal, latest?: unknown, rest: unknown }}
 */
function readCallOptions(name, last) {
  if (typeof last !== 'object' || last === null) return { rest: last };
  if (!('signal' in last) && !('latest' in last)) return { rest: last };
  const { signal, latest, ...rest } = /** @type {CallOptions} */ (last);
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw new DTypeError(`${name}: signal is ${show(signal)}, expected an AbortSignal`);
  }
  return { signal, latest, rest };
}
