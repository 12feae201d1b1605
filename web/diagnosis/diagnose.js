/**
 * A diagnosis of attention for when training is unstable: how queries, keys and weights of each head
 * are spread, and what stands out. Sums are float64.
 */
import { explained, UNEXPLAINED, withDuplicates } from './hint.js';
import { measurePairs } from './pairs.js';
import { measureWeights } from './weights.js';
import { reject } from '../attention/errors.js';
import { readInputs } from '../attention/heads.js';
import { expectKnown, pick, readEntries, readInteger } from '../attention/options.js';
import { isOpen, readPadding, sees } from './padding.js';
import { readTensor } from '../attention/read.js';
import { OPTIONS, readSettings } from '../attention/settings.js';
import { rejectShape, showShape } from '../attention/shape.js';
import { nameOfScale, usedScale } from './used-scale.js';

/**
 * @import { ScoreOptions } from '../attention/attention.js'
 * @import { Cause, Finding, Numbers } from './hint.js'
 * @import { MeasuredPairs, Row } from './pairs.js'
 * @import { MeasuredWeights, RowSum } from './weights.js'
 * @import { Inputs } from '../attention/heads.js'
 * @import { Settings } from '../attention/settings.js'
 * @import { Span } from '../attention/structs.js'
 * @import { TensorLike } from '../attention/tensor.js'
 */

/**
 * The diagnosis of a head. Means are over the queries that may attend to two keys or more, and NaN
 * where there is none. Deviations are within a query: what all keys share moves no weight. A query's own place
 * is the key of its number, or, where queries are fewer than keys, of the last of them.
 *
 * @typedef {object} Diagnosis
 * @property {number} batch the item
 * @property {number} head its head
 * @property {number} [dotDeviation] standard deviation of q·k over the pairs that may attend; this and
 *   the next ones up to largestScore are there for queries and keys only
 * @property {number} [scoreDeviation] standard deviation of the scaled scores: the product of the next three
 * @property {number} [scaleShare] c·√d_k: 1 for 1/√d_k
 * @property {number} [entryShare] σ_q·σ_k: root of the mean square of the entries of queries, times that of the
 *   entries of keys from their mean
 * @property {number} [alignment] deviation of q·k over √d_k·σ_q·σ_k: 1 for independent entries
 * @property {number} [predictedDeviation] scoreDeviation over all pairs, by `scoreMoments` of queries and of keys from
 *   their mean
 * @property {number} [effectiveDimension] that of `scoreMoments`, of the same
 * @property {number} [correlation] mean cosine of a query and the key of its own place, if that is not hidden, from the
 *   mean of the keys
 * @property {number} [largestScore] the largest score that softmax sees
 * @property {number} [largestDot] the largest |q·k|, where it is beyond float16
 * @property {number} [usedScale] c, the factor of the scores: of weights beside queries and keys by least squares, else
 *   as given; not for 'cosine'
 * @property {string} [usedScaleName] `'1/√d_k'`, `'1'`, `'1/d_k'`, `'1/√d_model'`, `'T = 0.25'` for a temperature of
 *   1/√d_k, and the like
 * @property {number} [usedScaleResidual] the share of the variance of ln p that no factor explains; above 0.02 usedScale
 *   has no name. This is there for weights beside queries and keys
 * @property {number} entropyRatio entropy of the weights over ln n, where n keys may be attended to: from
 *   0, one key, to 1, uniform
 * @property {number} effectiveKeys 1/Σp², of weights p brought to a sum of 1
 * @property {number} jacobianTrace Σp − Σp²: how much gradient passes softmax
 * @property {number} firstWeight weight on the first key that is not hidden
 * @property {number} previousWeight weight on the key before the query's own
 * @property {number} selfWeight weight on the query's own place
 * @property {number} nextWeight weight on the next key
 * @property {number} laterWeight weight on all later keys
 * @property {{ key: number, weight: number }} largestKey the key that gets most, and its mean weight over all queries
 *   that see a key; −1 where there is none
 * @property {number} emptyRows how many queries may attend to no key, or have only weights of 0; padding is none of them
 * @property {RowSum} [rowSum] mean, spread (standard deviation) and largest of the sums of rows, of weights that are given
 * @property {number} [paddingWeight] mean weight on padding, where weights and attentionMask are given
 * @property {number} [oddRow] the first row that is not of weights
 * @property {number} [duplicateOf] of a head whose weights are those of one before it: the index of that one
 * @property {number} fingerprint a number of the weights, equal for equal weights, by which duplicates are found
 * @property {'frozen' | 'sharp' | 'spread' | 'uniform' | 'undefined'} verdict as `diagnose` describes it
 * @property {Cause} cause a name for the hint, for programs and translations: the first of causes
 * @property {Cause[]} causes all that stands out, the most urgent first
 * @property {string} hint a sentence on each, or that nothing stands out
 */

