// <attn-words>: a sentence of real words; one is chosen, and bars show where a head of a trained model
// looks from there, with the scores divided by √d_k and without.

import recorded from '../../language/recorded/sentences.js';
import { loadModels } from '../common/load-models.js';
import { modelsOf } from '../../shared/languages.js';
import { modelHeads } from '../common/model-heads.js';
import { MOST_WORDS } from '../common/words-of-pieces.js';
import { picture } from '../kit/chart/chart.js';
import { FigureElement } from '../kit/element/figure.js';
import { blueLook, orangeLook } from '../kit/chart/looks.js';
import { choiceField, numberField, textField } from '../kit/state/state.js';
import { renderStatic } from '../kit/chart/static.js';
import { spoken } from '../kit/state/verbatim.js';
import { line, say } from '../kit/state/words.js';
import { attend, rowsOfHead } from './attend.js';
import { aspect, sentence, wordAt } from './picture.js';
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

const fields = {
  text: textField({ longest: LONGEST }),
  word: numberField({ initial: 10, min: 1, max: MOST_WORDS }),
  factor: numberField({ initial: 1, min: 0, max: 8, step: 0.25 }),
  head: choiceField({ initial: 'ours', options: ['ours', '1.1', '1.2', '2.1', '2.2'] }),
};

/**
 * Returns what was recorded of a state, whose sentence and head are those of the beginning.
 * @param {State} state
 * @param {Language} language
 */
function recordOf({ text, head }, language) {
  const record = recorded[modelsOf(language)];
  const isSame = record.text === (text || messages[language].hints.text) && head === 'ours';
  return isSame ? record : undefined;
}

/**
 * Fetches the model of a language, unless what it makes of a state has been recorded.
 * @param {Language} language
 * @param {State} [state] left out, the model is fetched for any
 */
export async function load(language, state) {
  if (state && recordOf(state, language)) return undefined;
  return (await loadModels('words')).openReader(language);
}

/**
 * Returns the scores of a head in a state, with the words that it reads.
 * @param {State} state
 * @param {Language} language
 * @param {string} name  layer and head, from 1
 * @param {Reader | undefined} reader  which a state needs that was not recorded
 */
function readingOf(state, language, name, reader) {
  const record = recordOf(state, language);
  if (record) {
    const { scores, ...reading } = record;
    return { ...reading, rowOf: (/** @type {number} */ token) => scores[token], isCut: false };
  }
  const text = state.text || messages[language].hints.text;
  const { layers, ...reading } = /** @type {Reader} */ (reader).read(text);
  const [layer, head] = name.split('.').map((each) => Number(each) - 1);
  return { ...reading, rowOf: rowsOfHead(layers[layer], head), reason: undefined };
}

/**
 * Computes the data of a state.
 * @param {State} state
 * @param {Context<undefined, Reader | undefined>} context
 */
function* compute(state, { language, memo, loaded }) {
  const name = state.head === 'ours' ? modelHeads(language).sentence : state.head;
  const { words, rowOf, scale, isCut, parameters, reason } = yield* memo(
    'reading',
    [language, state.text, state.head],
    () => readingOf(state, language, name, loaded),
  );
  const chosen = Math.min(state.word, words.length) - 1;
  const row = attend(rowOf, words, { chosen, factor: state.factor, scale });
  return { ...row, head: name, chosen, scale, isCut, parameters, reason };
}

/** Returns the looks of the two series. @param {View} view @returns {[Look<'scaled'>, Look<'unscaled'>]} */
const seriesOf = ({ palette }) => [blueLook(palette, 'scaled'), orangeLook(palette, 'unscaled')];

/** Returns the word with the largest weight. @param {View} view  @param {'weight' | 'unscaled'} of */
const topOf = ({ data }, of) =>
  data.words.reduce((top, /** @type {Weighed} */ word) => (word[of] > top[of] ? word : top));

/** Returns the claim, with its live number. @param {View} view  @returns {string} */
function title(view) {
  const { data, text: words, format } = view;
  if (data.chosen === 0) return words.alone;
  const [top, unscaledTop] = [topOf(view, 'weight'), topOf(view, 'unscaled')];
  return say(view, words.title, {
    query: data.words[data.chosen].text,
    top: top.text,
    weight: format.percent(top.weight),
    unscaledTop: unscaledTop.text,
    unscaled: format.percent(unscaledTop.unscaled),
  });
}

/** Draws the sentence. @param {View} view */
function draw(view) {
  const { width, palette, format, data, text: words } = view;
  const { height, marks } = sentence(view, seriesOf(view));
  const weights = data.words
    .slice(0, data.chosen + 1)
    .map(({ text, weight }) => `${text} ${format.percent(weight)}`);
  const description = `${panelOf(view)}: ${weights.join(', ')}. ${words.query}; ${words.key}; ${words.weight}.`;
  return picture({ width, height, palette, format, title: title(view), description }, marks);
}

/** Names the weights that are shown. @param {View} view */
const panelOf = (view) =>
  say(view, view.text.panel, { query: view.data.words[view.data.chosen].text });

/** Returns the numbers of both series. @param {View} view */
function readout(view) {
  const { state, data, text: words, format } = view;
  const [scaled, unscaled] = seriesOf(view);
  const three = (/** @type {number} */ value) => format.fixed(value, 3);
  const label = state.factor === 1 ? words.scaledLabel : say(view, words.factorLabel);
  return [
    {
      series: scaled,
      label,
      formula: `softmax(${state.factor === 1 ? '' : `${format.plain(state.factor)}·`}q·k / √d_k)`,
      rows: [
        line(words.largest, format.percent, topOf(view, 'weight').weight),
        line(words.entropyRatio, three, data.entropyRatio),
      ],
    },
    {
      series: unscaled,
      label: words.unscaledLabel,
      formula: 'softmax(q·k)',
      rows: [
        line(words.largest, format.percent, topOf(view, 'unscaled').unscaled),
        line(words.entropyRatio, three, data.unscaledRatio),
      ],
    },
  ];
}

/** Returns the remark under the numbers. @param {View} view */
function note(view) {
  const { data, text: words, format } = view;
  const parameters = format.count(data.parameters);
  const remark = say(view, words.note, {
    parameters,
    head: words.options[/** @type {'1.1'} */ (data.head)],
    none: format.significant(1 / data.scale, 3),
  });
  const why = data.reason
    ? say(view, words.reason, {
        weight: format.percent(data.reason.weight),
        even: format.percent(data.reason.even),
      })
    : '';
  return `${why}${remark}${data.isCut ? ` ${words.cut}` : ''}`;
}

/** Returns the weights as rows of a table. @param {View} view */
const rows = (view) =>
  /** @type {const} */ (['weight', 'unscaled']).flatMap((of) =>
    view.data.words.slice(0, view.data.chosen + 1).map((word, index) => ({
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
  visible: ['word', 'text', 'factor'],
  messages,
  load,
  isRecorded: true,
  compute,
  aspect,
  title,
  status: (view) => spoken(title(view)),
  caption: (view) => view.text.caption,
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
