// "Why this key?": the score of the chosen query and key as a sum over the directions that carry the head, each
// of which can be switched off. It shows the mechanics of one product, not its meaning.

import { css, html, nothing } from 'lit';
import { directionsOfHead, explainPair } from '../../diagnosis/why-this-key.js';
import { prose } from '../../figures/kit/shell/prose.js';
import { say } from '../../figures/kit/state/words.js';
import { headAt, sizes } from '../heads/heads.js';
import { knownOf } from '../heads/known.js';

/**
 * @import { WhyThisKey } from '../../attention/index.js'
 * @import { Steps } from '../../shared/slices.js'
 * @import { Change } from '../../figures/kit/shell/controls.js'
 * @import { Field } from '../../figures/kit/state/state.js'
 * @import { Place, Shown } from '../heads/heads.js'
 * @import { View } from '../view/data.js'
 *
 * @typedef {object} Why
 * @property {WhyThisKey} explained
 * @property {number} factor  by which softmax sees q·k
 */

/** The most directions that are listed. */
const TERMS = 6;
/** The most multiplications of an explanation: about a second. */
const MOST_WORK = 2 ** 30;
/** The sweeps over the pairs of directions, in products of matrices. */
const SWEEPS = 100;

export const styles = css`
  .why {
    margin-top: 10px;
  }
  .why table {
    border-collapse: collapse;
    font-size: calc(14 * var(--px));
  }
  .why :is(th, td) {
    padding: 2px 10px 2px 0;
    text-align: end;
    font-weight: 400;
  }
  .why :is(tbody th, thead th:first-child) {
    text-align: start;
  }
  .why label {
    display: flex;
    gap: 8px;
    align-items: center;
  }
`;

/** Empty: closed; 0: open; else the directions that are switched off, as in `1.3`. @type {Field<string>} */
export const withoutField = {
  kind: 'picture',
  initial: '',
  parse: (raw) =>
    typeof raw === 'string' && /^(|0|[1-6](\.[1-6]){0,5})$/.test(raw) ? raw : undefined,
};

/** Returns the directions that are switched off, from 0. @param {string} without */
export const directionsOff = (without) =>
  without.split('.').flatMap((each) => (Number(each) > 0 ? [Number(each) - 1] : []));

/** Returns whether scores are sums of products, and few enough. @param {Shown} attention */
export function canExplain(attention) {
  const { nQ, nK, dK } = sizes(attention);
  const { softcap, similarity = 'dot' } = attention.options ?? {};
  if (dK === undefined || softcap || similarity !== 'dot') return false;
  return (nQ + nK + SWEEPS * dK) * dK ** 2 <= MOST_WORK;
}

/** Returns the name of a head. @param {Place} place */
const nameOf = ({ layer, head }) => `${layer}.${head}`;

/** Returns whether the pairs of a head are explained at once. @param {Shown} attention @param {Place} place */
export const isExplained = (attention, place) => knownOf(attention).directions.has(nameOf(place));

/**
 * Explains the score of a query and a key.
 * @param {Shown} attention
 * @param {Place} place
 * @param {number} factor
 * @param {{ query: number, key: number }} pair
 * @returns {Steps<Why>}
 */
export function* explain(attention, place, factor, { query, key }) {
  const head = headAt(attention, place, factor);
  const [queries, keys, d] = [head.query.data, head.key.data, head.query.shape[1]];
  const { directions } = knownOf(attention);
  const ofHead = yield* directions.get(nameOf(place), () =>
    directionsOfHead(queries, keys, d, TERMS),
  );
  const { scale = 1 / Math.sqrt(d), temperature = 1 } = head.options;
  const explained = explainPair(ofHead, queries, keys, { i: query, j: key });
  return { explained, factor: scale / temperature };
}

/**
 * Returns the weights of a row as they would be without some directions: p_j·exp(−c·t_j), brought to the sum
 * that a sink leaves.
 * @param {Float32Array} row  the weights as they are
 * @param {Why} why
 * @param {readonly number[]} off
 */
export function rowWithout(row, { explained, factor }, off) {
  const gone = explained.directions.filter((_, index) => off.includes(index));
  const lost = Float64Array.from(
    row,
    (_, j) => factor * gone.reduce((sum, direction) => sum + direction.row[j], 0),
  );
  const seen = row.map((p, j) => (p > 0 ? Math.log(p) - lost[j] : -Infinity));
  const rest = Math.max(0, 1 - row.reduce((sum, p) => sum + p, 0)); // a sink's, whose logit stays
  const largest = seen.reduce(
    (most, x) => Math.max(most, x),
    rest > 1e-6 ? Math.log(rest) : -Infinity,
  );
  const powers = seen.map((x) => Math.exp(x - largest));
  const sum = powers.reduce((total, x) => total + x, rest > 1e-6 ? rest * Math.exp(-largest) : 0);
  return sum > 0 ? powers.map((x) => x / sum) : row;
}

/** Draws the explanation. @param {View} view @param {Change} change */
export function whyPanel(view, change) {
  const { data, state, text: words } = view;
  if (!canExplain(data.attention) || data.other) return nothing;
  const isOpen = state.without !== '';
  const toggle = (/** @type {Event} */ event) => {
    event.preventDefault(); // the state opens it
    change('without', isOpen ? '' : '0', true);
  };
  const names = { query: data.labels[data.query], key: data.keyLabels[data.key] };
  return html`<details class="why" part="why" ?open=${isOpen}>
    <summary @click=${toggle}>${say(view, words.why, names)}</summary>
    ${data.why ? termsTable(view, data.why, change) : nothing}
    <p class="note">${prose(words.whyNote)}</p>
  </details>`;
}

/** Lists the terms. @param {View} view @param {Why} why @param {Change} change */
function termsTable({ state, text: words, format }, { explained, factor }, change) {
  const off = directionsOff(state.without);
  const { directions, common, rest, score } = explained;
  const number = (/** @type {number} */ value) => format.fixed(factor * value, 3);
  const flip = (/** @type {number} */ index) => {
    const others = off.includes(index) ? off.filter((each) => each !== index) : [...off, index];
    const names = others.sort((a, b) => a - b).map((each) => each + 1);
    change('without', names.join('.') || '0', true);
  };
  return html`<table>
    <thead>
      <tr>
        ${[words.direction, words.share, 'c·q·k'].map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${directions.map(
        ({ term, share }, index) =>
          html`<tr>
            <th scope="row">
              <label
                ><input
                  type="checkbox"
                  .checked=${!off.includes(index)}
                  @change=${() => flip(index)}
                />
                ${index + 1}</label
              >
            </th>
            <td>${format.percent(share)}</td>
            <td>${number(term)}</td>
          </tr>`,
      )}
      ${[
        { name: words.rest, value: rest },
        { name: words.common, value: common },
        { name: words.wholeScore, value: score },
      ].map(
        ({ name, value }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td></td>
            <td>${number(value)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