/**
 * @typedef {object} DiagnoseOptions
 * @property {TensorLike | readonly boolean[]} [attentionMask] [n_k] or [b, n_k], as of a tokenizer, 0 for padding, which
 *   counts neither as key nor as query
 * @property {number} [dModel] for the name of a scale of 1/√d_model
 */

/**
 * Weights, alone or with the queries and keys that they were made of; the options of `diagnose` tell which keys a query
 * may see. Fields of what `readAttention` returns are allowed beside them.
 *
 * @typedef {{ weights: TensorLike, query?: TensorLike, key?: TensorLike } & ScoreOptions & DiagnoseOptions} GivenWeights
 */

/** Effective keys beyond this share of all: scores have a deviation below 1/3. */
const UNIFORM = 0.9;
/** Of 1 − 1/n, the most that the trace of the Jacobian can be. */
const FROZEN = 0.5;
/** Of ln n: the entropy of √n equal weights. */
const SHARP = 0.5;
const CALLER = 'diagnose';
/** The options of queries and keys. */
const KNOWN = [...OPTIONS, 'attentionMask', 'dModel'];
/** What may stand beside weights. */
const BESIDE = [
  'weights',
  'query',
  'key',
  'tokens',
  'keyTokens',
  'step',
  'loss',
  'name',
  'grid',
  'layerScales',
  'texts',
  ...KNOWN,
];

/**
 * Diagnoses each head of attention by its queries and keys, by its weights alone, or by all of them.
 *
 * The verdict follows from the weights. Those of n independent scores of deviation σ condense on few keys
 * at σ_c = √(2 ln n) (Derrida, "Random-energy model", 1981). 'uniform': effective keys, n·e^(−σ²) for
 * small σ, are above 0.9 n, so that σ is below 1/3 at any n. 'frozen': the mean trace of the Jacobian is
 * below half of 1 − 1/n, which σ = 1.5 σ_c gives for n from 8 to 4096; a typical query passes hardly any
 * gradient. 'sharp': the entropy is below half of ln n, that of √n equal weights, from about σ_c on.
 * 'spread': all others, among them σ = 1, where 1/√d_k begins. 'undefined': queries see NaN, or have no
 * choice, or q·k is beyond float16. A trained head may be sharp or frozen for good reason: one that has learned
 * to look back shows it in previousWeight. Such a pattern is a finding, no alarm.
 *
 * The scores of a head vary by σ = c·√d_k × σ_q·σ_k × alignment: the hint names the largest of the three where σ
 * is large, and the scale c wherever it is not 1/√d_k. Of weights beside queries and keys, c follows by least squares.
 *
 * Of weights alone, keys that get no weight are taken for hidden, and a head whose queries have weight 0 on all
 * later keys for causal. Rows that are negative somewhere or do not sum to 1 are no weights: the hint says so.
 *
 * Cost: three products of queries and keys and 2·n_q·n_k exponentials, no matrix of n_q × n_k. Error: that of
 * `attentionStatistics`.
 *
 * @template {TensorLike | undefined} [K=undefined]
 * @param {GivenWeights | (K extends undefined ? never : TensorLike)} query [n_q, d_k], [h, n_q, d_k] or [b, h, n_q, d_k]; or
 *   `{ weights }` of [n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k], alone or with query and key, and options
 * @param {K} [key] [n_k, d_k], [g, n_k, d_k] or [b, g, n_k, d_k]
 * @param {ScoreOptions & DiagnoseOptions} [options] those of `attentionScores`, attentionMask and dModel; returns and
 *   into are without effect
 * @returns {Diagnosis[]} one a head, item after item
 * @throws {ShapeError | DTypeError | CapacityError | BackendError}
 * @example
 * const [q, k] = [1, 2].map((seed) => randomNormal([64, 64], { seed }));
 * diagnose(q, k)[0].verdict; // 'spread'
 * const [unscaled] = diagnose(q, k, { scale: 1 });
 * unscaled.verdict; // 'frozen'
 * unscaled.hint.split(',')[1]; // ' 8.0 times 1/√d_k'
 * const { weights } = attentionScores(q, k, { scale: 1 / 64, returns: 'weights' });
 * diagnose({ weights, query: q, key: k })[0].usedScaleName; // '1/d_k'
 */
