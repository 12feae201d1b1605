/**
 * What stands out in a diagnosis: its causes, and a sentence about each. `<attn-view>` says the same in its
 * languages, with the same numbers.
 */

import { duplicatesAmong } from './duplicates.js';

/**
 * @import { Diagnosis } from './diagnose.js'
 */

/** The factor, up or down, within which two numbers count as equal. */
const NEAR = 1.25;
/** How far a factor may be from 1/√d_k by rounding. */
const SAME_SCALE = 0.02;
/** The least share of the weight that marks a head by one key. */
const MOST_WEIGHT = 0.5;
/** The share of weight on later keys that is a mark; an even head that sees all keys has half. */
const MOST_LATER = 2 / 3;
/** The least share on hidden keys that is no rounding. */
const LEAST_LEAK = 1e-4;
/** Weight on later keys and the own place above this share: the mask shows what it should hide. */
const INVERTED = 0.99;

/** Returns whether two numbers count as equal. @param {number} x @param {number} y */
const isNear = (x, y) => x < y * NEAR && x > y / NEAR;

/** The sentences in English. A cause has one of its own name, or one of several that begin with it. */
export const SENTENCES = {
  undefined: 'no query may attend to more than one key',
  notANumber:
    'there are NaN among what the queries see: training has diverged, or a row was masked throughout',
  overflow16:
    'products q·k reach {largestDot}, beyond 65504, the largest number of float16: there scores become infinite and weights NaN',
  unweighted: 'row {oddRow} has negative numbers or a sum above 1: are these scores, not weights?',
  columns:
    'columns sum to 1 and rows do not: was softmax taken over the queries, or are the weights transposed?',
  rowSums:
    'rows sum to {rowSum} on average: is a mask applied after softmax, is dropout on, or is there a sink?',
  rowSumsDropout:
    'rows sum to {rowSum} on average, some to more than 1: is dropout on, where model.eval() was meant?',
  padding: '{padding} of its weight is on padding: was the padding mask left out?',
  later:
    'it looks at later keys, with {later} of its weight: learned, or a leak where the next token is to be predicted',
  laterLeak:
    'it looks at later keys, with {later} of its weight, though it should not see them: does the mask leak?',
  laterInverted:
    'it looks at later keys, with {later} of its weight: is the mask the wrong way round?',
  unscaled:
    'the scale is 1, {times} times 1/√d_k, and scores have a deviation of {deviation} = √d_k: was 1/√d_k left out?',
  overscaled:
    'the scale is {scale}, {times} times 1/√d_k, and scores have a deviation of {deviation} = 1/√d_k: were they divided by d_k instead of √d_k?',
  scale: 'the scale is {scale}, {times} times 1/√d_k',
  scaleNamed: 'the scale is {scale}, {times} times 1/√d_k: it is {name}',
  scaleNone: 'the scale is {scale}, {times} times 1/√d_k: was 1/√d_k left out?',
  scaleTwice:
    'the scale is {scale}, {times} times 1/√d_k: it is 1/d_k, as of scores that are scaled twice',
  unexplained:
    'no factor makes these weights of these queries and keys: {residual} of the variance of ln p is left, as by a soft cap, a bias or positions that are added later',
  duplicate: 'its weights are those of head {duplicate}',
  previous: 'it looks at the key before, with {previous} of its weight: learned, as a rule',
  next: 'it looks at the next key, with {next} of its weight: learned, or a leak where the next token is to be predicted',
  self: 'it looks at its own place, with {self} of its weight',
  first: 'it rests on the first key, with {first} of its weight, as on a sink',
  oneKey: 'all queries look at key {oneKey}, with {oneWeight} of their weight, as at a sink',
  entries:
    'scores have a deviation of {deviation}, most of it by large entries of queries and keys: σ_q·σ_k is {entries}',
  alignment:
    'scores have a deviation of {deviation}, most of it by alignment: q·k varies {alignment} times as much as of independent entries, as in learned heads',
  few: 'few keys have nearly all the weight',
  mean: 'weights hardly differ: a mean of the values, whatever the query',
  openMask: 'its mask hides no key',
  none: 'nothing stands out',
};

/**
 * The causes, by the name that `Diagnosis.cause` gives them.
 *
 * @typedef {'undefined' | 'notANumber' | 'overflow16' | 'unweighted' | 'columns' | 'rowSums' | 'padding' | 'later'
 *   | 'unscaled' | 'overscaled' | 'scale' | 'unexplained' | 'duplicate' | 'previous' | 'next' | 'self' | 'first'
 *   | 'oneKey' | 'entries' | 'alignment' | 'few' | 'mean' | 'openMask' | 'none'} Cause
 */

/** @typedef {keyof typeof SENTENCES} Sentence */

/** What was measured of a head. @typedef {Omit<Diagnosis, 'cause' | 'causes' | 'hint'>} Numbers */

