// <attn-words>: a sentence of real words; one is chosen, and bars show where a head of a trained model looks from
// there, with the scores divided by √d_k, or by another power of d_k, and without.

import { loadModels } from '../common/load-models.js';
import { MOST_WORDS } from '../common/words-of-pieces.js';
import { picture } from '../kit/chart/chart.js';
import { FigureElement } from '../kit/element/figure.js';
import { blueLook, orangeLook } from '../kit/chart/looks.js';
import { choiceField, numberField, textField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { spoken } from '../kit/state/verbatim.js';
import { line, say } from '../kit/state/words.js';
import { attend } from './attend.js';
import { aspect, divisorText, sentence, wordAt } from './picture.js';
import { EXAMPLES, isRecorded, readingOf } from './sentences.js';
import { messages } from './generated/words.js';

/**
 * @import { Language } from '../kit/state/language.js'
 * @import { Context, DataOf, FigureSpec, ViewOf } from '../kit/spec.js'
 * @import { Look } from '../kit/chart/looks.js'
 * @import { StateOf } from '../kit/state/state.js'
 * @import { StaticSvg } from '../kit/chart/static.js'
 * @import { Weighed } from './attend.js'
 * @import { Reader } from './models.js'
 * @typedef {StateOf<typeof fields>} State
 * @typedef {DataOf<typeof compute>} Data
 * @typedef {ViewOf<Data, typeof messages.en, State>} View
 */

const LONGEST = 160;
/** Another sentence begins at the word at which each has something to show. */
const WORD = 10;
const AFRESH = { text: '', head: 'ours', word: WORD };

const fields = {
  power: numberField({ initial: 0.5, min: 0, max: 1, step: 0.05 }),
  example: choiceField({
    initial: 'tired',
    options: EXAMPLES,
    presets: Object.fromEntries(EXAMPLES.map((name) => [name, AFRESH])),
  }),
  text: { ...textField({ longest: LONGEST }), also: { example: 'first' } },
  word: numberField({ initial: WORD, min: 1, max: MOST_WORDS }),
  head: {
    ...choiceField({ initial: 'ours', options: ['ours', '1.1', '1.2', '2.1', '2.2'] }),
    also: { example: 'first' },
  },
};

/**
 * Fetches the model of a language, unless what a state shows has been recorded.
 * @param {Language} language
 * @param {State} [state] left out, the model is fetched for any
 */
export async function load(language, state) {
  if (state && isRecorded(state, language)) return undefined;
  return (await loadModels('words')).openReader(language);
}

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context<undefined, Reader | undefined>} context
 */
function* compute(state, { language, memo, loaded }) {
  const { words, rowOf, head, scale, isCut, parameters, reason } = yield* memo(
    'reading',
    [language, state.text, state.head, state.example],
    () => readingOf(state, language, loaded),
  );
  const chosen = Math.min(state.word, words.length) - 1;
  const dK = Math.round(scale ** -2);
  const divisor = dK ** state.power;
  const row = attend(rowOf, words, { chosen, divisor, scale });
  return { ...row, head, chosen, dK, divisor, isCut, parameters, reason };
}

/** Returns the looks of the two series. @param {View} view @returns {[Look<'scaled'>, Look<'unscaled'>]} */
const seriesOf = ({ palette }) => [blueLook(palette, 'scaled'), orangeLook(palette, 'unscaled')];

/** Returns the word with the largest weight. @param {View} view  @param {'weight' | 'unscaled'} of */
const topOf = ({ data }, of) =>
  data.words.reduce((top, /** @type {Weighed} */ word) => (word[of] > top[of] ? word : top));

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  if (data.seen === 1) return words.alone;
  const [top, unscaledTop] = [topOf(view, 'weight'), topOf(view, 'unscaled')];
  return say(view, words.title, {
    query: data.words[data.chosen].text,
    top: top.text,
    weight: format.percent(top.weight),
    divisor: divisorText(view),
    unscaledTop: unscaledTop.text,
    unscaled: format.percent(unscaledTop.unscaled),
  });
}

/** Draws the sentence. @param {View} view */
function draw(view) {
  const { width, palette, format, data, text: words } = view;
  const { height, marks } = sentence(view, seriesOf(view));
  const weights = data.words
    .slice(0, data.seen)
    .map(({ text, weight }) => `${text} ${format.percent(weight)}`);
  const weight = say(view, words.weight, { divisor: divisorText(view) });
  const description = `${panelOf(view)}: ${weights.join(', ')}. ${words.query}; ${words.key}; ${weight}.`;
  return picture({ width, height, palette, format, title: title(view), description }, marks);
}

