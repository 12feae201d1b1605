/**
 * Shares calls among workers: small ones are computed by the thread that makes them, others go to a worker by
 * their name and arguments, or divided to several, two parts at a time to each, so that no worker waits and an
 * aborted call ends soon. Where there are no workers, this thread does the parts and pauses between them.
 */
import { BackendError } from '../attention/errors.js';
import * as FUNCTIONS from '../attention/functions.js';
import { backend as backendInUse, whileIdle, withKernel } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { isObject } from '../shared/keys.js';
import { now, pause } from '../shared/pause.js';
import { NoWorker, startApart } from './apart.js';
import { abortError, Call } from './call.js';
import { numbersIn, operationsOf } from './cost.js';
import { text } from './generated/worker.js';
import { Memory } from './memory.js';
import { buffersOf, copyOf } from './message.js';
import { isDivided, split } from './split.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { Apart } from './apart.js'
 * @import { Part } from './split.js'
 * @import { Done } from './worker.js'
 */

/** A worker, and how many parts it has. @typedef {{ worker: Apart, isReady: boolean, parts: number }} Hand */

/** Operations a millisecond of a function that has not run yet. */
const FIRST_SPEED = 1e7;
/** The longest call that this thread computes at once: a worker would not have it done sooner. */
const SMALL = 2;
/** The longest part on this thread, so that the page stays responsive. */
const LONGEST_SLICE = 8;
/** The longest part of a worker, so that a call that was aborted ends soon. */
const LONGEST_PART = 40;
/** The shortest part that is worth the journey. */
const SHORTEST_PART = 0.7;
/** Milliseconds after which the page has its turn before more parts are copied. */
const LONGEST_TURN = 4;
/** The parts for each worker: more would balance better, and copy keys and values more often. */
const PARTS_EACH = 2;
/** Numbers of a part's results, 4 MB, which are copied in about a millisecond. */
const MOST_NUMBERS = 2 ** 20;
/** Bytes that the kernel of this thread keeps between calls. */
const MOST_KEPT = 2 ** 26;

export class Pool {
  /** @param {number} workers @param {'auto' | Backend} backend */
  constructor(workers, backend) {
    this.workers = workers;
    this.backend = backend;
    this.isDisposed = false;
    /** @type {Hand[] | undefined} undefined before the start */
    this.hands = undefined;
    /** @type {Kernel | undefined} */
    this.kernel = undefined;
    /** @type {Promise<void> | undefined} */
    this.starting = undefined;
    /** Calls that have not ended, in order. @type {Call[]} */
    this.calls = [];
    this.memory = new Memory();
    this.isSlicing = false;
    /** Operations a millisecond, by function. @type {Map<string, number>} */
    this.speeds = new Map();
  }

  /** The number of workers. */
  get size() {
    return this.hands?.length ?? this.workers;
  }

  /**
   * Makes a call.
   *
   * @param {string} name
   * @param {unknown[]} args
   * @returns {Promise<unknown>}
   */
  async call(name, args) {
    if (this.isDisposed) throw disposedError(name);
    const call = new Call(name, args, (ended) => this.forget(ended));
    if (call.hasEnded) return call.promise;
    this.dropOlder(call);
    this.calls.push(call);
    this.hold(true);
    this.start().then(
      () => this.advance(),
      (error) => call.fail(error),
    );
    return call.promise;
  }

  /** Ends all calls and workers. */
  dispose() {
    this.isDisposed = true;
    for (const call of [...this.calls]) call.fail(disposedError(call.name));
    for (const { worker } of this.hands ?? []) worker.end();
    this.hands = [];
    this.memory.kept = [];
    this.kernel?.dispose();
  }

  /** Starts kernel and workers, once; after a failure the next call tries again. @returns {Promise<void>} */
  start() {
    this.starting ??= this.open().catch((error) => {
      this.starting = undefined;
      throw error;
    });
    return this.starting;
  }

  async open() {
    const backend = this.backend === 'auto' ? (backendInUse() ?? 'auto') : this.backend;
    const kernel = await openKernel('createPool', backend);
    if (this.isDisposed) return;
    this.kernel = kernel;
    this.hands = [];
    const count = kernel.module ? this.workers : 0;
    for (let i = 0; i < count; i++) this.addHand(kernel);
  }

  /** Starts a worker, if one may start here. @param {Kernel} kernel */
  async addHand({ backend, module }) {
    /** @type {Hand | undefined} */
    let hand;
    try {
      const worker = startApart(text, undefined, () => hand && this.lose(hand));
      hand = { worker, isReady: false, parts: 0 };
      this.hands?.push(hand);
      worker.hold(this.calls.length > 0);
      await worker.ask({ backend, module });
      hand.isReady = true;
    } catch {
      // A policy forbids workers, or they cannot receive a module: others, or this thread, do the work.
      if (hand) this.lose(hand);
    }
    this.advance();
  }

