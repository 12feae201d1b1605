// In workers; the program ends although the pool is not disposed of.
import { attention, randomNormal } from 'attention-lab';
import { createPool } from 'attention-lab/parallel';
import { key, query, value } from './answer.js';

const pool = createPool({ workers: 2 });
const x = randomNormal([2, 700, 32], { seed: 1 });
const [one, many] = [attention(x, x, x).output.data, (await pool.attention(x, x, x)).output.data];
if (pool.size !== 2) throw new Error(`the pool has ${pool.size} workers`);
if (!one.every((number, i) => number === many[i])) throw new Error('the pool has other bits');
console.log((await pool.attention(query, key, value)).output.data.join(' '));
