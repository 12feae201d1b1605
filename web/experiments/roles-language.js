/**
 * The toy languages of roles.js: sentences in which an adjective describes one of two nouns ("the animal did
 * not cross the street because it was too tired"). What kind of noun an adjective goes with is all that there
 * is to learn, and a fifth of the pairs of noun and adjective is never shown in training.
 */
import { randomUniform } from '../attention/index.js';
import { entriesOf } from '../shared/keys.js';
import { times } from '../shared/times.js';

/**
 * @typedef {'beings' | 'places' | 'foods' | 'tools'} NounKind
 *
 * @typedef {object} Sentence
 * @property {string[]} words from the start mark to the adjective
 * @property {number[]} tokens those of the words
 * @property {number} at the place of the adjective, the last one
 * @property {number} noun the place of the noun that it describes
 * @property {number} other the place of the other noun
 * @property {NounKind} kind of the noun that it describes
 */

/** Begins every sentence, so that there is a place to look at that says nothing. */
export const START = '<';

/** Words are separated by spaces. In a frame, A and B stand for nouns of the two kinds, in their order. */
const TEXTS = {
  en: {
    space: ' ',
    kinds: {
      beings: ['animal dog cat bird child horse farmer fish', 'tired hungry scared lazy'],
      places: ['street river road bridge field lake forest hill', 'wide deep long steep'],
      foods: ['bread apple soup cheese cake rice milk egg', 'stale sweet salty ripe'],
      tools: ['cart hammer boat ladder knife wheel rope bell', 'heavy blunt broken rusty'],
    },
    frames: [
      ['beings', 'places', 'the A did not cross the B because it was too'],
      ['places', 'beings', 'the A was not crossed by the B because it was too'],
      ['beings', 'foods', 'the A did not eat the B because it was too'],
      ['foods', 'beings', 'the A was not eaten by the B because it was too'],
      ['beings', 'tools', 'the A did not lift the B because it was too'],
      ['tools', 'beings', 'the A was not lifted by the B because it was too'],
      ['tools', 'places', 'the A did not reach the B because it was too'],
      ['places', 'tools', 'the A was not reached by the B because it was too'],
    ],
  },
  zh: {
    space: '',
    kinds: {
      beings: ['动物 小狗 小猫 小鸟 兔子 老虎 狐狸 松鼠', '累 饿 懒 胆小'],
      places: ['街 马路 小巷 隧道 走廊 山路 小溪 河', '宽 长 陡 挤'],
      foods: ['面包 蛋糕 奶酪 饼干 豆腐 月饼 巧克力 年糕', '甜 咸 硬 油'],
      tools: ['锤子 锯子 铲子 斧子 椅子 钥匙 剪刀 雨伞', '重 旧 脏 破'],
    },
    frames: [
      ['beings', 'places', '那只 A 没有 过 那条 B ， 因为 它 太'],
      ['places', 'beings', '那条 A 没有 让 那只 B 过 ， 因为 它 太'],
      ['beings', 'foods', '那只 A 没有 吃 那块 B ， 因为 它 太'],
      ['foods', 'beings', '那块 A 没有 被 那只 B 吃 ， 因为 它 太'],
      ['beings', 'tools', '那只 A 没有 拿 那把 B ， 因为 它 太'],
      ['tools', 'beings', '那把 A 没有 被 那只 B 拿 ， 因为 它 太'],
      ['tools', 'places', '那把 A 没有 掉到 那条 B 上 ， 因为 它 太'],
      ['places', 'tools', '那条 A 没有 被 那把 B 挡住 ， 因为 它 太'],
    ],
  },
};

/**
 * Returns whether training never shows a pair: one in five, spread over nouns and adjectives.
 * @param {number} noun counted within its kind
 * @param {number} adjective counted within its kind
 */
const isHeldOut = (noun, adjective) => (3 * noun + adjective) % 5 === 0;