/**
 * What is known of a head beside its numbers.
 *
 * @typedef {object} Finding
 * @property {Cause} [fault] of numbers that are none, or of weights that are none
 * @property {boolean} [isCausal] whether later keys are hidden from the queries, or should be
 * @property {boolean} [isOpenMask] whether there is a mask that hides nothing
 */

/**
 * Adds to what was measured of a head what stands out, and the sentences about it.
 *
 * @param {Numbers} numbers
 * @param {Finding} finding
 */
export const explained = (numbers, finding) => told(numbers, causesOf(numbers, finding));

/** Adds causes and their sentences. @param {Numbers} numbers @param {Cause[]} causes @returns {Diagnosis} */
function told(numbers, causes) {
  const diagnosis = { ...numbers, cause: causes[0], causes };
  return { ...diagnosis, hint: hintOf(diagnosis) };
}

/**
 * Returns the sentences about a head in English.
 *
 * @param {Explained} diagnosis
 * @param {Names} [names]
 */
export const hintOf = (diagnosis, names) =>
  joined(
    sentencesOf(diagnosis, names).map(({ sentence, values }) =>
      SENTENCES[sentence].replace(/{(\w+)}/g, (_, name) => values[name]),
    ),
    '; ',
  );

/**
 * Joins sentences by semicolons; behind a question a new sentence begins, with a capital where the language has some.
 *
 * @param {readonly string[]} sentences
 * @param {string} semicolon with the space behind it, if there is one
 */
export const joined = (sentences, semicolon) =>
  sentences.reduce((text, next) =>
    /[?？]$/.test(text) ? text + semicolon.slice(1) + capitalised(next) : text + semicolon + next,
  );

/** Returns a sentence with a capital letter. @param {string} sentence */
export const capitalised = (sentence) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Causes beside which a duplicate is more urgent. @type {readonly Cause[]} */
const LESS = ['previous', 'next', 'self', 'first', 'oneKey', 'entries', 'alignment', 'few'];
/** Causes that a duplicate replaces. @type {readonly Cause[]} */
const NOTHING = ['mean', 'openMask', 'none'];

/**
 * Adds to heads that have the weights of another which one that is.
 *
 * @param {readonly Diagnosis[]} heads
 * @returns {Diagnosis[]}
 */
export function withDuplicates(heads) {
  const duplicates = duplicatesAmong(heads);
  return heads.map((head, i) => {
    const duplicateOf = duplicates[i];
    if (duplicateOf === undefined) return head;
    const others = head.causes.filter((each) => each !== 'duplicate' && !NOTHING.includes(each));
    const at = others.findIndex((each) => LESS.includes(each));
    others.splice(at < 0 ? others.length : at, 0, 'duplicate');
    return told({ ...head, duplicateOf }, others);
  });
}

/** Returns what stands out, the most urgent first. @param {Numbers} measured @param {Finding} finding @returns {Cause[]} */
function causesOf(measured, { fault, isCausal = false, isOpenMask = false }) {
  const { verdict } = measured;
  const leak = isLater(measured, isCausal) ? 'later' : undefined;
  if (verdict === 'undefined') return [fault ?? leak ?? 'undefined'];
  if (fault === 'unweighted' || fault === 'columns') return [fault];
  const isNarrow = verdict === 'frozen' || verdict === 'sharp';
  const pattern = patternOf(measured);
  const scale = scaleCause(measured, isNarrow);
  const share = isNarrow && !pattern ? largestShare(measured, scale) : undefined;
  const all = [
    fault,
    (measured.paddingWeight ?? 0) > LEAST_LEAK ? 'padding' : undefined,
    leak,
    share,
    scale,
    pattern,
  ];
  const found = /** @type {Cause[]} */ (all.filter((cause) => cause !== undefined));
  if (found.length > 0) return found;
  if (verdict === 'uniform') return ['mean'];
  return [isOpenMask && measured.laterWeight > 0 ? 'openMask' : 'none'];
}

/** Returns whether weight on later keys stands out. @param {Numbers} measured @param {boolean} isCausal */
const isLater = ({ laterWeight, nextWeight }, isCausal) =>
  isCausal ? laterWeight > LEAST_LEAK : laterWeight > MOST_LATER && nextWeight <= MOST_WEIGHT;

/** Returns the place that has most of the weight. @param {Numbers} measured @returns {Cause | undefined} */
function patternOf({ verdict, previousWeight, nextWeight, selfWeight, firstWeight, largestKey }) {
  if (verdict === 'uniform') return undefined;
  /** @type {[Cause, number][]} */
  const places = [
    ['previous', previousWeight],
    ['next', nextWeight],
    ['self', selfWeight],
    ['first', firstWeight],
    ['oneKey', largestKey.weight],
  ];
  const [[cause, weight]] = places.sort((a, b) => b[1] - a[1]);
  if (!(weight > MOST_WEIGHT)) return undefined;
  return cause === 'oneKey' && largestKey.weight - firstWeight < 0.05 ? 'first' : cause;
}