export function diagnose(query, key, options) {
  if (key === undefined && hasWeights(query)) return diagnoseWeights(query);
  if (key === undefined && query !== undefined) {
    reject(CALLER, 'key', key, 'a tensor; for weights alone call diagnose({ weights })');
  }
  return diagnoseScores(query, key, options);
}

/** Returns whether weights are given. @param {any} query @returns {query is GivenWeights} */
const hasWeights = (query) => query?.weights !== undefined;

/**
 * Reads the options of queries and keys, or of weights.
 *
 * @param {Pick<Inputs, 'lead' | 'batch' | 'heads' | 'nQ' | 'nK' | 'dK'>} inputs
 * @param {Record<string, unknown>} given
 */
function readGiven(inputs, given) {
  const { attentionMask, dModel } = given;
  const settings = readSettings(
    CALLER,
    inputs,
    { ...given, returns: undefined, into: undefined },
    [],
    KNOWN,
  );
  const padding = readPadding(CALLER, attentionMask, inputs);
  const isFree = settings.scoring.spans.every(({ left, right }) => left < 0 && right < 0);
  if (isFree && (given.offset ?? null) === null) {
    // Queries that are fewer than keys are the last of them, as after a cache.
    const offset = Math.max(0, inputs.nK - inputs.nQ);
    settings.scoring.spans = settings.scoring.spans.map((span) => ({ ...span, offset }));
  }
  const model = dModel === undefined ? undefined : readInteger(CALLER, 'dModel', dModel, 1);
  return { settings, padding, dModel: model };
}

