// Code that breaks the lint rules which keep markup, requests and storage out of the package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ESLint } from 'eslint';

const eslint = new ESLint();

/** Returns the names of the rules that a line of a figure breaks. @param {string} code  @param {string} filePath */
async function broken(code, filePath = 'web/figures/saturation/element.js') {
  const [{ messages }] = await eslint.lintText(`${code}\n`, { filePath });
  return messages.map(({ ruleId }) => ruleId);
}

test('every way to read text as markup or as a program is a lint error', async () => {
  const ways = {
    'no-restricted-properties': [
      "document.body.innerHTML = '';",
      "document.body.outerHTML = '';",
      "document.body.insertAdjacentHTML('beforeend', '');",
      "document.body.setHTMLUnsafe('');",
      "Document.parseHTMLUnsafe('');",
      "new Range().createContextualFragment('');",
      "new DOMParser().parseFromString('', 'text/html');",
      "document.querySelector('iframe').srcdoc = '';",
      "document.write('');",
      "document.writeln('');",
    ],
    'no-restricted-imports': [
      "export { unsafeHTML } from 'lit/directives/unsafe-html.js';",
      "export { unsafeSVG } from 'lit/directives/unsafe-svg.js';",
      "export { unsafeStatic } from 'lit/static-html.js';",
    ],
    'no-restricted-syntax': [
      'const a = html`<a href=${x}></a>`;',
      'const a = html`<iframe srcdoc="${x}"></iframe>`;',
      'const a = html`<p style=${x}></p>`;',
      'const a = html`<p onclick=${x}></p>`;',
    ],
    'no-eval': ["eval('');"],
    'no-implied-eval': ["setTimeout('');"],
    'no-new-func': ["new Function('');"],
    'no-script-url': ["location.href = 'javascript:';"],
  };
  for (const [rule, lines] of Object.entries(ways)) {
    for (const line of lines) assert.ok((await broken(line)).includes(rule), line);
  }
});

test('a template that fills classes, handlers and properties is no error', async () => {
  const line = 'export const a = (html, f, x) => html`<b class=${x} @click=${f} .value=${x}></b>`;';
  assert.deepEqual(await broken(line), []);
});

test('every way to reach a server or to keep something of the reader is a lint error', async () => {
  for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'RTCPeerConnection']) {
    assert.deepEqual(await broken(`new ${name}('');`), ['no-restricted-globals'], name);
  }
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore']) {
    assert.ok((await broken(`${name}.clear();`)).includes('no-restricted-globals'), name);
  }
  assert.deepEqual(await broken("navigator.sendBeacon('');"), ['no-restricted-properties']);
  assert.deepEqual(await broken("document.cookie = '';"), ['no-restricted-properties']);
  assert.deepEqual(await broken("document.title = '';", 'web/site/scripts/live.js'), []);
});