/** Returns the cause if the scale is not 1/√d_k. @param {Numbers} measured @param {boolean} isNarrow @returns {Cause | undefined} */
function scaleCause(measured, isNarrow) {
  const { verdict, usedScale, usedScaleName, usedScaleResidual = 0, scaleShare } = measured;
  const { scoreDeviation = NaN } = measured;
  if (usedScale === undefined || scaleShare === undefined) return undefined;
  if (usedScaleName === undefined && usedScaleResidual > UNEXPLAINED) return 'unexplained';
  if (Math.abs(scaleShare - 1) < SAME_SCALE) return undefined;
  const root = scaleShare / usedScale;
  if (isNarrow && usedScaleName === '1' && isNear(scoreDeviation, root)) return 'unscaled';
  const isUniform = verdict === 'uniform';
  if (isUniform && usedScaleName === '1/d_k' && isNear(scoreDeviation, 1 / root)) {
    return 'overscaled';
  }
  return 'scale';
}

/** The share of the variance of ln p from which no factor explains weights. */
export const UNEXPLAINED = 0.02;

/**
 * Returns which of the three that make the deviation of scores is the largest, if it is not the scale, which has a
 * sentence of its own.
 *
 * @param {Numbers} measured
 * @param {Cause | undefined} scale
 * @returns {Cause | undefined}
 */
function largestShare({ scaleShare, entryShare, alignment }, scale) {
  if (scaleShare === undefined || entryShare === undefined || alignment === undefined) return 'few';
  const largest = Math.max(Math.abs(scaleShare), entryShare, alignment);
  if (largest === Math.abs(scaleShare)) return scale ? undefined : 'few';
  return largest === entryShare ? 'entries' : 'alignment';
}

/** A diagnosis whose causes are known. @typedef {Omit<Diagnosis, 'cause' | 'hint'>} Explained */

/**
 * What heads by their place in the list, keys and rows are called.
 *
 * @typedef {{ head: (index: number) => string, key: (index: number) => string, row: (index: number) => string }} Names
 */

/** @type {Names} */
const NUMBERS = { head: String, key: String, row: String };

/**
 * Returns the sentences about a head, with their numbers.
 *
 * @param {Explained} diagnosis
 * @param {Names} [names] by default their numbers, from 0
 * @returns {{ sentence: Sentence, values: Record<string, string> }[]}
 */
export function sentencesOf(diagnosis, names = NUMBERS) {
  const { rowSum, largestKey } = diagnosis;
  const values = {
    largestDot: round(diagnosis.largestDot),
    oddRow: names.row(diagnosis.oddRow ?? -1),
    rowSum: round(rowSum?.mean),
    padding: percent(diagnosis.paddingWeight),
    later: percent(diagnosis.laterWeight),
    scale: plain(diagnosis.usedScale),
    times: round(diagnosis.scaleShare),
    name: diagnosis.usedScaleName ?? '',
    residual: percent(diagnosis.usedScaleResidual),
    duplicate: names.head(diagnosis.duplicateOf ?? -1),
    previous: percent(diagnosis.previousWeight),
    next: percent(diagnosis.nextWeight),
    self: percent(diagnosis.selfWeight),
    first: percent(diagnosis.firstWeight),
    oneKey: names.key(largestKey.key),
    oneWeight: percent(largestKey.weight),
    deviation: round(diagnosis.scoreDeviation),
    entries: round(diagnosis.entryShare),
    alignment: round(diagnosis.alignment),
  };
  return diagnosis.causes.map((cause) => ({ sentence: sentenceOf(cause, diagnosis), values }));
}

/** Returns the sentence of a cause. @param {Cause} cause @param {Partial<Diagnosis>} diagnosis @returns {Sentence} */
function sentenceOf(cause, { usedScaleName, laterWeight = 0, selfWeight = 0, rowSum }) {
  if (cause === 'rowSums' && rowSum && rowSum.largest > MOST_SUM) return 'rowSumsDropout';
  if (cause === 'later') {
    if (laterWeight <= MOST_LATER) return 'laterLeak';
    return laterWeight + selfWeight > INVERTED ? 'laterInverted' : 'later';
  }
  if (cause !== 'scale' || usedScaleName === undefined) return cause;
  if (usedScaleName === '1') return 'scaleNone';
  return usedScaleName === '1/d_k' ? 'scaleTwice' : 'scaleNamed';
}

/** The most that weights of a query sum to, also rounded to 8 bits. */
export const MOST_SUM = 1.01;

/** Writes a number with two digits, or as a whole number. @param {number} [x] */
const round = (x = NaN) => (Math.abs(x) < 100 ? x.toPrecision(2) : String(Math.round(x)));
/** Writes a number with three digits at most. @param {number} [x] */
const plain = (x = NaN) => String(Number(x.toPrecision(3)));
/** Writes a share. @param {number} [x] */
const percent = (x = NaN) =>
  x < 0.01 ? `${(100 * x).toPrecision(1)} %` : `${Math.round(100 * x)} %`;