/** Names the weights that are shown. @param {View} view */
const panelOf = (view) =>
  say(view, view.text.panel, { query: view.data.words[view.data.chosen].text });

/** Returns the attention that is shown as a formula. @param {View} view */
function formulaOf({ state, data, format }) {
  if (state.power === 0) return 'softmax(q·k)';
  if (state.power === 1) return 'softmax(q·k / d_k)';
  const divisor = format.plain(Number(data.divisor.toPrecision(3)));
  return `softmax(q·k / ${state.power === 0.5 ? '√d_k' : divisor})`;
}

/** Returns the numbers of both series. @param {View} view */
function readout(view) {
  const { data, text: words, format } = view;
  const [scaled, unscaled] = seriesOf(view);
  const three = (/** @type {number} */ value) => format.fixed(value, 3);
  const linesOf = (
    /** @type {'weight' | 'unscaled'} */ of,
    /** @type {number} */ temperature,
    /** @type {number} */ ratio,
  ) => [
    line(words.largest, format.percent, topOf(view, of)[of]),
    line(words.temperature, (value) => format.significant(value, 3), temperature),
    line(words.entropyRatio, three, ratio),
  ];
  return [
    {
      series: scaled,
      label: say(view, words.scaledLabel, { divisor: divisorText(view) }),
      formula: formulaOf(view),
      rows: linesOf('weight', data.divisor, data.entropyRatio),
    },
    {
      series: unscaled,
      label: words.unscaledLabel,
      formula: 'softmax(q·k)',
      rows: linesOf('unscaled', 1, data.unscaledRatio),
    },
  ];
}

/** Says what an ever larger divisor leads to: the same weight for every token. @param {View} view */
function limitOf(view) {
  const { data, text: words, format } = view;
  const { tokens } = data;
  const several = data.words
    .slice(0, data.seen)
    .filter((word) => word.tokens > 1)
    .map(({ text, tokens: own }) =>
      say(view, words.several, { text, own, share: format.percent(own / tokens) }),
    );
  return say(view, words.limit, {
    tokens,
    even: format.percent(1 / tokens),
    several: several.join(''),
  });
}

/** Says which head this is, and why it looks there. @param {View} view */
function headNote(view) {
  const { data, state, text: words, format } = view;
  const [layer, head] = data.head.split('.');
  const values = { layer, head, dK: data.dK };
  if (data.parameters === undefined) {
    const why = state.example === 'wide' ? words.wideReason : words.tiredReason;
    return `${why}${say(view, words.headNote, values)}`;
  }
  const why = data.reason
    ? say(view, words.reason, {
        weight: format.percent(data.reason.weight),
        even: format.percent(data.reason.even),
      })
    : '';
  return `${why}${say(view, words.note, { ...values, parameters: format.count(data.parameters) })}`;
}

/** Returns the remark under the numbers. @param {View} view */
const note = (view) => `${headNote(view)}${limitOf(view)}${view.data.isCut ? view.text.cut : ''}`;

/** Returns the weights as rows of a table. @param {View} view */
const rows = (view) =>
  /** @type {const} */ (['weight', 'unscaled']).flatMap((of) =>
    view.data.words.slice(0, view.data.seen).map((word, index) => ({
      panel: of === 'weight' ? panelOf(view) : `${panelOf(view)}, ${view.text.unscaledLabel}`,
      series: word.text,
      x: index + 1,
      measured: word[of],
    })),
  );

/** @type {FigureSpec<Data, typeof messages.en, State, undefined, Reader | undefined>} */
export const spec = {
  name: 'words',
  room: { wide: 400, narrow: 500 },
  fields,
  visible: ['power', 'example', 'text'],
  messages,
  load,
  isRecorded: true,
  compute,
  aspect,
  title,
  status: (view) => spoken(title(view)),
  caption: ({ data, text: words }) =>
    data && data.parameters !== undefined ? words.caption : words.headCaption,
  draw,
  pick(view, point) {
    const word = wordAt(view, point);
    return word < 0 ? undefined : { word: word + 1 };
  },
  readout,
  note,
  rows,
};

/** What one word of a sentence attends to, in a model that was really trained. */
export class AttnWords extends FigureElement {
  static spec = spec;
}
FigureElement.declare(AttnWords);

/** Returns the figure as self-contained SVG text; needs no document, but its model: `loaded: await load('en')`. @type {StaticSvg} */
export const staticSvg = (options) => renderStatic(spec, options);