  /** Drops a call with the same key that waits. @param {Call} newer */
  dropOlder({ latest }) {
    if (latest === undefined) return;
    const older = this.calls.find((call) => call.latest === latest && !call.hasBegun);
    older?.fail(abortError(`${older.name}: a newer call with the same key came`));
  }

  /** Forgets a call that has ended. @param {Call} call */
  forget(call) {
    this.calls = this.calls.filter((other) => other !== call);
    if (this.calls.length === 0) this.hold(false);
    else Promise.resolve().then(() => this.advance());
  }

  /** Keeps a program of Node alive while there are calls. @param {boolean} isBusy */
  hold(isBusy) {
    for (const { worker } of this.hands ?? []) worker.hold(isBusy);
  }

  /** Begins calls and gives out parts. */
  advance() {
    if (this.isDisposed || !this.kernel) return;
    const end = now() + LONGEST_TURN;
    for (const call of [...this.calls]) {
      if (!call.parts && this.mayBegin(call)) this.begin(call, this.kernel);
    }
    if (this.hands?.length) this.giveOut(this.hands, this.kernel, end);
    else if (!this.isSlicing) this.doSlices(this.kernel);
  }

  /** Returns whether no call with the same key comes first. @param {Call} call */
  mayBegin(call) {
    if (call.latest === undefined) return true;
    return this.calls.find(({ latest }) => latest === call.latest) === call;
  }

  /** Computes a small call, and divides any other into parts. @param {Call} call @param {Kernel} kernel */
  begin(call, kernel) {
    call.operations = operationsOf(call.name, call.args);
    const expected = call.operations / (this.speeds.get(call.name) ?? FIRST_SPEED);
    if (this.isSmall(expected)) return this.computeHere(call, kernel);
    try {
      call.divide(withKernel(kernel, () => this.partsOf(call, expected)));
    } catch (error) {
      call.fail(error);
    }
  }

  /**
   * Returns the parts of a call: slices of it, or the whole. Where they write to arrays that are here, these are
   * made and checked first.
   *
   * @param {Call} call
   * @param {number} expected milliseconds
   * @returns {Part[]}
   */
  partsOf(call, expected) {
    const { name, args } = call;
    const isTargeted = isDivided(name) || args.some(hasInto);
    const target = isTargeted ? whileIdle(() => compute(name, args)) : undefined;
    const count = isDivided(name) ? this.countOf(expected, numbersIn(target)) : 1;
    const slices = count > 1 ? split(name, args, target, count) : [];
    if (slices.length > 1) {
      call.result = target;
      return slices;
    }
    const store = (/** @type {unknown} */ result) => {
      call.result = args.some(hasInto) ? fill(target, result) : result;
    };
    return [{ args: (take) => args.map((arg) => copyOf(withoutInto(arg), take)), store }];
  }

  /** Computes a call on this thread. @param {Call} call @param {Kernel} kernel */
  computeHere(call, kernel) {
    const { name, args } = call;
    try {
      const start = now();
      const result = withKernel(kernel, () => compute(name, args));
      this.learn(name, call.operations, now() - start);
      call.succeed(result);
    } catch (error) {
      call.fail(error);
    }
    kernel.trim(MOST_KEPT);
  }

  /** Returns whether a call is done sooner here than by workers, or is none. @param {number} expected milliseconds */
  isSmall(expected) {
    return !(expected > (this.size === 0 ? LONGEST_SLICE : SMALL));
  }

  /** Returns the number of parts wanted. @param {number} expected milliseconds @param {number} numbers of results */
  countOf(expected, numbers) {
    const each = expected / (this.size > 1 ? PARTS_EACH * this.size : 1);
    const longest = this.size === 0 ? LONGEST_SLICE : LONGEST_PART;
    const length = Math.min(Math.max(each, SHORTEST_PART), longest);
    return Math.ceil(Math.max(expected / length, numbers / MOST_NUMBERS, 1));
  }

  /** Notes how fast a function was. @param {string} name @param {number} operations @param {number} milliseconds */
  learn(name, operations, milliseconds) {
    // Clocks have steps of up to a millisecond, and an engine's first code is slow.
    if (!(milliseconds >= 0.5)) return;
    const speed = operations / milliseconds;
    this.speeds.set(name, Math.max(speed, (speed + (this.speeds.get(name) ?? speed)) / 2));
  }

