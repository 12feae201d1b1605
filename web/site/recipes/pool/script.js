import { randomNormal } from 'attention-lab';
import { createPool } from 'attention-lab/parallel';

const pool = createPool();
const [query, key, value] = [1, 2, 3].map((seed) => randomNormal([8, 1024, 64], { seed }));
const { output, weights } = await pool.attention(query, key, value, {
  causal: true,
  returns: ['weights'],
  signal: AbortSignal.timeout(60_000),
});
console.log(output.shape, weights.shape);