/** Lists the words, kinds and frames of a toy language. @param {keyof typeof TEXTS} language */
function readLanguage(language) {
  const { kinds: texts, frames: templates, space } = TEXTS[language];
  const kinds = entriesOf(texts).map(([name, lists]) => {
    const [nouns, adjectives] = lists.map((list) => list.split(' '));
    const pairs = nouns.flatMap((noun, i) =>
      adjectives.map((adjective, j) => ({ noun, adjective, heldOut: isHeldOut(i, j) })),
    );
    return { name, nouns, adjectives, pairs };
  });
  const frames = templates.map(([first, second, text]) => ({
    kinds: [first, second].map((name) => kinds.findIndex((kind) => kind.name === name)),
    words: [START, ...text.split(' ')],
  }));
  const plain = frames.flatMap(({ words }) => words.filter((word) => word !== 'A' && word !== 'B'));
  const filled = kinds.flatMap(({ nouns, adjectives }) => [...nouns, ...adjectives]);
  const words = [...new Set([...plain, ...filled])];
  return {
    /** Stands between words. */
    space,
    words,
    kinds,
    frames,
    /** The longest sentence, in words. */
    context: Math.max(...frames.map((frame) => frame.words.length)) + 1,
    /** The token of each word. @type {Record<string, number>} */
    tokens: Object.fromEntries(words.map((word, token) => [word, token])),
  };
}

/** @typedef {ReturnType<typeof readLanguage>} ToyLanguage */

/** The languages that were asked for. @type {Map<string, ToyLanguage>} */
const read = new Map();

/**
 * Returns a toy language: its words, its kinds of nouns with their adjectives, and the frames of its sentences.
 * @param {string} language 'en' or 'zh'
 * @returns {ToyLanguage}
 */
export function rolesLanguage(language) {
  const known = read.get(language) ?? readLanguage(/** @type {keyof typeof TEXTS} */ (language));
  read.set(language, known);
  return known;
}

/**
 * Puts a sentence together.
 * @param {ToyLanguage} toy
 * @param {{ frame: number, nouns: readonly [string, string], adjective: string, described: 0 | 1 }} parts
 *   nouns: in the order of the frame; described: which of them the adjective goes with
 * @returns {Sentence}
 */
export function sentenceOf(toy, { frame, nouns, adjective, described }) {
  const { kinds, words: template } = toy.frames[frame];
  const slots = [template.indexOf('A'), template.indexOf('B')];
  const words = [...template, adjective];
  slots.forEach((place, i) => (words[place] = nouns[i]));
  return {
    words,
    tokens: words.map((word) => toy.tokens[word]),
    at: template.length,
    noun: slots[described],
    other: slots[1 - described],
    kind: toy.kinds[kinds[described]].name,
  };
}

/**
 * Draws sentences.
 * @param {ToyLanguage} toy
 * @param {{ count: number, seed: number, stream: number, heldOut: boolean }} options heldOut: whether the
 *   pairs of noun and adjective are those that training never shows, or those that it does
 * @returns {Sentence[]} the same for the same options
 */
export function drawSentences(toy, { count, seed, stream, heldOut }) {
  const { data } = randomUniform([count, 4], { seed, stream });
  const pairs = toy.kinds.map((kind) => kind.pairs.filter((pair) => pair.heldOut === heldOut));
  return times(count, (i) => {
    /** Returns one of a list. @type {<T>(list: readonly T[], draw: number) => T} */
    const pick = (list, draw) => list[Math.floor(data[4 * i + draw] * list.length)];
    const frame = pick([...toy.frames.keys()], 0);
    const isFirst = pick([true, false], 1);
    const [first, second] = toy.frames[frame].kinds;
    const [own, another] = isFirst ? [first, second] : [second, first];
    const { noun, adjective } = pick(pairs[own], 2);
    const other = pick(toy.kinds[another].nouns, 3);
    return isFirst
      ? sentenceOf(toy, { frame, nouns: [noun, other], adjective, described: 0 })
      : sentenceOf(toy, { frame, nouns: [other, noun], adjective, described: 1 });
  });
}

/**
 * Returns sentences as a model reads them: each filled up to the context, and the described noun as the only
 * target, at the adjective.
 * @param {ToyLanguage} toy
 * @param {readonly Sentence[]} sentences
 * @returns {{ tokens: { data: Int32Array, shape: number[] }, targets: { data: Int32Array, shape: number[] } }}
 */
export function batchOf({ context }, sentences) {
  const shape = [sentences.length, context];
  const tokens = new Int32Array(sentences.length * context);
  const targets = new Int32Array(sentences.length * context).fill(-1);
  sentences.forEach((sentence, i) => {
    tokens.set(sentence.tokens, i * context);
    targets[i * context + sentence.at] = sentence.tokens[sentence.noun];
  });
  return { tokens: { data: tokens, shape }, targets: { data: targets, shape } };
}