  /**
   * Gives parts to workers in turn, the rest after a pause where copies take long.
   *
   * @param {Hand[]} hands
   * @param {Kernel} kernel
   * @param {number} end of this turn
   */
  giveOut(hands, kernel, end) {
    for (let isGiving = true; isGiving;) {
      isGiving = false;
      for (const hand of hands) {
        const call = hand.isReady && this.callFor(hand);
        if (!call) continue;
        if (now() > end) return void pause().then(() => this.advance());
        this.give(hand, call, kernel);
        isGiving = true;
      }
    }
  }

  /** Returns the first call with a part for a worker. @param {Hand} hand */
  callFor({ parts }) {
    return this.calls.find(
      ({ left }) => left > 0 && (parts === 0 || (parts < 2 && left > this.size)),
    );
  }

  /** Has a worker do the next part of a call. @param {Hand} hand @param {Call} call @param {Kernel} kernel */
  async give(hand, call, kernel) {
    const part = call.take();
    if (!part) return;
    const args = this.argsOf(call, part, kernel);
    if (!args) return;
    const { name } = call;
    hand.parts += 1;
    try {
      /** @type {Done} */
      const done = await hand.worker.ask({ name, args }, buffersOf(args));
      this.keep(call, part, done);
    } catch (error) {
      if (!(error instanceof NoWorker)) call.fail(error);
      // Arguments that cannot be sent are those of a mistake.
      else if (this.hands?.includes(hand)) this.computeHere(call, kernel);
      else
        call.fail(
          new BackendError(
            `${name}: a worker failed (${error.message}); the next call has another`,
          ),
        );
    }
    hand.parts -= 1;
    this.advance();
  }

  /**
   * Returns the arguments of a part. Where they cannot be copied, for an instance of a class or want of memory, the
   * call is computed at once.
   *
   * @param {Call} call
   * @param {Part} part
   * @param {Kernel} kernel
   */
  argsOf(call, part, kernel) {
    try {
      return part.args(this.memory.take);
    } catch {
      this.computeHere(call, kernel);
    }
  }

  /** Keeps the result of a part. @param {Call} call @param {Part} part @param {Done} done */
  keep(call, part, { result, milliseconds, args }) {
    this.memory.keep(buffersOf(args));
    call.milliseconds += milliseconds;
    if (call.missing === 1) this.learn(call.name, call.operations, call.milliseconds);
    call.store(part, result);
  }

  /** Replaces a worker that failed; one that never began was refused. @param {Hand} hand */
  lose(hand) {
    if (!this.hands?.includes(hand)) return;
    this.hands = this.hands.filter((other) => other !== hand);
    hand.worker.end();
    if (hand.isReady && this.kernel) this.addHand(this.kernel);
  }

  /** Does parts on this thread, with a pause after each. @param {Kernel} kernel */
  async doSlices(kernel) {
    this.isSlicing = true;
    for (let call; (call = this.calls.find(({ left }) => left > 0)) && !this.hands?.length;) {
      const part = /** @type {Part} */ (call.take());
      const start = now();
      const args = this.argsOf(call, part, kernel);
      if (!args) continue;
      try {
        const result = withKernel(kernel, () => compute(call.name, args));
        this.keep(call, part, { result, milliseconds: now() - start, args });
      } catch (error) {
        call.fail(error);
      }
      kernel.trim(MOST_KEPT);
      await pause();
      if (this.isDisposed) return;
    }
    this.isSlicing = false;
  }
}

/** Calls a function of the package. @param {string} name @param {readonly unknown[]} args @returns {any} */
const compute = (name, args) => Reflect.get(FUNCTIONS, name)(...args);

/** Returns whether an argument has arrays to write to. @param {unknown} arg @returns {arg is { into: unknown }} */
const hasInto = (arg) => isObject(arg) && arg.into !== undefined;

/** Returns options without the arrays to write to, and other arguments as they are. @param {unknown} arg */
const withoutInto = (arg) => (hasInto(arg) ? { ...arg, into: undefined } : arg);

/**
 * Copies results to the arrays that are here.
 *
 * @param {any} target a result of the same call, a tensor or tensors and numbers by name
 * @param {any} result
 * @returns {any} the target
 */
function fill(target, result) {
  if (isObject(target.data)) target.data.set(result.data);
  else {
    for (const name of Object.keys(result)) {
      if (isObject(result[name])) fill(target[name], result[name]);
      else target[name] = result[name];
    }
  }
  return target;
}

/** Returns the error of a call after `dispose`. @param {string} name */
const disposedError = (name) => new BackendError(`${name}: this pool has been disposed of`);
