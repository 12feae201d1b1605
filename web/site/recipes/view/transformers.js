// `output` is what a model gives that has its attentions among its outputs: a tensor a layer, of classifiers in a list.
const weightsOf = ({ attentions, ...output }) => {
  const names = Object.keys(output).filter((name) => name.startsWith('attentions'));
  const layers = attentions ?? names.map((name) => output[name]);
  return layers.map((layer) => layer.tolist()); // [layers][1][heads][n][n]
};

export function showAttention(figure, output, tokens) {
  Object.assign(figure, { weights: weightsOf(output), tokens });
}

// The same of several checkpoints: `outputs` has what each gives for the same text, by its step.
export function showTraining(figure, outputs, tokens) {
  const steps = Object.entries(outputs).map(([step, output]) => ({
    step,
    weights: weightsOf(output),
  }));
  Object.assign(figure, { series: steps, tokens });
}

// The same as a file, for `src` or to keep.
export function toFile({ weights, tokens }) {
  return new Blob([JSON.stringify({ weights, tokens })], { type: 'application/json' });
}
