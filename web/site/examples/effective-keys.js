import { attention, describe, effectiveKeys, randomNormal } from 'attention-lab';

const query = randomNormal([64, 512], { seed: 1 });
const key = randomNormal([64, 512], { seed: 2 });
for (const scale of [1, 1 / Math.sqrt(512)]) {
  const { weights } = attention(query, key, key, { scale, returns: ['weights'] });
  console.log(scale.toFixed(3), describe(effectiveKeys(weights)).mean.toFixed(1));
}
