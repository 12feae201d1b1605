// The words of <attn-language> in English.

import { heads } from '../../common/en/heads.js';
import { startWords } from '../../common/en/starts.js';
import { shared } from '../../kit/state/en/words.js';
import { factors } from '../../kit/state/words.js';

export const words = {
  ...shared,
  name: 'What training makes of the scale',
  hints: {
    text: 'The old man looked out upon the sea, and the sea looked back at the old man.',
    trainText:
      'Paste a long text, up to 300,000 characters, else the beginning of Moby-Dick is read; it stays on this device.',
  },
  fields: {
    ...shared.fields,
    step: 'training step',
    head: 'head',
    variant: 'factor and values',
    text: 'sentence',
    trainText: 'text to train on',
    steps: 'steps to train here',
  },
  options: {
    ...shared.options,
    ...startWords.options,
    fixed: 'a fixed factor',
    learned: 'a factor each head learns',
    norm: 'normalised queries and keys',
    keys: 'keys as values',
    'keys-norm': 'normalised, keys as values',
    ours: 'our choice',
    ...heads,
  },
  start: 'Before training, q·k of {head} on real text has σ = {deviation}, close to √d_k = {root}',
  title:
    'After {step} steps σ(q·k) of {head} is {deviation}, {ratio} times that of independent entries; unscaled, the loss is {lag} higher',
  caption:
    '{runs} recorded runs of our own on Moby-Dick, {parameters} parameters each; the loss is in nats a token of held-out text. ' +
    'The weights in the sentence and q·k on held-out text are computed on your device from the parameters that the first run had after that step. A model this small is real, but no GPT. ' +
    'Your sentence stays on this device.',
  variantTitle: {
    learned:
      'Where a factor that heads learn starts decides: after {step} steps the loss is {sqrt} from 1/√d_k, {none} from 1',
    norm: 'Normalising queries and keys does not replace the root: without it the loss after {step} steps is {none}, with it {sqrt}',
    keys: 'Keys serve as values: the loss after {step} steps is {sqrt}',
    'keys-norm':
      'Normalised, with keys as values and the factor 1, as in global layers of Gemma 4, gains from 1: the loss after {step} steps is {none}',
  },
  variantCaption:
    '{runs} recorded runs of our own on Moby-Dick; the loss is in nats a token of held-out text. ' +
    'The moments of all queries and keys predict σ(q·k), which is measured over the pairs that a causal head sees; d_eff = tr(M_q)·tr(M_k)/tr(M_q·M_k). ' +
    'Where there are gains, the factor is multiplied by the mean of their products.',
  variantNote:
    'Thin lines: each head of each seed. Dots: {head} of the first seed that began with {start}.',
  trainingTime: 'The button trains two here, with the root and without, in about {time}.',
  factorPanel: 'Factor of the scores',
  dimensionPanel: 'Effective dimension d_eff',
  spreadPanel: 'σ(q·k) of each head, step {step}',
  variantPanels: { lossPanel: 'Held-out loss', entropyPanel: 'Entropy / ln n' },
  starts: { sqrt: factors.sqrt, none: '1', linear: factors.linear },
  predictedAxis: 'predicted by d_eff',
  law: 'the law',
  predicted: 'σ(q·k); by d_eff',
  dimension: 'd_eff; independent entries',
  startLabel: { sqrt: 'Began with 1/√d_k', none: 'Began with 1', linear: 'Began with 1/d_k' },
  attentionPanel: 'Weights of {head}, step {step}',
  attentionNote: 'row: the word that looks; column: where it looks',
  scoresPanel: 'Density of q·k at step {step}',
  lossPanel: 'Held-out loss',
  trainedPanel: 'Loss in training, on this device',
  trainedTitle:
    'Trained on this device: after {step} steps the loss is {scaled} with the scale and {none} without',
  written: '{scale}, after {step} steps it writes: “{text}”.',
  lost: 'Models this small know 255 characters, the most frequent of your text; {share} of it are others, which they read as □.',
  othersRecorded: 'The other panels are of the recorded runs.',
  rolePanel: 'Most weight on the token before',
  entropyPanel: 'Entropy / ln n, mean of heads',
  logitPanel: 'Largest score',
  stepAxis: 'step',
  place: 'place of the word',
  run: '{scale}, seed {seed}',
  dotAxis: 'q·k',
  folk: 'N(0, d_k)',
  short: shared.curves,
  scaleLabel: { ...shared.curves, none: 'Unscaled' },
  headLabel: '{head}, step {step}',
  independent: 'σ(q·k); independent entries',
  root: 'σ(q·k); entries N(0, 1)',
  startAs: 'law',
  differenceAs: 'change',
  headEntropy: 'entropy / ln n',
  headLogit: 'largest score c·q·k',
  headRole: 'weight on the token before',
  middle: 'loss, median of the seeds',
  startCosts: 'What leaving 1/√d_k out costs after 1500 steps, by start',
  least: 'least',
  most: 'largest',
  cut: 'Only the beginning of the sentence is shown.',
  kept: 'Of this scale only the first and the last parameters were kept: weights and q·k are those of step {shown}.',
  note: 'Thin lines: each seed. Dots: {head} of the first seed.',
};
