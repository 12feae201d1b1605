// Build step: the questions of a page as data for search engines (https://schema.org/FAQPage).
import { textOfFormula } from './formula-text.js';

const QUESTION =
  /<details class="question"[^>]*><summary><b>(.*?)<\/b>([^]*?)<\/summary>([^]*?)<\/details>/g;

/** Returns HTML as a line of text. @param {string} html */
const plain = (html) =>
  html
    .replace(/<math[^]*?<\/math>/g, textOfFormula)
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Returns the questions of a page and their answers as JSON that may stand in a script element.
 * @param {string} html of the page
 * @returns {string} empty where the page has none
 */
export function questionData(html) {
  const mainEntity = [...html.matchAll(QUESTION)].map(([, name, line, answer]) => ({
    '@type': 'Question',
    name: plain(name),
    acceptedAnswer: { '@type': 'Answer', text: plain(`${line} ${answer}`) },
  }));
  if (mainEntity.length === 0) return '';
  const data = { '@context': 'https://schema.org', '@type': 'FAQPage', mainEntity };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
