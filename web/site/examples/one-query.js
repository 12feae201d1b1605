import { attention, describe, randomNormal } from 'attention-lab';

for (const d of [32, 128, 512]) {
  const query = randomNormal([1, d], { seed: 1 });
  const keys = randomNormal([8, d], { seed: 2 });
  for (const scale of [1, 1 / Math.sqrt(d)]) {
    const { weights } = attention(query, keys, keys, { scale, returns: ['weights'] });
    const { min, max } = describe(weights);
    console.log(d, scale.toFixed(3), min.toExponential(1), max.toFixed(4));
  }
}
