import { Pool } from '../../../web/parallel/pool.js';

/**
 * Returns a pool whose workers do every call, however small, in as many parts as `parts.count` says.
 * @param {number} workers
 */
export function eagerPool(workers) {
  const parts = { count: 1 };
  /** @type {Omit<Pool, 'call'> & { call: (name: string, args: unknown[]) => Promise<any> }} */
  const pool = new Pool(workers, 'auto');
  pool.isSmall = () => false;
  pool.countOf = () => parts.count;
  return { pool, parts };
}
