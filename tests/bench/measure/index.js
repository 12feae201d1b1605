// Every measurement by name. Each runs in a separate process or page, in Node and browsers alike.

/** @import { Part } from './results.js' */

/** @typedef {'shares' | 'pictures' | 'edges' | 'duels' | 'training' | 'startUp' | 'firstCall' | 'memory' | 'pageFault' | 'pool'} MeasurementName */

const MEASUREMENTS = {
  shares: () => import('./shares.js'),
  pictures: () => import('./pictures.js'),
  edges: () => import('./edges.js'),
  duels: () => import('./duels.js'),
  training: () => import('./training.js'),
  startUp: () => import('./start-up.js'),
  firstCall: () => import('./first-call.js'),
  memory: () => import('./memory.js'),
  pool: () => import('./pool.js'),
  pageFault: () => import('./page-fault.js'),
};

/**
 * @param {MeasurementName} name
 * @param {any} options
 * @returns {Promise<Part[]>}
 */
export async function measure(name, options) {
  const { default: run } = await MEASUREMENTS[name]();
  return run(options);
}
