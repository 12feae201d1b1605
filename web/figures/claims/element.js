// <attn-claims>: a ledger of common claims, each with a verdict and the number that decides it.
//
// It has no picture. Near the viewport it measures claim after claim in a worker, and keeps the numbers.
// Those that the language model decides come last, since its module is fetched for them.

import { css, html, nothing } from 'lit';
import { load } from '../../assets/import.js';
import { TRAINER } from '../../experiments/assets.js';
import { init } from '../../attention/index.js';
import { inWorker } from '../../experiments/in-worker.js';
import { CLAIMS, measureClaims } from '../../experiments/claims.js';
import { messages } from './generated/words.js';
import { watchLanguage, watchVisibility } from '../kit/element/controllers.js';
import { isNarrow } from '../kit/shell/text-size.js';
import { LiveElement } from '../kit/element/element.js';
import { createFormat, figureLanguage } from '../kit/state/language.js';
import { messages as kitMessages } from '../kit/state/generated/words.js';
import { reason } from '../kit/state/words.js';
import { prose } from '../kit/shell/prose.js';
import { styles } from '../kit/shell/styles.js';
import { aboutLanguage, LANGUAGE_KEYS } from '../../shared/languages.js';

/**
 * @import { ClaimKey, ClaimRow } from '../../experiments/claims.js'
 * @import { Format, Language } from '../kit/state/language.js'
 * @import { From } from '../kit/shell/controls.js'
 * @typedef {Map<ClaimKey, Record<string, number>>} Results by claim
 * @typedef {{ language: Language, results: Results, isBuilt?: boolean, failure?: string,
 *   choose?: (language: string) => void, retry?: () => void }} Ledger
 *   isBuilt: its numbers are those of the build of a page
 */

const ledgerStyles = css`
  ol {
    margin: 0.8em 0;
    padding: 0;
    list-style: none;
  }
  li {
    display: grid;
    grid-template-columns: 2em minmax(0, 3fr) minmax(0, 4fr);
    gap: 0 1.5em;
    padding: 0.7em 0;
    border-top: 1px solid var(--faint);
  }
  .number {
    color: var(--muted);
  }
  .claim {
    font-weight: 500;
  }
  .why {
    color: var(--muted);
  }
  .verdict {
    font-weight: 600;
    color: var(--ink);
  }
  .value {
    display: grid;
    margin-top: 0.2em;
    overflow-wrap: anywhere;
  }
  .value > * {
    grid-area: 1 / 1;
  }
  /* The lines that the numbers take, so that the ledger keeps its height while it fills; no text, which
     readers of feeds would take for numbers. */
  .place::before {
    content: attr(data-typical);
    visibility: hidden;
  }
  @media screen {
    output:empty::before {
      content: '…';
    }
  }
  @media print {
    .place {
      display: none;
    }
    figure {
      break-inside: auto;
    }
    li {
      break-inside: avoid;
    }
  }
  @container attn ${isNarrow} {
    li {
      grid-template-columns: 2em minmax(0, 1fr);
    }
    li > :last-child {
      grid-column: 2;
      margin-top: 0.3em;
    }
  }
`;

/**
 * Writes one number in the form that its hole names: `%` as a share of 1, `B` as memory, `#` every
 * digit, `0` without decimals, `=` as short as possible, `.2` with two decimals, `2` with two significant digits, `e2` with
 * two where it may be tiny or huge, else with three.
 * @param {number} value
 * @param {string} how
 * @param {Format} format
 */
function numberText(value, how, format) {
  if (how === '%') return format.percent(value);
  if (how === 'B') return format.bytes(value);
  if (how === '#') return format.count(value);
  if (how === '0') return format.fixed(value, 0);
  if (how === '=') return value === Infinity ? '∞' : format.plain(value);
  if (how[0] === '.') return format.fixed(value, Number(how[1]));
  return format.significant(value, Number(how.replace('e', '') || 3));
}

/**
 * Placeholders as wide as the measured numbers: by the first letter of the hole's form, else three digits.
 * @type {Record<string, number>}
 */
const TYPICAL = { '%': 0.999999, B: 1.05e6, '#': 1e6, 0: 200, '=': Infinity, e: 1.57e-21 };

/**
 * Returns the measured numbers in words.
 * @param {string} text  with holes like `{name}` and `{name:how}`
 * @param {Language} language
 * @param {Record<string, number>} [values]  else typical ones
 */
export const valueText = (text, language, values) =>
  text.replace(/\{(\w+):?(.*?)\}/g, (_, name, how) =>
    numberText(values ? values[name] : (TYPICAL[how[0]] ?? 0.0123), how, createFormat(language)),
  );

/** Adds the numbers of one claim. @param {Results} results @param {readonly ClaimRow[]} rows */
export function addRows(results, rows) {
  const values = Object.fromEntries(rows.map(({ quantity, value }) => [quantity, value]));
  results.set(rows[0].claim, values);
}

