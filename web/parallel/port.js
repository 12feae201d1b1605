/**
 * The other end of a worker: in Node the port of the parent, else the scope of the worker.
 *
 * @type {any}
 */
export const port =
  globalThis.process?.getBuiltinModule?.('node:worker_threads').parentPort ?? globalThis;
