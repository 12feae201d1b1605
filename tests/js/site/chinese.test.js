// Chinese prose runs on from line to line of its source: a break beside a Chinese sign shows as a space too many.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { ELEMENTS, folderOf, SOURCES } from '../../../web/build/paths.js';

const FIGURES_AND_KIT = [...ELEMENTS.map(folderOf), 'figures/kit/state'];

const SIGN = '\\u3000-\\u303f\\uff00-\\uffef';
const CHINESE = `\\p{Script=Han}${SIGN}`;
/** Between two characters, after a sign and before one; lines of lists, tables, formulas and tags begin anew. */
const BREAK = new RegExp(
  `.*(?:[${CHINESE}”’]\\n *[${CHINESE}“‘]|[${SIGN}]\\n *[^\\s|{#<>$-]|[^\\s>}]\\n *[${SIGN}]).*`,
  'gu',
);

/** Returns the pages and the words of figures in Chinese, without code. */
async function chineseTexts() {
  const pages = readdirSync(`${SOURCES}/zh`).map((name) => [
    name,
    readFileSync(`${SOURCES}/zh/${name}`, 'utf8').replace(/^(```|---)[^]*?^\1$|`[^`\n]*`/gm, 'x'),
  ]);
  const figures = FIGURES_AND_KIT.map(async (folder) => {
    const { messages } = await import(`../../../web/${folder}/generated/words.js`);
    return [folder, JSON.stringify(messages.zh).replaceAll('\\n', '\n')];
  });
  return [...pages, ...(await Promise.all(figures))];
}

/** How Chinese is not set, with what it is instead. */
const RULES = {
  'a colon as wide as a sign': /.{0,20}[\p{Script=Han}”）] ?:(?!:).{0,9}/gu,
  'numbers without commas': /.{0,20}\d,\d{3}(?!\d).{0,9}/g,
  'powers of ten by ×': /.{0,20}\d *(?:·|\\cdot) *10.{0,9}/g,
  'the root as √d_k': /.{0,20}(?:√\(d_k\)|√dk|sqrt\(d).{0,9}/g,
  'no space after a full stop': /.{0,20}。 (?=\p{Script=Han}).{0,9}/gu,
};

for (const [rule, pattern] of Object.entries(RULES)) {
  it(`Chinese has ${rule}`, async () => {
    const broken = (await chineseTexts()).flatMap(([name, text]) =>
      (text.match(pattern) ?? []).map((/** @type {string} */ found) => `${name}: ${found}`),
    );
    assert.deepEqual(broken, []);
  });
}

it('breaks no line of a Chinese page beside a Chinese sign or between two characters', () => {
  const folder = `${SOURCES}/zh`;
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  assert.ok(pages.includes('index.md'));
  const broken = pages.flatMap((name) => {
    const prose = readFileSync(`${folder}/${name}`, 'utf8').replace(/^(```|---)[^]*?^\1$/gm, '');
    return (prose.match(BREAK) ?? []).map((lines) => `${name}: ${lines}`);
  });
  assert.deepEqual(broken, []);
});
