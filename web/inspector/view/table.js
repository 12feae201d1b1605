// The diagnosis of every head as a table that sorts, with words for what stands out.

import { css, html, nothing } from 'lit';
import { capitalised, joined, sentencesOf } from '../../diagnosis/hint.js';
import { prose } from '../../figures/kit/shell/prose.js';
import { isNarrow } from '../../figures/kit/shell/text-size.js';
import { say } from '../../figures/kit/state/words.js';
import { datedNow, hasCourse } from '../course/course-map.js';
import { numberOf } from '../heads/compared.js';

/**
 * @import { Cause } from '../../diagnosis/hint.js'
 * @import { Diagnosis } from '../../attention/index.js'
 * @import { Measured } from '../heads/known.js'
 * @import { Head, View } from './data.js'
 * @typedef {{ column: string, isDescending: boolean }} Order
 * @typedef {Measured & { since?: number }} Listed  since: the step from which on it has its verdict
 */

export const styles = css`
  .heads {
    max-height: 24em;
    margin-top: 14px;
    overflow: auto;
  }
  .heads table {
    border-collapse: collapse;
    font-size: calc(14 * var(--px));
  }
  .heads caption {
    text-align: start;
    font-weight: 600;
    padding: 2px 4px 6px 0;
  }
  .heads :is(th, td) {
    padding: 2px 10px 2px 0;
    text-align: end;
    font-weight: 400;
    white-space: nowrap;
  }
  .heads :is(th, td).words {
    text-align: start;
  }
  .heads td.hint {
    min-width: 13em;
    white-space: normal;
  }
  .heads .many td.hint {
    min-width: 34em; /* beyond the edge: lines of it would part the rows that are in view */
  }
  @container attn ${isNarrow} {
    .heads td.hint {
      min-width: 34em;
    }
  }
  .heads thead th {
    position: sticky;
    top: 0;
    background: var(--paper);
    color: var(--muted);
  }
  .heads thead :is(th, button) {
    min-width: 4.4em; /* two lines at most */
    white-space: normal;
    word-break: keep-all; /* between Chinese characters, too */
  }
  .heads tbody button {
    white-space: nowrap;
  }
  .heads button {
    padding: 1px 6px;
    min-height: 24px;
    border-color: transparent;
  }
  @media print {
    .heads {
      max-height: none;
      overflow: visible;
    }
    .heads thead th {
      position: static;
    }
    .heads tr {
      break-inside: avoid;
    }
  }
  .heads [aria-current='true'] {
    font-weight: 600;
  }
`;

/** The order of verdicts, from the narrowest. */
const VERDICTS = ['undefined', 'frozen', 'sharp', 'spread', 'uniform'];

/**
 * The columns: what sorts a row, and how it is written.
 * @type {{ key: string, isOfSome?: boolean, value: (head: Listed) => number,
 *   write?: (view: View, value: number) => string }[]} isOfSome: left out where no head has this number
 */
const COLUMNS = [
  { key: 'entropyRatio', value: ({ diagnosis }) => diagnosis.entropyRatio },
  { key: 'effectiveKeys', value: ({ diagnosis }) => diagnosis.effectiveKeys, write: ({ format }, value) => format.fixed(value, 1) },
  { key: 'firstWeight', value: ({ diagnosis }) => diagnosis.firstWeight, write: ({ format }, value) => format.percent(value) },
  { key: 'previousWeight', value: ({ diagnosis }) => diagnosis.previousWeight, write: ({ format }, value) => format.percent(value) },
  { key: 'distance', isOfSome: true, value: ({ reach }) => reach?.distance ?? NaN, write: ({ format }, value) => format.fixed(value, 1) },
  { key: 'localWeight', isOfSome: true, value: ({ reach }) => reach?.localWeight ?? NaN, write: ({ format }, value) => format.percent(value) },
  { key: 'inductionWeight', isOfSome: true, value: ({ reach }) => reach?.inductionWeight ?? NaN, write: ({ format }, value) => format.percent(value) },
  { key: 'scoreDeviation', isOfSome: true, value: ({ diagnosis }) => diagnosis.scoreDeviation ?? NaN },
  { key: 'effectiveDimension', isOfSome: true, value: ({ diagnosis }) => diagnosis.effectiveDimension ?? NaN, write: ({ format }, value) => format.fixed(value, 1) },
  { key: 'since', isOfSome: true, value: ({ since = NaN }) => since, write: ({ format }, value) => format.plain(value) },
]; // prettier-ignore

/** The most columns beside which there is room for what stands out. */
const MOST_BESIDE_HINT = 8;

/** Returns the number by which a column sorts a head. @param {Listed} head @param {string} column */
function rankOf(head, column) {
  if (column === 'head') return head.layer * 1e6 + head.head;
  if (column === 'verdict') return VERDICTS.indexOf(head.diagnosis.verdict);
  const of = COLUMNS.find(({ key }) => key === column)?.value;
  const value = of ? numberOf(head, of) : 0;
  return Number.isNaN(value) ? -Infinity : value;
}

/**
 * Returns heads in an order; equal ones stay in that of layers and heads.
 * @param {readonly Listed[]} heads
 * @param {Order} order
 */
export const sorted = (heads, { column, isDescending }) =>
  [...heads].sort(
    (a, b) => (isDescending ? -1 : 1) * Math.sign(rankOf(a, column) - rankOf(b, column) || 0),
  );

/** Causes that say that something is wrong. @type {readonly Cause[]} */
const FAULTS = ['notANumber', 'overflow16', 'unweighted', 'columns', 'rowSums', 'padding', 'later'];

/**
 * Returns the head that stands out: of those with a fault, else of all, that whose weights are the narrowest.
 * @param {readonly Head[]} heads
 */
