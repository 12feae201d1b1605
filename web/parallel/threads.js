/**
 * Starts workers from text: web workers by a Blob, which needs no file and no header, or those of Node.
 * A policy that forbids them lets the constructor throw, or the worker fail before its first message.
 */
import { reason } from '../attention/errors.js';

/**
 * @typedef {object} Thread
 * @property {(message: unknown, transfers: ArrayBuffer[]) => void} post
 * @property {(isBusy: boolean) => void} hold keeps a program of Node alive while there is work
 * @property {() => void} end
 */

/** What receives messages, and the reason of a failure.
 *  @template Message
 *  @typedef {{ onMessage: (message: Message) => void, onFailure: (reason: string) => void }} Handlers */

/**
 * A worker of node:worker_threads.
 *
 * @typedef {object} NodeWorker
 * @property {(event: string, listener: (value: never) => void) => void} on
 * @property {(message: unknown, transfers: ArrayBuffer[]) => void} postMessage
 * @property {() => void} ref
 * @property {() => void} unref
 * @property {() => void} terminate
 */

/**
 * Returns a module of Node, undefined elsewhere and before Node 20.16.
 *
 * @template T
 * @param {string} name
 * @returns {T | undefined}
 */
const builtin = (name) =>
  /** @type {T | undefined} */ (globalThis.process?.getBuiltinModule?.(name));

/** Returns the number of threads that the machine runs side by side, 2 where it is unknown. @returns {number} */
export function concurrency() {
  /** @type {{ availableParallelism: () => number } | undefined} */
  const os = builtin('node:os');
  return globalThis.navigator?.hardwareConcurrency ?? os?.availableParallelism() ?? 2;
}

/**
 * Starts a worker.
 *
 * @template Message
 * @param {string} text of a classic script
 * @param {Handlers<Message>} handlers
 * @returns {Thread}
 * @throws if there are no workers here
 */
export function startThread(text, handlers) {
  // First those of Node, also in Deno and Bun: idle web workers would not let a program of Deno end.
  /** @type {{ Worker: new (text: string, options: object) => NodeWorker } | undefined} */
  const threads = builtin('node:worker_threads');
  if (threads) return startNodeWorker(threads.Worker, text, handlers);
  const WebWorker = Reflect.get(globalThis, 'Worker');
  if (!WebWorker) throw new Error('there are no workers here');
  return startWebWorker(WebWorker, text, handlers);
}

/** The policy that makes our addresses trusted. @type {{ createScriptURL: (url: string) => string } | undefined} */
let policy;

/**
 * Returns the address of our own text as one that a page with Trusted Types lets run; it refuses, where it
 * does not name the policy `attention-lab-worker`.
 *
 * @param {string} url
 */
function trusted(url) {
  policy ??= Reflect.get(globalThis, 'trustedTypes')?.createPolicy('attention-lab-worker', {
    createScriptURL: (/** @type {string} */ own) => own,
  });
  return policy?.createScriptURL(url) ?? url;
}

/**
 * Starts a web worker.
 *
 * @template Message
 * @param {typeof Worker} WebWorker
 * @param {string} text
 * @param {Handlers<Message>} handlers
 * @returns {Thread}
 */
function startWebWorker(WebWorker, text, { onMessage, onFailure }) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  const forget = () => URL.revokeObjectURL(url);
  try {
    const worker = new WebWorker(trusted(url));
    worker.onmessage = ({ data }) => {
      forget();
      onMessage(data);
    };
    worker.onmessageerror = () => onFailure('a message was lost');
    worker.onerror = (event) => {
      forget();
      event.preventDefault?.();
      onFailure(event.message ?? 'it was refused');
    };
    return {
      post: (message, transfers) => worker.postMessage(message, transfers),
      hold: () => {}, // a page stays as it is
      end: () => worker.terminate(),
    };
  } catch (thrown) {
    forget();
    throw thrown;
  }
}

/**
 * Starts a worker of Node.
 *
 * @template Message
 * @param {new (text: string, options: object) => NodeWorker} Worker
 * @param {string} text
 * @param {Handlers<Message>} handlers
 * @returns {Thread}
 */
function startNodeWorker(Worker, text, { onMessage, onFailure }) {
  const worker = new Worker(text, { eval: true, execArgv: [] });
  worker.on('message', onMessage);
  worker.on('messageerror', () => onFailure('a message was lost'));
  worker.on('error', (/** @type {unknown} */ error) => onFailure(reason(error)));
  worker.on('exit', (/** @type {number} */ code) => onFailure(`it ended with code ${code}`));
  return {
    post: (message, transfers) => worker.postMessage(message, transfers),
    hold: (isBusy) => (isBusy ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}
