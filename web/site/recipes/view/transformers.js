// `output` is what a model gives that was exported with its attentions: a tensor a layer.
export function showAttention(figure, output, tokens) {
  const names = Object.keys(output).filter((name) => name.startsWith('attentions'));
  figure.weights = names.map((name) => output[name].tolist()); // [layers][1][heads][n][n]
  figure.tokens = tokens;
}

// The same as a file, for `src` or to keep.
export function toFile({ weights, tokens }) {
  return new Blob([JSON.stringify({ weights, tokens })], { type: 'application/json' });
}
