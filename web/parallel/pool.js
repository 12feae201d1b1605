/**
 * Shares calls among workers. A call is planned by the thread that makes it, which also holds the results:
 * small ones it computes itself, the parts of others go to workers, two at a time to each, so that no
 * worker waits and an aborted call ends soon. Where there are no workers, this thread does the parts and
 * pauses between them.
 */
import { BackendError, errorFrom } from '../attention/errors.js';
import { backend as backendInUse, withKernel } from '../attention/kernel/active.js';
import { openKernel } from '../attention/kernel/backends.js';
import { now, pause } from '../shared/pause.js';
import { Buffers } from './buffers.js';
import { abortError, Call } from './call.js';
import { text } from './generated/worker.js';
import { doPart, merge, packEntries, pack } from './part.js';
import { planCall } from './plan.js';
import { startThread } from './threads.js';

/**
 * @import { Kernel } from '../attention/kernel/active.js'
 * @import { Backend } from '../attention/kernel/backends.js'
 * @import { Part, Plan } from './plan.js'
 * @import { Thread } from './threads.js'
 * @import { Answer, Request } from './worker.js'
 */

/** A worker, the parts that it has, the arguments that it keeps from the last one, and memory of its values.
 *  @typedef {{ thread: Thread, isReady: boolean, held: unknown, spent: ArrayBuffer[],
 *    tasks: Map<number, { call: Call, part: Part }> }} Hand */

