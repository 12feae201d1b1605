/**
 * A training and all that its model computes, as one hash: every engine has to give the same. Runs unbundled in
 * a page.
 */

/** @typedef {typeof import('../../../web/language/index.js')} Language */

/** @param {Language} language @param {number} steps @returns {Promise<string>} */
export async function hashTraining(language, steps) {
  const { attentionOf, characters, createModel, createTrainer, generate, logits, save } = language;
  const text = 'A rose is a rose is a rose. '.repeat(20);
  const tokenizer = characters(text);
  const tokens = tokenizer.encode(text);
  const sizes = { vocabulary: tokenizer.pieces.length, context: 13, dModel: 20, heads: 2, dKey: 7 };
  const trainer = createTrainer(createModel({ ...sizes, seed: 4 }), {
    learningRate: 0.01,
    warmUp: 3,
  });
  /** @type {number[]} */
  const losses = [];
  const onProgress = (
    /** @type {{ loss: number, gradientNorm: number }} */ { loss, gradientNorm },
  ) => losses.push(loss, gradientNorm);
  await trainer.train(tokens, { steps, batch: 3, onProgress });
  const { model } = trainer;
  trainer.dispose();
  const batch = [tokens.slice(0, 13), tokens.slice(20, 33)];
  const written = generate(model, 'A rose', { tokenizer, length: 30, seed: 5 });
  let hash = 0x811c9dc5;
  const add = (/** @type {Uint8Array} */ bytes) => {
    for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0; // FNV-1a
  };
  const addFloats = (/** @type {Float32Array | Float64Array} */ { buffer }) =>
    add(new Uint8Array(buffer));
  addFloats(Float64Array.from(losses));
  for (const { data } of Object.values(model.parameters)) addFloats(data);
  addFloats(logits(model, batch).data);
  for (const layer of attentionOf(model, batch)) {
    for (const { data } of Object.values(layer)) addFloats(data);
  }
  add(save(model, { bits: 8 }));
  add(new TextEncoder().encode(written));
  return hash.toString(16);
}
