// The computation of the page in the browser and of the test in Node: one call of each kind, as bits.

/**
 * @param {typeof import('../../../web/attention/index.js')} lab
 * @returns {number[]} the results' float32 numbers as bits, one after another
 */
export function computeBits(lab) {
  const { randomNormal } = lab;
  const [x, y] = [1, 2].map((seed) => randomNormal([3, 40, 17], { seed }));
  const weight = (/** @type {number} */ seed, /** @type {number[]} */ ...shape) =>
    randomNormal(shape, { seed, std: 0.3 });
  const additive = {
    queryWeight: weight(3, 12, 17),
    keyWeight: weight(4, 12, 17),
    scoreWeight: weight(5, 12),
  };
  const layer = {
    queryWeight: weight(6, 16, 17),
    keyWeight: weight(7, 8, 17),
    valueWeight: weight(8, 8, 17),
    outputWeight: weight(9, 17, 16),
  };
  const heads = { heads: 4, kvHeads: 2 };
  const { dScale, ...gradients } = lab.attentionGradient(x, x, x, y, { similarity: 'cosine' });
  const results = [
    lab.attention(x, x, x, { causal: true }),
    gradients,
    { dScale: { data: Float32Array.of(dScale) } },
    lab.additiveAttention(x, x, x, additive),
    lab.additiveAttentionGradient(x, x, x, y, additive),
    lab.multiHeadAttention(x, layer, heads),
    lab.multiHeadAttentionGradient(x, layer, y, heads),
    { softmax: lab.softmax(x), half: lab.softmaxFloat16(x) },
  ];
  return results
    .flatMap((result) => Object.values(result))
    .flatMap(({ data }) => [...new Uint32Array(data.buffer)]);
}

/**
 * Computes attention and its gradient, as numbers, for a backend that need not give the same bits.
 *
 * @param {Pick<typeof import('../../../web/attention/index.js'),
 *   'attention' | 'attentionGradient' | 'randomNormal'>} lab
 * @returns {number[]}
 */
export function computeNumbers({ attention, attentionGradient, randomNormal }) {
  const [x, y] = [1, 2].map((seed) => randomNormal([40, 17], { seed }));
  const { output } = attention(x, x, x, { causal: true });
  const { dQuery, dKey, dValue } = attentionGradient(x, x, x, y);
  return [output, dQuery, dKey, dValue].flatMap(({ data }) => [...data]);
}
