/**
 * What a head of roles.js has learned: where each adjective looks and which gradient could still move it, and
 * what the keys and the values of nouns tell apart.
 */
import { times } from '../shared/times.js';
import { dot, mean, share } from './statistics.js';
import { FOUND, lookAt, testSentences } from './roles.js';
import { batchOf } from './roles-language.js';

/**
 * @import { Model } from '../language/index.js'
 * @import { Tensor } from '../attention/index.js'
 * @import { LanguageModule } from './roles.js'
 * @import { NounKind, ToyLanguage } from './roles-language.js'
 */

/**
 * Where an adjective looks, over the sentences that end with it.
 * @typedef {object} AdjectiveRow
 * @property {string} adjective
 * @property {NounKind} kind of the nouns that it describes
 * @property {'noun' | 'other' | 'word'} top has the most weight: the described noun, the other one, or a word
 * @property {string} word that word; '' for a noun
 * @property {number} topWeight the mean weight on it
 * @property {number} nounWeight on the described noun, the mean
 * @property {boolean} found whether it looks most at the described noun, in more than 90 % of the sentences
 * @property {number} jacobianTrace 1 − Σp², the mean
 * @property {number} gradient norm of the gradient of these sentences that reaches W_Q
 */

/**
 * Measures where an adjective looks, in the sentences on which models are tested.
 * @param {LanguageModule} language
 * @param {Model} model
 * @param {ToyLanguage} toy
 * @param {string} adjective
 * @returns {AdjectiveRow}
 */
export function adjectiveRow(language, model, toy, adjective) {
  const sentences = testSentences(toy).filter(({ words, at }) => words[at] === adjective);
  const looks = lookAt(language, model, toy, sentences);
  /** @type {Map<string, number>} */
  const weightOn = new Map();
  looks.forEach(({ weights }, i) => {
    const { words, noun, other } = sentences[i];
    weights.forEach((weight, place) => {
      const name = place === noun ? 'noun' : place === other ? 'other' : `word ${words[place]}`;
      weightOn.set(name, (weightOn.get(name) ?? 0) + weight / sentences.length);
    });
  });
  const [name, topWeight] = [...weightOn].reduce((top, each) => (each[1] > top[1] ? each : top));
  const [top, word = ''] = name.split(' ');
  const { tokens, targets } = batchOf(toy, sentences);
  const { gradients } = language.lossGradient(model, tokens, targets);
  const squares = gradients['layers.0.queryWeight'].data.reduce((sum, x) => sum + x * x, 0);
  return {
    adjective,
    kind: sentences[0].kind,
    top: /** @type {AdjectiveRow['top']} */ (top),
    word,
    topWeight,
    nounWeight: weightOn.get('noun') ?? 0,
    found:
      share([...looks.keys()], (i) => {
        const { weights } = looks[i];
        return weights[sentences[i].noun] === Math.max(...weights);
      }) > FOUND,
    jacobianTrace: mean(looks.map(({ weights }) => 1 - weights.reduce((sum, p) => sum + p * p, 0))),
    gradient: Math.sqrt(squares),
  };
}

/** Returns w·wᵀ, a list of rows. @param {Tensor} w */
function productOfRows({ data, shape: [rows, columns] }) {
  const all = times(rows, (i) => data.subarray(i * columns, (i + 1) * columns));
  return all.map((a) => all.map((b) => dot(a, b)));
}

/**
 * Measures the matrix W_QᵀW_K by which tokens make scores. With σ its singular values, Σσ² is the trace of
 * A = W_Q W_Qᵀ W_K W_Kᵀ, and Σσ⁴ that of A².
 * @param {Model} model
 * @returns {{ size: number, directions: number }} size: √Σσ²; directions: (Σσ²)²/Σσ⁴, which is m if m singular values
 *   are alike and the others 0
 */
export function scoreMatrix({ parameters }) {
  const [query, key] = ['queryWeight', 'keyWeight'].map((name) =>
    productOfRows(parameters[`layers.0.${name}`]),
  );
  // Both are symmetric, so their rows are their columns.
  const product = query.map((row) => key.map((column) => dot(row, column)));
  const squares = product.reduce((sum, row, i) => sum + row[i], 0);
  const fourths = product.reduce(
    (sum, row, i) => sum + row.reduce((all, x, j) => all + x * product[j][i], 0),
    0,
  );
  return { size: Math.sqrt(squares), directions: squares ** 2 / fourths };
}

// ---- keys and values of nouns ------------------------------------------------------------------

/** The place of the first noun in every frame. */
const NOUN_PLACE = 2;
/** Turns of the iteration that finds two directions. */
const TURNS = 100;

/** @typedef {number[]} Vector */

/** Returns vectors less their mean. @param {readonly Vector[]} vectors */
function centred(vectors) {
  const middle = meanOf(vectors);
  return vectors.map((vector) => vector.map((x, i) => x - middle[i]));
}

/** Returns the mean of vectors. @param {readonly Vector[]} vectors @returns {Vector} */
const meanOf = (vectors) => vectors[0].map((_, i) => mean(vectors.map((vector) => vector[i])));

/**
 * Returns the coordinates of centred vectors in the two directions along which they vary most: the main
 * eigenvectors of their products, by orthogonal iteration. Equal entries would be mapped to 0, so it starts
 * from others.
 * @param {readonly Vector[]} vectors
 * @returns {[Vector, Vector]}
 */
