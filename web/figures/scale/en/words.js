// The words of <attn-scale> in English.

import { scaleWords } from '../../common/en/scales.js';
import { startWords } from '../../common/en/starts.js';

export const words = {
  ...scaleWords,
  name: 'Which factor, at which d_k',
  fields: { ...scaleWords.fields, rho: 'alignment ρ', start: startWords.field },
  options: { ...scaleWords.options, ...startWords.options },
  title:
    'With the factor {factor} random keys keep {entropy} of the maximum entropy at d_k = {dK}; ' +
    'one key of {keys} aligned by ρ = {rho} can expect {weight} of the weight',
  gates:
    'With {factor} random keys keep {entropy} of the maximum entropy at d_k = {dK}; ' +
    'one key aligned by ρ = {rho} can expect a gate of {weight}, the other {others} together {rest}',
  caption:
    'Entries of q and k are iid N(0, {variance}) ({start}); the aligned key is ρq + √(1 − ρ²)ε with ε like another k. ' +
    'Map: exact entropy of softmax(d_k⁻ᵅ q·k), dotted: where saturation begins, a deviation of √(2 ln n); marks: the choices at this d_k; cosine similarity counts as a dot product ' +
    'of vectors of norm √d_k. Dots: measured here, {queries} queries; lines: expectation. ' +
    'Triangles: heads of trained language models (recorded runs), by their entropy and, with the range over heads, by ' +
    'the mean ρ of their queries and keys. ' +
    'Right of ρ* = 1/√d_k the mean of q·k exceeds its deviation, and 1/d_k is the factor that keeps scores as they are.',
  panels: { map: 'map', alignment: 'one aligned key' },
  mapPanel: 'Entropy / ln n of random keys',
  freezing: 'saturation begins',
  weightPanel: 'Weight on the aligned key',
  rhoAxis: 'alignment ρ of query and key',
  weight: 'weight at ρ = {rho}',
  exponent: 'exponent α',
  crossing: 'ρ* = 1/√d_k',
  trained: 'Entropy / ln n of trained heads',
  trainedHeads: 'trained heads',
  trainedCorrelation: 'Mean ρ of trained heads; low and high: of single heads',
};
