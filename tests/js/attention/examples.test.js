/** The examples in the documentation of the package run, and give the values in their comments. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import * as attention from '../../../web/attention/index.js';
import * as language from '../../../web/language/index.js';

const FOLDERS = ['attention', 'diagnosis', 'language'].map(
  (room) => new URL(`../../../web/${room}/`, import.meta.url),
);
const index = { ...attention, ...language };
const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

/** Returns the examples of a file: each the lines from @example to the next tag or the end of the comment.
 *  @param {URL} file */
function examplesOf(file) {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/@example\n((?: \* (?!@).*\n)+)/g)].map(([, text]) =>
    text.replace(/^ \* /gm, ''),
  );
}

/** Turns `expression; // expected` into a call that compares; other comments are remarks.
 *  @param {string} example */
const instrument = (example) =>
  example.replace(/^(?!const )(.+); \/\/ (.+)$/gm, (_, expression, comment) => {
    const expected = /^(Float32Array )?([[{'\d].*?)(:.*)?$/.exec(comment);
    return `compare(${expression}, ${JSON.stringify(expected?.[2] ?? comment)});`;
  });

/** A number as a comment shows it. */
class Shown {
  /** @param {string} text */
  constructor(text) {
    this.number = Number(text);
    this.error = Math.min(1e-4, 0.5001 * 10 ** -(text.split('.')[1]?.length ?? 0));
  }
}

/** @param {unknown} got @param {string} text the comment */
function compare(got, text) {
  const shown = text.replace(/'[^']*'|-?\b\d[\d.]*/g, (part) =>
    part[0] === "'" ? part : `new Shown('${part}')`,
  );
  assertClose(got, Function('Shown', `return (${shown})`)(Shown));
}

/** @param {any} got @param {any} expected numbers rounded to the digits that a comment has */
function assertClose(got, expected) {
  if (expected instanceof Shown)
    assert.ok(Math.abs(got - expected.number) <= expected.error, `${got}`);
  else if (Array.isArray(expected)) {
    assert.equal(got.length, expected.length);
    expected.forEach((x, i) => assertClose(got[i], x));
  } else assert.deepEqual(got, expected); // NaN and infinities too
}

const documented = /** @type {string[]} */ ([]);
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.js$/.test(name) && !/generated/.test(name))
    .map((name) => new URL(name, folder)),
);
for (const file of files) {
  for (const example of examplesOf(file)) {
    documented.push(example);
    test(`example of ${basename(file.pathname)}: ${example.split('\n')[0]}`, async () => {
      const run = new AsyncFunction(...Object.keys(index), 'compare', instrument(example));
      await run(...Object.values(index), compare);
    });
  }
}

test('every function of the package has an example', () => {
  for (const [name, value] of Object.entries(index)) {
    if (typeof value !== 'function' || /Error$/.test(name)) continue;
    assert.ok(
      documented.some((example) => example.includes(`${name}(`)),
      name,
    );
  }
});