function mainCoordinates(vectors) {
  const products = vectors.map((a) => vectors.map((b) => dot(a, b)));
  /** @type {Vector} */
  let first = vectors.map((_, i) => (i === 0 ? 2 : 1));
  /** @type {Vector} */
  let second = vectors.map((_, i) => (i % 2 === 0 ? 1 : -1));
  let [reach, secondReach] = [0, 0];
  for (let turn = 0; turn < TURNS; turn++) {
    const [ahead, beside] = [first, second].map((at) => products.map((row) => dot(row, at)));
    reach = Math.sqrt(dot(ahead, ahead));
    first = ahead.map((x) => x / reach);
    const along = dot(beside, first);
    const apart = beside.map((x, i) => x - along * first[i]);
    secondReach = Math.sqrt(dot(apart, apart));
    second = apart.map((x) => x / secondReach);
  }
  return [first.map((x) => x * Math.sqrt(reach)), second.map((x) => x * Math.sqrt(secondReach))];
}

/**
 * A noun on a map, in units of the nouns' root mean square distance from their mean.
 * @typedef {object} NounRow
 * @property {string} noun
 * @property {NounKind} kind
 * @property {number} x along the direction in which nouns differ most
 * @property {number} y along the second one
 *
 * @typedef {object} QueryRow the mean query of an adjective on the map of keys: the farther a noun lies in its
 *   direction, the higher it scores; in units of the queries' root mean square length
 * @property {string} adjective
 * @property {NounKind} kind of the nouns that it describes
 * @property {number} x
 * @property {number} y
 *
 * @typedef {object} NounMap
 * @property {NounRow[]} rows
 * @property {QueryRow[]} [queries]
 * @property {number} between share of the nouns' variance that lies between kinds, in all directions
 */

/**
 * Maps nouns.
 * @param {ToyLanguage} toy
 * @param {readonly Vector[]} vectors of the nouns, kind by kind, as their readers see them
 * @returns {NounMap}
 */
function mapOf({ kinds }, vectors) {
  const all = centred(vectors);
  const total = all.reduce((sum, x) => sum + dot(x, x), 0);
  const unit = Math.sqrt(total / all.length);
  // A sign is free: the first noun stands at the right, and above the middle.
  const axes = mainCoordinates(all).map((axis) =>
    axis.map((at) => (at / unit) * (axis[0] < 0 ? -1 : 1)),
  );
  let place = 0;
  let between = 0;
  const rows = kinds.flatMap(({ name, nouns }) => {
    const middle = meanOf(all.slice(place, place + nouns.length));
    between += nouns.length * dot(middle, middle);
    return nouns.map((noun) => {
      const row = { noun, kind: name, x: axes[0][place], y: axes[1][place] };
      place += 1;
      return row;
    });
  });
  return { rows, between: between / total };
}

/**
 * Places the mean queries of adjectives on the map of keys: the products of a query with the places of nouns are, as
 * nearly as two directions allow (in least squares), its scores.
 * @param {ToyLanguage} toy
 * @param {NounMap} map of the keys
 * @param {(adjective: string) => Vector} scoresOf the mean scores of an adjective's queries, by noun
 * @returns {QueryRow[]}
 */
function queriesOn({ kinds }, { rows }, scoresOf) {
  const axes = [rows.map(({ x }) => x), rows.map(({ y }) => y)];
  const queries = kinds.flatMap(({ name, adjectives }) =>
    adjectives.map((adjective) => {
      const scores = scoresOf(adjective);
      const [x, y] = axes.map((axis) => dot(scores, axis) / dot(axis, axis));
      return { adjective, kind: name, x, y };
    }),
  );
  const unit = Math.sqrt(mean(queries.map(({ x, y }) => x * x + y * y)));
  return queries.map((query) => ({ ...query, x: query.x / unit, y: query.y / unit }));
}

/**
 * Maps the nouns by their keys as the queries of adjectives see them (the scores that the keys get), and by
 * their values as the output reads them; and the queries among the keys.
 * @param {LanguageModule} language
 * @param {Model} model
 * @param {ToyLanguage} toy
 * @returns {{ keys: NounMap, values: NounMap }}
 */
export function nounMaps(language, model, toy) {
  const sentences = testSentences(toy);
  const { dKey } = model.config;
  /** Returns the vector of a place in each text. @type {(tensor: Tensor, places: readonly number[]) => Vector[]} */
  const vectorsAt = ({ data, shape }, places) =>
    places.map((place, text) => {
      const start = (text * shape[2] + place) * dKey;
      return [...data.subarray(start, start + dKey)];
    });
  const tokenOf = (/** @type {string} */ word) => toy.words.indexOf(word);
  const before = toy.frames[0].words.slice(0, NOUN_PLACE).map(tokenOf);
  const nouns = toy.kinds.flatMap((kind) => kind.nouns);
  const texts = nouns.map((noun) => [...before, tokenOf(noun)]);
  const [{ key, value }] = language.attentionOf(model, texts);
  const [{ query }] = language.attentionOf(model, batchOf(toy, sentences).tokens);
  const queries = centred(vectorsAt(query, sentences.map(({ at }) => at))); // prettier-ignore
  const { data: output } = model.parameters['layers.0.outputWeight'];
  const readers = times(output.length / dKey, (i) => output.subarray(i * dKey, (i + 1) * dKey));
  const places = nouns.map(() => NOUN_PLACE);
  const seenBy = (/** @type {readonly ArrayLike<number>[]} */ many, /** @type {Vector} */ vector) =>
    many.map((each) => dot(each, vector));
  const scores = vectorsAt(key, places).map((each) => seenBy(queries, each));
  const keys = mapOf(toy, scores);
  const scoresOf = (/** @type {string} */ adjective) =>
    scores.map((ofNoun) =>
      mean(ofNoun.filter((_, i) => sentences[i].words[sentences[i].at] === adjective)),
    );
  return {
    keys: { ...keys, queries: queriesOn(toy, keys, scoresOf) },
    values: mapOf(toy, vectorsAt(value, places).map((each) => seenBy(readers, each))), // prettier-ignore
  };
}
