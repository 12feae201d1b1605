// The linter refuses imports against the arrows of the design, and statements that no module of the
// package may have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const eslint = new ESLint({ cwd: fileURLToPath(new URL('../../..', import.meta.url)) });

/** Returns the messages about a text as if it stood in a file of web/. @param {string} file @param {string} text */
async function messagesOf(file, text) {
  const [{ messages }] = await eslint.lintText(text, { filePath: `web/${file}` });
  return messages.map(({ message }) => message).join('\n');
}

for (const [file, text, expected] of [
  ['shared/a.js', "import '../theory/index.js';", 'shared may not import theory/index.js'],
  ['theory/a.js', "import '../attention/index.js';", 'theory may not import attention/index.js'],
  ['attention/a.js', "import '../shared/times.js';", 'attention may not import shared/times.js'],
  ['attention/a.js', "import 'lit';", 'attention may not import lit'],
  [
    'attention/a.js',
    "import './kernel/arena.js';",
    'attention may not import attention/kernel/arena',
  ],
  [
    'attention/kernel/a.js',
    "import '../rows.js';",
    'attention/kernel may not import attention/rows.js',
  ],
  [
    'experiments/a.js',
    "import '../figures/index.js';",
    'experiments may not import figures/index.js',
  ],
  [
    'experiments/a.js',
    "export * from '../figures/a.js';",
    'experiments may not import figures/a.js',
  ],
  [
    'experiments/a.js',
    "await import('../site/scripts/article.js');",
    'experiments may not import site/scripts/article.js',
  ],
  [
    'figures/heads/a.js',
    "import '../../site/scripts/article.js';",
    'figures may not import site/scripts/article.js',
  ],
  [
    'figures/kit/chart/a.js',
    "import '../shell/controls.js';",
    'figures/kit/chart may not import figures/kit/shell/controls.js',
  ],
  ['figures/a.js', "import '../attention/index';", 'Browsers resolve attention/index only with'],
  [
    'theory/a.js',
    "/** @import { A } from '../figures/a.js' */",
    'theory may not import figures/a.js',
  ],
  [
    'theory/a.js',
    "/** @type {import('../figures/a.js').A} */",
    'theory may not import figures/a.js',
  ],
  ['theory/a.js', 'document.title;', "'document' is not defined"],
  ['experiments/a.js', 'new HTMLElement();', "'HTMLElement' is not defined"],
  ['attention/a.js', 'WebAssembly.validate(new Uint8Array());', "Unexpected use of 'WebAssembly'"],
  ['attention/a.js', 'await 1;', 'No await at the top'],
  ['figures/a.js', 'export const a = await 1;', 'No await at the top'],
  ['shared/a.js', 'import.meta.url;', 'No import.meta in the package'],
]) {
  test(`web/${file} may not contain: ${text}`, async () => {
    assert.ok((await messagesOf(file, text)).includes(expected));
  });
}

test('imports along the arrows are accepted', async () => {
  for (const [file, text] of [
    ['theory/a.js', "import '../shared/times.js';"],
    ['attention/a.js', "import './kernel/active.js';\nimport './rows.js';"],
    ['attention/kernel/a.js', "import '../errors.js';\nimport('./generated/simd.js');"],
    ['experiments/a.js', "import '../attention/index.js';\nimport '../theory/index.js';"],
    [
      'figures/kit/element/a.js',
      "import 'lit/html.js';\nimport '../shell/a.js';\nimport '../spec.js';",
    ],
    ['site/a.js', "import '../figures/index.js';\nawait import('../figures/define.js');"],
  ]) {
    assert.equal(await messagesOf(file, text), '', `${file}: ${text}`);
  }
});
