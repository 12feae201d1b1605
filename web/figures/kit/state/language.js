// The language of a figure, and how it writes numbers.

import { messages } from './generated/words.js';
import { aboutLanguage, languageAsked, LANGUAGES } from '../../../shared/languages.js';

/**
 * @typedef {import('../../../shared/languages.js').Language} Language
 * @typedef {ReturnType<typeof createFormat>} Format
 */

/** Returns the language of a figure for a language tag. @param {string} tag @returns {Language} */
export const languageOf = (tag) => languageAsked(tag) ?? LANGUAGES[0].key;

/** Returns the parent of an element, through shadow roots. @param {Element} element @returns {Element | null} */
export function composedParent(element) {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return 'host' in root ? /** @type {ShadowRoot} */ (root).host : null;
}

/**
 * Returns the language of the element's `lang`, else the nearest one above it (the page's included),
 * else the browser's.
 * @param {Element} element
 * @returns {Language}
 */
export function figureLanguage(element) {
  /** @type {Element | null} */
  let at = element;
  for (; at; at = composedParent(at)) {
    const tag = at.getAttribute('lang');
    if (tag) return languageOf(tag);
  }
  return languageOf(globalThis.navigator?.language ?? 'en');
}

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * Returns a number format; each is made once.
 * @param {Language} language
 * @param {Intl.NumberFormatOptions} options
 */
function formatter(language, options) {
  const key = language + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    const { locale, grouping } = aboutLanguage(language);
    format = new Intl.NumberFormat(locale, { useGrouping: grouping, ...options });
    formats.set(key, format);
  }
  return format;
}

const MISSING = '–';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Writes a power of ten. @param {number} exponent */
const powerOfTen = (exponent) =>
  `10${String(exponent)
    .replace('-', '⁻')
    .replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)])}`;

/** Returns the nearest power of ten. @param {number} value @returns {string} */
export const asPower = (value) => (value === 1 ? '1' : powerOfTen(Math.round(Math.log10(value))));

/** Smaller and larger numbers are written as multiples of a power of ten. */
const SMALLEST_PLAIN = 1e-4;
const LARGEST_PLAIN = 1e6;

const THREE_DIGITS = { maximumSignificantDigits: 3 };

/** What less is missing of a whole is rounding error. */
const ROUNDING = 1e-7;

/**
 * Returns the number formats of one language; a value that is not finite becomes a dash.
 * @param {Language} language
 */
export function createFormat(language) {
  /** Writes a number, or a dash. @param {number} value @param {Intl.NumberFormatOptions} options */
  const write = (value, options) => {
    if (!Number.isFinite(value)) return MISSING;
    const text = formatter(language, options).format(value);
    return text.replace('-', /[1-9]/.test(text) ? '−' : ''); // no −0.00
  };
  /** Writes a number of decimals. @param {number} value  @param {number} digits after the point */
  const fixed = (value, digits) =>
    write(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  /** Writes three digits and a unit. @param {number} value  @param {string} unit */
  const short = (value, unit) =>
    Number.isFinite(value) ? `${write(value, THREE_DIGITS)} ${unit}` : MISSING;
  /**
   * Writes a multiple of a power of ten.
   * @param {number} value
   * @param {number} digits significant digits
   * @param {Intl.NumberFormatOptions} options of the multiple
   */
  const withPower = (value, digits, options) => {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${write(Number(mantissa), options)}×${powerOfTen(Number(exponent))}`;
  };
  return {
    /** The language, as the \`lang\` of a picture: Chinese signs have other forms in Japanese. */
    tag: aboutLanguage(language).tag,
    /** Names the axis across. @param {string} name */
    axis: (name) => messages[language].axis(name),
    fixed,
    /**
     * Writes significant digits, also as a multiple of a power of ten.
     * @param {number} value
     * @param {number} [digits] significant digits
     */
    significant: (value, digits = 3) => {
      const options = { minimumSignificantDigits: digits, maximumSignificantDigits: digits };
      const size = Math.abs(value);
      const isPlain = size >= SMALLEST_PLAIN && size <= LARGEST_PLAIN;
      if (isPlain || value === 0 || !Number.isFinite(value)) return write(value, options);
      return withPower(value, digits, options);
    },
    /**
     * Writes a share as a percentage: with as many digits near 1 as tell it from 1, and near 0 as a
     * multiple of a power of ten, without the sign.
     * @param {number} value as a share of 1
     */
    percent: (value) => {
      if (value > 0 && value < SMALLEST_PLAIN) return withPower(value, 2, {});
      const missing = 1 - value;
      if (value <= 0.98 || missing < ROUNDING) {
        return write(value, { style: 'percent', maximumSignificantDigits: value > 1 ? 3 : 2 });
      }
      const decimals = Math.max(1, Math.ceil(-Math.log10(100 * missing)));
      return write(value, { style: 'percent', maximumFractionDigits: decimals });
    },
    /** Writes a number without groups of digits. @param {number} value */
    plain: (value) => write(value, { maximumSignificantDigits: 6, useGrouping: false }),
    /** Writes every digit of a whole number. @param {number} value */
    count: (value) => write(value, { maximumFractionDigits: 0 }),
    /**
     * Writes a relative error.
     * @param {number} value as a share of 1, signed; where that is ten times the whole, as a ratio
     */
    error: (value) => {
      if (value >= 10 && value < Infinity) return `×${write(value + 1, THREE_DIGITS)}`;
      const digits = Math.abs(value) < 1 ? 1 : 0;
      return write(value, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        signDisplay: 'exceptZero',
      });
    },
    /** Writes a time. @param {number} milliseconds */
    time: (milliseconds) => {
      if (milliseconds < 1) return short(milliseconds * 1000, 'µs');
      return milliseconds < 1000 ? short(milliseconds, 'ms') : short(milliseconds / 1000, 's');
    },
    /** Writes a size of memory. @param {number} bytes */
    bytes: (bytes) => {
      const power = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
      return short(bytes / 1000 ** power, ['B', 'kB', 'MB', 'GB'][power]);
    },
  };
}
