/** Loads the worker of long experiments, from a separate file. */
export const loadWorker = () => import('./generated/worker.js');
