// Chinese prose runs on from line to line of its source: a break beside a Chinese sign shows as a space too many.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { SOURCES } from '../../../web/build/paths.js';

const SIGN = '\\u3000-\\u303f\\uff00-\\uffef';
const CHINESE = `\\p{Script=Han}${SIGN}`;
/** Between two characters, after a sign and before one; lines of lists, tables, formulas and tags begin anew. */
const BREAK = new RegExp(
  `.*(?:[${CHINESE}”’]\\n *[${CHINESE}“‘]|[${SIGN}]\\n *[^\\s|{#<>$-]|[^\\s>}]\\n *[${SIGN}]).*`,
  'gu',
);

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
