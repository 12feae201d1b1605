/**
 * Byte pairs: learns which pairs of pieces become pieces, and applies them to words. Pieces are linked to their
 * neighbours and each pair knows its places, so a merge costs the places that it changes, however long their word is: a
 * Chinese text without spaces is a single word.
 */

/** Pairs as numbers: the first piece times this, and the second. */
const BASE = 2 ** 16;
/** Halves of bytes, the pieces below this one, are never merged. */
const FIRST_MERGED = 16;
const NONE = -1;

/** @typedef {{ pieces: number[], count: number }} Word */

/**
 * Pieces of words, one word after another.
 * @typedef {object} Chain
 * @property {Int32Array} pieces
 * @property {Int32Array} before  the place of the piece before each one in its word, or NONE
 * @property {Int32Array} after
 */

/**
 * Merges the most frequent pair of pieces until there are as many pieces as wanted, or no pair comes twice.
 * @param {Word[]} words
 * @param {number} first the number of pieces so far
 * @param {number} vocabulary the number wanted
 * @returns {[number, number][]}
 */
export function learnMerges(words, first, vocabulary) {
  const chain = chainOf(words.map(({ pieces }) => pieces));
  const counts = words.flatMap(({ pieces, count }) => pieces.map(() => count));
  /** @type {Map<number, { count: number, places: Set<number> }>} */
  const pairs = new Map();
  const add = (/** @type {number} */ place) => {
    const pair = pairAt(chain, place);
    if (pair === NONE) return;
    let entry = pairs.get(pair);
    if (!entry) pairs.set(pair, (entry = { count: 0, places: new Set() }));
    entry.count += counts[place];
    entry.places.add(place);
  };
  const remove = (/** @type {number} */ place) => {
    const entry = pairs.get(pairAt(chain, place));
    if (entry?.places.delete(place)) entry.count -= counts[place];
  };
  counts.forEach((_, place) => add(place));
  /** @type {[number, number][]} */
  const merges = [];
  for (let piece = first; piece < vocabulary; piece++) {
    const best = mostFrequent(pairs);
    if (best === undefined) break;
    for (const place of inOrder(pairs.get(best)?.places ?? [])) {
      if (pairAt(chain, place) !== best) continue; // its first piece has gone into the pair before
      for (const at of [chain.before[place], place, chain.after[place]]) remove(at);
      merge(chain, place, piece);
      for (const at of [chain.before[place], place]) add(at);
    }
    merges.push([Math.floor(best / BASE), best % BASE]);
  }
  return merges;
}

/** Links the pieces of words. @param {readonly (readonly number[])[]} words @returns {Chain} */
function chainOf(words) {
  const pieces = Int32Array.from(words.flat());
  const before = pieces.map((_, place) => place - 1);
  const after = pieces.map((_, place) => place + 1);
  let start = 0;
  for (const { length } of words) {
    if (length === 0) continue;
    before[start] = NONE;
    start += length;
    after[start - 1] = NONE;
  }
  return { pieces, before, after };
}

/** Returns the pair of a piece and the next one, or NONE. @param {Chain} chain @param {number} place */
function pairAt({ pieces, after }, place) {
  if (place === NONE || after[place] === NONE) return NONE;
  const [left, right] = [pieces[place], pieces[after[place]]];
  return left < FIRST_MERGED || right < FIRST_MERGED ? NONE : left * BASE + right;
}

/** Replaces a piece and the next one by another. @param {Chain} chain @param {number} place @param {number} piece */
function merge({ pieces, before, after }, place, piece) {
  const gone = after[place];
  pieces[place] = piece;
  after[place] = after[gone];
  if (after[gone] !== NONE) before[after[gone]] = place;
  after[gone] = NONE;
}

/** Returns places from left to right, the order of merging. @param {Iterable<number>} places */
const inOrder = (places) => [...places].sort((a, b) => a - b);

/**
 * Returns the most frequent pair that comes twice or more, the least one of equals. It forgets those that do not: a pair
 * becomes rarer with every merge after the one that made its pieces.
 * @param {Map<number, { count: number }>} pairs
 */
function mostFrequent(pairs) {
  /** @type {number | undefined} */
  let best;
  let most = 1;
  pairs.forEach(({ count }, pair) => {
    if (count < 2) pairs.delete(pair);
    else if (count > most || (count === most && best !== undefined && pair < best)) {
      best = pair;
      most = count;
    }
  });
  return best;
}

/**
 * Merges the pieces of a word, the earliest learned pair first. The pairs that a merge makes are learned later than
 * itself, so each pair is looked for once.
 * @param {number[]} pieces
 * @param {Map<number, number>} ranks the piece of each pair; later ones are larger
 * @returns {number[]}
 */
export function mergeWord(pieces, ranks) {
  const chain = chainOf([pieces]);
  /** The places of each merged piece to come. @type {Map<number, number[]>} */
  const places = new Map();
  const look = (/** @type {number} */ place) => {
    const piece = ranks.get(pairAt(chain, place));
    if (piece === undefined) return;
    const known = places.get(piece);
    if (known) known.push(place);
    else places.set(piece, [place]);
  };
  pieces.forEach((_, place) => look(place));
  while (places.size > 0) {
    let first = Infinity;
    for (const piece of places.keys()) first = Math.min(first, piece);
    for (const place of inOrder(places.get(first) ?? [])) {
      if (ranks.get(pairAt(chain, place)) !== first) continue;
      merge(chain, place, first);
      for (const at of [chain.before[place], place]) look(at);
    }
    places.delete(first);
  }
  /** @type {number[]} */
  const merged = [];
  for (let place = pieces.length > 0 ? 0 : NONE; place !== NONE; place = chain.after[place]) {
    merged.push(chain.pieces[place]);
  }
  return merged;
}