export function standingOut(heads) {
  const known = /** @type {Measured[]} */ (heads.filter(({ diagnosis }) => diagnosis));
  const wrong = known.filter(({ diagnosis }) => FAULTS.includes(diagnosis.cause));
  const [first] = sorted(wrong.length ? wrong : known, {
    column: 'entropyRatio',
    isDescending: false,
  });
  return /** @type {Measured | undefined} */ (first);
}

/** Returns what stands out in a head, in words. @param {View} view @param {Diagnosis} diagnosis */
export function hintOf(view, diagnosis) {
  const { data, text: words } = view;
  const names = {
    head: (/** @type {number} */ index) =>
      `${Math.floor(index / data.heads) + 1}.${(index % data.heads) + 1}`,
    key: (/** @type {number} */ index) => data.keyLabels[index],
    row: (/** @type {number} */ index) => String(index + 1),
  };
  const sentences = sentencesOf(diagnosis, names).map(({ sentence, values }) =>
    say(view, words.causes[sentence], values),
  );
  return capitalised(joined(sentences, words.semicolon));
}

/** Writes what is said of a head; of one that is compared, of A and of B where they differ. @param {Measured} head @param {(diagnosis: Diagnosis) => string} write @param {string} between */
export function inBoth({ diagnosis, second }, write, between) {
  const [a, b] = [diagnosis, second?.diagnosis ?? diagnosis].map(write);
  return a === b ? a : a + between + b;
}

/** Writes a number, of a head that is compared with its sign. @param {Measured} head @param {number} value @param {(value: number) => string} write */
export const signed = ({ second }, value, write) => (second && value > 0 ? '+' : '') + write(value);

/** Returns the heads that are diagnosed: of long texts those that were looked at. @param {View} view */
export const diagnosed = ({ data }) =>
  /** @type {Measured[]} */ (data.overview.filter(({ diagnosis }) => diagnosis));

/** Returns the step from which on a head has its verdict. @param {View} view @param {Measured} head */
const sinceOf = (view, head) => (hasCourse(view) ? datedNow(view, head)?.since : undefined);

/** Returns how many heads have each verdict, in words. @param {View} view */
export function summaryOf(view) {
  const { text: words } = view;
  const heads = diagnosed(view);
  const others = heads.flatMap(({ second }) => second ?? []);
  const [first, second] = [heads, others].map((some) => {
    const counts = VERDICTS.map((verdict) => ({
      verdict: words.verdicts[/** @type {Diagnosis['verdict']} */ (verdict)],
      count: some.filter(({ diagnosis }) => diagnosis.verdict === verdict).length,
    })).filter(({ count }) => count > 0);
    return counts.map((each) => say(view, words.countOf, each)).join(words.comma);
  });
  const { colon, semicolon } = words;
  return second ? `A${colon}${first}${semicolon}B${colon}${second}` : first;
}

/**
 * Draws the table.
 * @param {View} view
 * @param {{ order: Order, sort: (column: string) => void, show: (head: Measured) => void, measureAll?: () => void }} actions
 *   measureAll: measures the heads that were not looked at, where there are some
 */
export function headTable(view, { order, sort, show, measureAll }) {
  const { data, text: words, format } = view;
  const heads = diagnosed(view).map((each) => ({ ...each, since: sinceOf(view, each) }));
  const columns = COLUMNS.filter(
    ({ isOfSome, value }) =>
      !isOfSome || heads.some((each) => !Number.isNaN(numberOf(each, value))),
  );
  const labels = data.grid ? { ...words.columns, ...words.patchColumns } : words.columns;
  const distances = words.distances[data.grid ? 'image' : 'text'];
  const head = (/** @type {string} */ key, isWords = false) => {
    const label = labels[/** @type {'entropyRatio'} */ (key)];
    const isSorted = order.column === key;
    const direction = order.isDescending ? 'descending' : 'ascending';
    return html`<th
      scope="col"
      class=${isWords ? 'words' : ''}
      aria-sort=${isSorted ? direction : 'none'}
    >
      <button title=${key in words.patchColumns ? distances : nothing} @click=${() => sort(key)}>
        ${prose(label)}${isSorted ? (order.isDescending ? ' ↓' : ' ↑') : ''}
      </button>
    </th>`;
  };
  return html`<div class="heads" role="region" tabindex="0" aria-label=${words.diagnosis}>
    <table class=${columns.length > MOST_BESIDE_HINT ? 'many' : ''}>
      <caption>
        ${say(view, words.diagnosed, { summary: summaryOf(view) })}
        ${measureAll ? html`<button @click=${measureAll}>${words.measureAll}</button>` : nothing}
      </caption>
      <thead>
        <tr>
          ${head('head', true)}${head('verdict', true)}${columns.map(({ key }) => head(key))}
          <th scope="col" class="words">${words.columns.hint}</th>
        </tr>
      </thead>
      <tbody>
        ${sorted(heads, order).map((each) => {
          const { layer, head: index } = each;
          const isShown = layer === data.layer && index === data.head;
          return html`<tr part="head">
            <th scope="row" class="words">
              <button aria-current=${isShown} @click=${() => show(each)}>
                ${say(view, words.place, { layer: layer + 1, head: index + 1 })}
              </button>
            </th>
            <td class="words">${inBoth(each, (one) => words.verdicts[one.verdict], ' → ')}</td>
            ${columns.map(
              ({ value, write = (_, number) => format.fixed(number, 2) }) =>
                html`<td>
                  ${signed(each, numberOf(each, value), (number) => write(view, number))}
                </td>`,
            )}
            <td class="words hint">${prose(inBoth(each, (one) => hintOf(view, one), ' → '))}</td>
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}