/** Diagnoses given weights. @param {GivenWeights} given @returns {Diagnosis[]} */
function diagnoseWeights(given) {
  const { weights, query, key, ...beside } = given;
  const { data, shape } = readTensor(CALLER, 'weights', weights);
  if (shape.length < 2 || shape.length > 4) {
    rejectShape(CALLER, 'weights', shape, '[n_q, n_k], [h, n_q, n_k] or [b, h, n_q, n_k]');
  }
  expectKnown(CALLER, given, BESIDE);
  const [batch, heads, nQ, nK] = [1, 1, ...shape].slice(-4);
  const pair = query === undefined || key === undefined ? undefined : { query, key };
  const inputs = pair && readInputs(CALLER, pair.query, pair.key, null, 'dot');
  const sizes = inputs ?? { lead: shape.slice(0, -2), batch, heads, nQ, nK, dK: 1 };
  const expected = [...sizes.lead, sizes.nQ, sizes.nK];
  if (showShape(expected) !== showShape(shape)) {
    rejectShape(CALLER, 'weights', shape, `${showShape(expected)} of query and key`);
  }
  const { settings, padding, dModel } = readGiven(sizes, pick(beside, KNOWN));
  const { spans } = settings.scoring;
  const isDeclared = settings.mask !== null || spans.some((span) => limits(span, nK));
  const measured = [...Array(batch * heads).keys()].map((index) => {
    const item = Math.floor(index / heads);
    return measureWeights(data.subarray(index * nQ * nK, (index + 1) * nQ * nK), nK, {
      sees: isDeclared ? (i, j) => sees(spans[item], settings.mask, index, i, j) : undefined,
      keep: padding?.[item],
    });
  });
  // One head with zeros in the right places proves nothing.
  const triangular = measured.filter(({ isTriangular }) => isTriangular).length;
  const isCausal = spans.some(({ right }) => right === 0) || 2 * triangular > measured.length;
  if (isCausal && !isDeclared) {
    const offset = Math.max(0, nK - nQ);
    settings.scoring.spans = spans.map((span) => ({ ...span, offset, right: 0 }));
  }
  const pairs = inputs && measurePairs(CALLER, inputs, settings, padding);
  const isOpenMask = isOpen(settings.mask);
  return finished(
    measured.map((head, index) => {
      const { rowSum, oddRow, paddingWeight, fingerprint, isShifted } = head;
      const pair = pairs?.[index];
      const isNaN = head.hasNaN || Boolean(pair?.hasNaN);
      const made = inputs && pair && madeOf(inputs, settings, { data, index, dModel, head, pair });
      return {
        ...placeOf(index, heads),
        ...made,
        ...averageOf(head),
        rowSum,
        ...(padding ? { paddingWeight } : {}),
        ...(oddRow === undefined ? {} : { oddRow }),
        fingerprint,
        finding: {
          fault: isNaN ? faultOf(pair) : head.fault,
          isCausal: isCausal || isShifted,
          isOpenMask,
        },
      };
    }),
  );
}

/** Returns whether a span hides a key from some query. @param {Span} span @param {number} nK */
const limits = ({ left, right, keyCount }, nK) => left >= 0 || right >= 0 || keyCount < nK;

/**
 * Returns how the scores behind given weights are spread, with the factor that made these.
 *
 * @param {Inputs} inputs
 * @param {Settings<any>} settings
 * @param {{ data: Float32Array, index: number, dModel?: number, head: MeasuredWeights, pair: MeasuredPairs }} of
 */
function madeOf(inputs, settings, { data, index, dModel, head, pair }) {
  const { heads, kvHeads, nQ, nK, dK } = inputs;
  const group = Math.floor((index * kvHeads) / heads);
  const part = (
    /** @type {Float32Array} */ all,
    /** @type {number} */ at,
    /** @type {number} */ size,
  ) => all.subarray(at * size, (at + 1) * size);
  const found = usedScale(
    {
      weights: part(data, index, nQ * nK),
      query: part(inputs.query, index, nQ * dK),
      key: part(inputs.key, group, nK * dK),
      dK,
    },
    head.sees,
  );
  if (!found || settings.cosine) return spreadAt(pair, settings.scoring.factor, dK);
  const isExplained = found.residual <= UNEXPLAINED;
  const layer = Math.floor(index / heads);
  const sizes = { dK, heads, layer, dModel };
  return {
    ...spreadAt(pair, isExplained ? found.scale : settings.scoring.factor, dK),
    usedScale: found.scale,
    usedScaleName: isExplained ? nameOfScale(found.scale, sizes) : undefined,
    usedScaleResidual: found.residual,
  };
}

/**
 * Diagnoses queries and keys.
 *
 * @param {unknown} query a TensorLike
 * @param {unknown} key a TensorLike
 * @param {unknown} options
 * @returns {Diagnosis[]}
 */