/** Operations a millisecond of a function that has not run yet. */
const FIRST_SPEED = 1e7;
/** Milliseconds that a part takes on its way to a worker and back. */
const JOURNEY = 0.4;
/** The longest part on this thread, so that the page stays responsive. */
const LONGEST_SLICE = 8;
/** The longest part of a worker, so that a call that was aborted ends soon. */
const LONGEST_PART = 40;
/** The shortest part that is worth the journey. */
const SHORTEST_PART = 0.7;
/** Milliseconds after which the page has its turn before more parts are copied. */
const LONGEST_TURN = 4;
/** The parts for each worker: more would balance better, and pack keys and values more often. */
const PARTS_EACH = 3;
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
    this.buffers = new Buffers();
    this.isSlicing = false;
    this.nextId = 1;
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
    for (const { thread } of this.hands ?? []) thread.end();
    this.hands = [];
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
  addHand(kernel) {
    try {
      const thread = startThread(text, {
        onMessage: (/** @type {Answer} */ message) => this.receive(hand, message),
        onFailure: (reason) => this.lose(hand, reason),
      });
      /** @type {Hand} */
      const hand = { thread, isReady: false, held: undefined, spent: [], tasks: new Map() };
      this.hands?.push(hand);
      thread.post({ backend: kernel.backend, module: kernel.module }, []);
      thread.hold(this.calls.length > 0);
    } catch {
      // A policy forbids workers, or they cannot receive a module: others, or this thread, do the work.
    }
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
    for (const { thread } of this.hands ?? []) thread.hold(isBusy);
  }

  /** Plans calls and gives out parts. */
  advance() {
    if (this.isDisposed || !this.kernel) return;
    const end = now() + LONGEST_TURN;
    for (const call of [...this.calls]) {
      if (!call.plan && this.mayBegin(call)) this.plan(call, this.kernel);
    }
    if (this.hands?.length) this.giveOut(this.hands, end);
    else if (!this.isSlicing) this.doSlices(this.kernel);
  }

  /** Returns whether no call with the same key comes first. @param {Call} call */
  mayBegin(call) {
    if (call.latest === undefined) return true;
    return this.calls.find(({ latest }) => latest === call.latest) === call;
  }

  /** Plans a call, and computes a small one. @param {Call} call @param {Kernel} kernel */
  plan(call, kernel) {
    try {
      const plan = withKernel(kernel, () => planCall(call.name, call.args));
      const expected = plan.operations / (this.speeds.get(call.name) ?? FIRST_SPEED);
      if (!plan.cut || this.isSmall(expected)) {
        this.computeHere(call, plan, kernel);
      } else {
        call.plan = plan;
        call.cut(plan, this.partsOf(plan, expected));
      }
    } catch (error) {
      call.fail(error);
    }
  }

  /** Computes a call on this thread. @param {Call} call @param {Plan} plan @param {Kernel} kernel */
  computeHere(call, plan, kernel) {
    const start = now();
    const result = plan.compute(kernel);
    this.learn(call.name, plan.operations, now() - start);
    kernel.trim(MOST_KEPT);
    call.succeed(result);
  }

  /** Returns whether a call is done sooner here than by workers. @param {number} expected milliseconds */
  isSmall(expected) {
    const { size } = this;
    if (size === 0) return expected <= LONGEST_SLICE;
    return expected <= (size === 1 ? JOURNEY : (JOURNEY * size) / (size - 1));
  }

  /** Returns into how many parts to cut a call. @param {Plan} plan @param {number} expected milliseconds */
  partsOf({ numbers }, expected) {
    const each = expected / (PARTS_EACH * Math.max(this.size, 1));
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
   * @param {number} end of this turn
   */
  giveOut(hands, end) {
    for (let isGiving = true; isGiving;) {
      isGiving = false;
      for (const hand of hands) {
        const call = hand.isReady && this.callFor(hand);
        if (call && now() > end) return void pause().then(() => this.advance());
        if (call) isGiving = this.give(hand, call) || isGiving;
      }
    }
  }

  /** Returns the first call with a part for a worker. @param {Hand} hand */
  callFor({ tasks }) {
    const idle = tasks.size === 0;
    return this.calls.find(
      ({ left }) => left > 0 && (idle || (tasks.size < 2 && left > this.size)),
    );
  }

  /** Sends a part to a worker. @param {Hand} hand @param {Call} call @returns {boolean} whether there was one */
  give(hand, call) {
    const part = call.take(hand.held);
    if (!part) return false;
    const id = this.nextId++;
    /** @type {ArrayBuffer[]} */
    const transfers = [];
    try {
      const copy = (/** @type {ArrayBufferView} */ array) => this.buffers.copy(array);
      const isHeld = part.shared === hand.held;
      const shared = isHeld ? undefined : packEntries(part.shared, transfers, copy);
      const own = packEntries(part.own, transfers, copy);
      const spent = hand.spent.splice(0);
      transfers.push(...spent);
      const { lengths } = part;
      /** @type {Request} */
      const request = { id, caller: call.name, shared, own, lengths, spent };
      hand.thread.post(request, transfers);
      hand.held = part.shared;
      hand.tasks.set(id, { call, part });
    } catch {
      // Arguments that cannot be copied are those of a mistake, or the engine lacks memory.
      this.computeAtOnce(call);
    }
    return true;
  }

  /** Computes a call here whose parts cannot be sent. @param {Call} call */
  computeAtOnce(call) {
    const { plan } = call;
    if (!plan || !this.kernel) return;
    try {
      call.succeed(plan.compute(this.kernel));
    } catch (error) {
      call.fail(error);
    }
  }

  /** Takes the answer of a worker. @param {Hand} hand @param {Answer} answer */
  receive(hand, { id, isReady, value, milliseconds = 0, error, spent }) {
    if (isReady) hand.isReady = true;
    if (spent) this.buffers.give(spent);
    if (id === undefined) return error ? this.lose(hand, error.message) : this.advance();
    const task = hand.tasks.get(id);
    hand.tasks.delete(id);
    if (task && error) task.call.fail(errorFrom(error));
    else if (task) hand.spent.push(...this.keep(task, value, milliseconds));
    this.advance();
  }

  /**
   * Stores the value of a part and returns the buffers that are free then.
   *
   * @param {{ call: Call, part: Part }} task
   * @param {unknown} value
   * @param {number} milliseconds
   * @returns {ArrayBuffer[]}
   */
  keep({ call, part }, value, milliseconds) {
    const { plan, name } = call;
    call.milliseconds += milliseconds;
    if (call.missing === 1 && plan) this.learn(name, plan.operations, call.milliseconds);
    /** @type {ArrayBuffer[]} */
    const spent = [];
    if (!part.isResult) pack(value, spent);
    try {
      call.store(part, value);
    } catch (error) {
      call.fail(error);
    }
    return spent;
  }

  /** Replaces a worker that failed; one that never began was refused. @param {Hand} hand @param {string} reason */
  lose(hand, reason) {
    if (!this.hands?.includes(hand)) return;
    this.hands = this.hands.filter((other) => other !== hand);
    hand.thread.end();
    if (hand.isReady && this.kernel) this.addHand(this.kernel);
    for (const { call } of hand.tasks.values()) {
      call.fail(
        new BackendError(`${call.name}: a worker failed (${reason}); the next call has another`),
      );
    }
    this.advance();
  }

  /** Does parts on this thread, with a pause after each. @param {Kernel} kernel */
  async doSlices(kernel) {
    this.isSlicing = true;
    for (let call; (call = this.calls.find(({ left }) => left > 0)) && !this.hands?.length;) {
      const part = /** @type {Part} */ (call.take(undefined));
      try {
        const start = now();
        const { shared, own, lengths } = part;
        const task = { caller: call.name, data: merge(shared, own), lengths };
        const value = doPart(kernel, task, this.buffers);
        kernel.trim(MOST_KEPT);
        this.buffers.give(this.keep({ call, part }, value, now() - start));
      } catch (error) {
        call.fail(error);
      }
      await pause();
      if (this.isDisposed) return;
    }
    this.isSlicing = false;
  }
}

/** Returns the error of a call after `dispose`. @param {string} name */
const disposedError = (name) => new BackendError(`${name}: this pool has been disposed of`);
