// Chinese prose runs on from line to line of its source: a break between two Chinese characters would show as a space.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { SOURCES } from '../../../web/build/paths.js';

const CHINESE = '\\p{Script=Han}\\u3000-\\u303f\\uff00-\\uffef';
const BREAK = new RegExp(`.*[${CHINESE}”’]\\n[${CHINESE}“‘].*`, 'gu');

it('breaks no line of a Chinese page between two Chinese characters', () => {
  const folder = `${SOURCES}/zh`;
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
  assert.ok(pages.includes('index.md'));
  const broken = pages.flatMap((name) => {
    const prose = readFileSync(`${folder}/${name}`, 'utf8').replace(/^```[^]*?^```/gm, '');
    return (prose.match(BREAK) ?? []).map((lines) => `${name}: ${lines}`);
  });
  assert.deepEqual(broken, []);
});
