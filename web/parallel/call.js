/**
 * A call that a pool has accepted: first it waits, then its parts are given out, and it ends once, with a
 * result or an error.
 */
import { DTypeError, show } from '../attention/errors.js';

/**
 * @import { CallOptions } from './index.js'
 * @import { Part, Plan } from './plan.js'
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
    /** @type {Plan | undefined} */
    this.plan = undefined;
    /** Parts to give out. @type {Part[][]} */
    this.groups = [];
    /** The number of parts whose values are missing. */
    this.missing = 0;
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

  /** Returns the number of parts to give out. */
  get left() {
    return this.groups.reduce((sum, parts) => sum + parts.length, 0);
  }

  /** Prepares the parts of a plan. @param {Plan} plan @param {number} count of parts wanted */
  cut(plan, count) {
    this.groups = plan.cut?.(count) ?? [];
    this.missing = this.left;
    if (this.missing === 0) this.succeed(plan.finish());
  }

  /**
   * Returns the next part for a worker: of the group whose arguments it has, else of a group that nobody
   * has begun, else of the group with the most parts left.
   *
   * @param {unknown} held arguments that the worker has
   * @returns {Part | undefined}
   */
  take(held) {
    const groups = this.groups.filter((parts) => parts.length > 0);
    const most = groups.reduce((best, parts) => (parts.length > best.length ? parts : best), []);
    const own = groups.find(([part]) => part.shared === held);
    this.hasBegun = true;
    return (own ?? most).shift();
  }

  /** Stores the value of a part. @param {Part} part @param {unknown} value */
  store(part, value) {
    if (this.hasEnded) return;
    part.store(value);
    this.missing -= 1;
    if (this.missing === 0) this.succeed(this.plan?.finish());
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
    this.groups = [];
    this.plan = undefined;
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