/** @param {typeof CLAIMS[number]} record @param {number} index @param {Ledger} ledger */
function row({ key, verdict }, index, { language, results, isBuilt }) {
  const text = messages[language];
  const { claim, why, value } = text.claims[key];
  const measured = results.get(key);
  const typical = valueText(value, language).replaceAll(' = ', '\u00a0=\u00a0'); // on one line, as in prose
  // Written as text, since in Chromium a CSS counter keeps a removed element from being collected.
  return html`<li part="claim">
    <span class="number">${index + 1}</span>
    <p class="claim">${prose(claim)}</p>
    <div>
      <p class="why">
        <span class="verdict">${text.verdicts[verdict]}</span
        >${aboutLanguage(language).colon}${prose(why)}
      </p>
      <div class="value">
        <output aria-live="off"
          >${measured ? prose(valueText(value, language, measured)) : isBuilt ? text.timed : nothing}</output
        >
        <span class="place" data-typical=${typical}></span>
      </div>
    </div>
  </li>`;
}

/** Draws the choice of language. @param {Ledger} ledger */
function languageChoice({ language, choose }) {
  const text = messages[language];
  const names = new Intl.DisplayNames(aboutLanguage(language).locale, { type: 'language' });
  const change = (/** @type {From<HTMLSelectElement>} */ { target }) => choose?.(target.value);
  return html`<div class="controls" part="controls">
    <div class="field">
      <label for="language">${text.language}</label>
      <select id="language" ?disabled=${!choose} @change=${change}>
        ${LANGUAGE_KEYS.map(
          (key) =>
            html`<option value=${key} ?selected=${key === language}>${names.of(key)}</option>`,
        )}
      </select>
    </div>
  </div>`;
}

/** Draws the ledger. @param {Ledger} ledger @returns {unknown} the content of the shadow root */
function ledgerTemplate(ledger) {
  const { language, results, isBuilt, failure, retry } = ledger;
  const text = messages[language];
  const all = CLAIMS.length;
  const stage = results.size < all ? text.measuring : text.measured;
  const origin = isBuilt ? text.built : text.computed;
  const failed = failure && text.failed + failure;
  return html`<figure lang=${aboutLanguage(language).tag} translate="no" aria-labelledby="name">
    <p class="title" part="title" id="name">${text.name}</p>
    ${languageChoice(ledger)}
    ${
      failure
        ? html`<div class="message" part="failure">
            <p>${failed}</p>
            <button class="primary" part="retry" @click=${retry}>
              ${kitMessages[language].retry}
            </button>
          </div>`
        : nothing
    }
    <ol>
      ${CLAIMS.map((claim, index) => row(claim, index, ledger))}
    </ol>
    <figcaption><slot name="caption">${prose(text.caption + origin)}</slot></figcaption>
    <p class="visually-hidden" role="status">${failed || valueText(stage, language, { all })}</p>
  </figure>`;
}

/** The ledger of common claims about scaled attention: claim, verdict and a measured number. */
export class AttnClaims extends LiveElement {
  static styles = [styles, ledgerStyles];

  /** The ledger of a page made ahead of time. @param {Language} language @param {Results} results */
  static still = (language, results) => ledgerTemplate({ language, results, isBuilt: true });

  /** @type {AbortController | undefined} */
  #measuring;

  constructor() {
    super();
    /** @type {Results} */
    this.results = new Map();
    this.failure = '';
    watchLanguage(this);
    watchVisibility(this, (near) =>
      near ? this.failure || this.#measure() : this.#measuring?.abort(),
    );
  }

  static get observedAttributes() {
    return [...super.observedAttributes, 'lang'];
  }

  attributeChangedCallback() {
    this.requestUpdate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#measuring?.abort();
  }

  async #measure() {
    if (this.#measuring && !this.#measuring.signal.aborted) return;
    const measuring = new AbortController();
    const { signal } = measuring;
    this.#measuring = measuring;
    try {
      await init();
      const missing = CLAIMS.filter(({ key }) => !this.results.has(key));
      const keysOf = (/** @type {typeof missing} */ claims) => claims.map(({ key }) => key);
      const learned = keysOf(missing.filter((claim) => 'isLearned' in claim));
      const others = keysOf(missing.filter((claim) => !('isLearned' in claim)));
      const onProgress = (/** @type {{ rows: ClaimRow[] }} */ { rows }) => {
        addRows(this.results, rows);
        this.requestUpdate();
      };
      const control = { signal, onProgress };
      await inWorker('claims', measureClaims, { claims: others }, control);
      if (signal.aborted || learned.length === 0) return;
      const { initLanguage, moduleForWorkers } = await load(TRAINER, 'model-trainer');
      await initLanguage();
      const kernel = moduleForWorkers('attn-claims');
      await inWorker('claims', measureClaims, { claims: learned, kernel }, control);
    } catch (error) {
      this.failure = reason(error);
      this.requestUpdate();
    } finally {
      if (this.#measuring === measuring) this.#measuring = undefined;
    }
  }

  #retry() {
    this.failure = '';
    this.requestUpdate();
    this.#measure();
  }

  /** Replaces the ledger that a page may have been served with. */
  createRenderRoot() {
    const root = super.createRenderRoot();
    root.replaceChildren();
    return root;
  }

  render() {
    return ledgerTemplate({
      language: figureLanguage(this),
      results: this.results,
      failure: this.failure,
      choose: (language) => this.setAttribute('lang', language),
      retry: () => this.#retry(),
    });
  }
}