function diagnoseScores(query, key, options) {
  const inputs = readInputs(CALLER, query, key, null, 'dot');
  const { heads, dK } = inputs;
  const { settings, padding, dModel } = readGiven(inputs, readEntries(CALLER, options));
  const { factor } = settings.scoring;
  const isOpenMask = isOpen(settings.mask);
  return finished(
    measurePairs(CALLER, inputs, settings, padding).map((head, index) => {
      const sizes = { dK, heads, layer: Math.floor(index / heads), dModel };
      const named = { usedScale: factor, usedScaleName: nameOfScale(factor, sizes) };
      const isOff = head.hasNaN || head.largestDot !== undefined;
      return {
        ...placeOf(index, heads),
        ...spreadAt(head, factor, dK),
        ...(settings.cosine ? {} : named),
        ...averageOf(head),
        fingerprint: head.fingerprint,
        finding: { fault: isOff ? faultOf(head) : undefined, isOpenMask },
      };
    }),
  );
}

/** Returns why there are no weights. @param {MeasuredPairs} [pair] @returns {Cause} */
const faultOf = (pair) => (pair?.largestDot === undefined ? 'notANumber' : 'overflow16');

/** Returns the place of a head. @param {number} index over the whole batch @param {number} heads */
const placeOf = (index, heads) => ({ batch: Math.floor(index / heads), head: index % heads });

/**
 * Returns how scores of a factor are spread.
 *
 * @param {MeasuredPairs} pair
 * @param {number} factor
 * @param {number} dK
 */
function spreadAt({ spread, largestDot }, factor, dK) {
  return {
    ...spread,
    scoreDeviation: Math.abs(factor) * spread.dotDeviation,
    predictedDeviation: Math.abs(factor) * spread.predictedDeviation,
    scaleShare: factor * Math.sqrt(dK),
    ...(largestDot === undefined ? {} : { largestDot }),
  };
}

/**
 * Averages over the rows whose queries see two keys or more, and counts those that see none.
 *
 * @param {Pick<MeasuredPairs, 'rows' | 'received' | 'counted'>} head
 */
function averageOf({ rows, received, counted }) {
  const some = rows.filter(({ keys }) => keys > 1);
  const mean = (/** @type {keyof Row} */ name) =>
    some.reduce((total, row) => total + row[name], 0) / some.length;
  const key = received.reduce((best, weight, j) => (weight > received[best] ? j : best), 0);
  return {
    keys: mean('keys'),
    entropyRatio: mean('entropyRatio'),
    effectiveKeys: mean('effectiveKeys'),
    jacobianTrace: mean('jacobianTrace'),
    firstWeight: mean('firstWeight'),
    previousWeight: mean('previousWeight'),
    selfWeight: mean('selfWeight'),
    nextWeight: mean('nextWeight'),
    laterWeight: mean('laterWeight'),
    largestKey: counted ? { key, weight: received[key] / counted } : { key: -1, weight: NaN },
    emptyRows: rows.filter(({ keys }) => keys === 0).length,
  };
}

/**
 * Adds verdicts, and what stands out.
 *
 * @param {(Omit<Numbers, 'verdict'> & { keys: number, finding: Finding })[]} heads
 * @returns {Diagnosis[]}
 */
const finished = (heads) =>
  withDuplicates(
    heads.map(({ keys, finding, ...numbers }) => {
      const verdict = verdictOf(numbers, keys, finding);
      return explained({ ...numbers, verdict }, finding);
    }),
  );

/**
 * Returns the verdict on a head.
 *
 * @param {Omit<Numbers, 'verdict'>} numbers
 * @param {number} keys that a query sees, on average
 * @param {Finding} finding
 * @returns {Diagnosis['verdict']}
 */
function verdictOf({ effectiveKeys, jacobianTrace, entropyRatio }, keys, { fault }) {
  if (fault === 'notANumber' || fault === 'overflow16') return 'undefined';
  if (Number.isNaN(entropyRatio)) return fault ? 'spread' : 'undefined';
  if (!(effectiveKeys <= UNIFORM * keys)) return 'uniform';
  if (jacobianTrace < FROZEN * (1 - 1 / keys)) return 'frozen';
  return entropyRatio < SHARP ? 'sharp' : 'spread';
}
