// The rules that the linter has from us refuse imports against the arrows of the design, text that becomes markup, and
// what would speak to a server or keep something of a reader; eslint's own rules have their tests elsewhere.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const eslint = new ESLint({ cwd: fileURLToPath(new URL('../../..', import.meta.url)) });

/** Returns the messages about a text as if it stood in a file of web/. @param {string} file @param {string} text */
async function messagesOf(file, text) {
  const [{ messages }] = await eslint.lintText(`${text}\n`, { filePath: `web/${file}` });
  return messages.map(({ message }) => message).join('\n');
}

for (const [file, text, expected] of [
  ['theory/a.js', "import '../attention/index.js';", 'theory may not import attention/index.js'],
  ['theory/a.js', "await import('../figures/a.js');", 'theory may not import figures/a.js'],
  ['theory/a.js', "/** @import { A } from '../figures/a.js' */", 'theory may not import figures'],
  ['theory/a.js', "/** @type {import('../figures/a.js').A} */", 'theory may not import figures'],
  ['attention/a.js', "import 'lit';", 'attention may not import lit'],
  [
    'attention/kernel/a.js',
    "import '../rows.js';",
    'attention/kernel may not import attention/rows',
  ],
  ['figures/a.js', "import '../attention/index';", 'Browsers resolve attention/index only with'],
  ['attention/a.js', 'await 1;', 'No await at the top'],
  ['shared/a.js', 'import.meta.url;', 'No import.meta in the package'],
  ['figures/a.js', "document.body.innerHTML = '';", 'No HTML sinks'],
  ['figures/a.js', "export { unsafeHTML } from 'lit/directives/unsafe-html.js';", 'No HTML sinks'],
  ['figures/a.js', 'const a = html`<a href=${x}></a>`;', 'Not from a template'],
  ['figures/a.js', 'const a = html`<iframe srcdoc="${x}"></iframe>`;', 'Not from a template'],
  ['figures/a.js', 'const a = html`<p style=${x}></p>`;', 'Not from a template'],
  ['figures/a.js', 'const a = html`<p onclick=${x}></p>`;', 'Not from a template'],
  ['figures/a.js', "document.cookie = '';", 'What ships keeps nothing'],
]) {
  test(`web/${file} may not contain: ${text}`, async () => {
    assert.ok((await messagesOf(file, text)).includes(expected));
  });
}

for (const [file, text] of [
  ['attention/kernel/a.js', "import '../errors.js';\nimport('./generated/simd.js');"],
  ['experiments/a.js', "import '../attention/index.js';\nimport '../theory/index.js';"],
  ['figures/kit/element/a.js', "import 'lit/html.js';\nimport '../shell/a.js';"],
  ['site/a.js', "import '../figures/index.js';\nawait import('../figures/define.js');"],
  [
    'figures/a.js',
    'export const a = (html, x) => html`<b class=${x} @click=${x} .value=${x}></b>`;',
  ],
]) {
  test(`web/${file} may contain: ${text.replace('\n', ' ')}`, async () => {
    assert.equal(await messagesOf(file, text), '');
  });
}
