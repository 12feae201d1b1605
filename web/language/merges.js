/**
 * Byte pairs: learns which pairs of pieces become pieces, and applies them to words. Counts are kept up to
 * date, so a merge costs the words that it changes, not all of them.
 */

/** Pairs as numbers: the first piece times this, and the second. */
const BASE = 2 ** 16;

/** @typedef {{ pieces: number[], count: number }} Word */

/**
 * Merges the most frequent pair of pieces until there are as many pieces as wanted, or no pair comes twice.
 * The words' pieces are replaced. Halves of bytes, the pieces below 16, are never merged.
 * @param {Word[]} words
 * @param {number} first the number of pieces so far
 * @param {number} vocabulary the number wanted
 * @returns {[number, number][]}
 */
export function learnMerges(words, first, vocabulary) {
  /** @type {Map<number, { count: number, words: Set<Word> }>} */
  const pairs = new Map();
  const add = (/** @type {Word} */ word, /** @type {1 | -1} */ sign) => {
    for (const pair of pairsOf(word.pieces)) {
      let entry = pairs.get(pair);
      if (!entry) pairs.set(pair, (entry = { count: 0, words: new Set() }));
      entry.count += sign * word.count;
      if (sign > 0) entry.words.add(word);
    }
  };
  for (const word of words) add(word, 1);
  /** @type {[number, number][]} */
  const merges = [];
  for (let piece = first; piece < vocabulary; piece++) {
    const best = mostFrequent(pairs);
    if (best === undefined) break;
    const changed = pairs.get(best)?.words ?? new Set();
    for (const word of changed) {
      add(word, -1);
      word.pieces = mergePair(word.pieces, best, piece);
      add(word, 1);
    }
    pairs.delete(best);
    merges.push([Math.floor(best / BASE), best % BASE]);
  }
  return merges;
}

/** Returns the pairs of neighbours in a word. @param {number[]} pieces */
function pairsOf(pieces) {
  /** @type {number[]} */
  const pairs = [];
  for (let i = 0; i + 1 < pieces.length; i++) {
    if (pieces[i] >= 16 && pieces[i + 1] >= 16) pairs.push(pieces[i] * BASE + pieces[i + 1]);
  }
  return pairs;
}

/** Returns the most frequent pair that comes twice or more, the least one of equals.
 *  @param {Map<number, { count: number }>} pairs */
function mostFrequent(pairs) {
  /** @type {number | undefined} */
  let best;
  let most = 1;
  pairs.forEach(({ count }, pair) => {
    if (count > most || (count === most && best !== undefined && pair < best)) {
      best = pair;
      most = count;
    }
  });
  return best;
}

/** Returns pieces in which a pair has become one piece.
 *  @param {number[]} pieces @param {number} pair @param {number} piece */
function mergePair(pieces, pair, piece) {
  const merged = [];
  for (let i = 0; i < pieces.length; i++) {
    const isPair = i + 1 < pieces.length && pieces[i] * BASE + pieces[i + 1] === pair;
    merged.push(isPair ? piece : pieces[i]);
    if (isPair) i += 1;
  }
  return merged;
}

/**
 * Merges the pieces of a word, the earliest learned pair first.
 * @param {number[]} pieces
 * @param {Map<number, number>} ranks the piece of each pair; later ones are larger
 * @returns {number[]}
 */
export function mergeWord(pieces, ranks) {
  let merged = pieces;
  for (;;) {
    const known = pairsOf(merged).filter((pair) => ranks.has(pair));
    if (known.length === 0) return merged;
    const rankOf = (/** @type {number} */ pair) => /** @type {number} */ (ranks.get(pair));
    const first = known.reduce((best, pair) => (rankOf(pair) < rankOf(best) ? pair : best));
    merged = mergePair(merged, first, rankOf(first));
  }
}
