// Every case of figures/, each in a page.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { bundleFigures } from '../browser/bundle.js';
import { use } from '../fixture.js';
import { PATIENCE } from '../engines/evaluate.js';
import { listen } from '../listen.js';
import { waitUntil } from '../wait.js';
import { PARTS } from './figures/cases.js';
import { POLICY } from './figures/case-pages.js';
import { makeTools } from './figures/page-tools.js';
import { look } from './look-into-page.js';

/** @import { Case } from './figures/case-pages.js' */
/** @import { Open } from './tests-of-engine.js' */

/** The cases of all parts: the number of each is in the address of its page. */
const ALL = Object.values(PARTS).flatMap((cases) => Object.values(cases));

/**
 * A wait in the page ends before the look does, so that it says what it waited for. Where a policy forbids workers, the
 * trainings of <attn-roles> alone take WebKit 14 s of a machine with other work, beside those of its neighbours.
 */
const PATIENCE_INSIDE = 0.9 * PATIENCE;

const EMBED = new URL('../../dist/site/embed/saturation.html', import.meta.url);

const STYLE = `:root.dark { color-scheme: dark; background: #111; }
  iframe { border: 0; } svg { max-width: 100%; }`;
/**
 * Collects the complaints of the engine and of scripts. Not that a box was laid out twice in a frame, which the next frame
 * shows: WebKit reports it in one of some 40 runs of figures that fail, and what leads to it was not found.
 */
const WATCH = `complaints = [];
  const complain = (what) => /^ResizeObserver loop completed/.test(what) || complaints.push(String(what));
  addEventListener('error', ({ target, message }) => complain(message ?? target.src), true);
  addEventListener('unhandledrejection', ({ reason }) => complain(reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complain(violatedDirective + ' ' + blockedURI));`;

/** @param {Case} fault  @param {number} number  @param {string} other */
const pageOf = ({ body, html = '', before: first, script = '/figures.js' }, number, other) => `<!doctype html>
  <html lang="en" ${html}><head><meta charset="utf-8"><title>fault</title>
  <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
  <script src="/watch.js"></script>${first ? `<script src="/before-${number}.js"></script>` : ''}
  <script type="module" src="${script.replace('{other}', other)}"></script></head>
  <body>${body}</body></html>`; // prettier-ignore

const KINDS = /** @type {Record<string, string>} */ ({
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
});

/**
 * Serves the pages of all faults; the same server under another name is another origin.
 * @returns {Promise<{ origin: string, close: () => void }>}
 */
async function serveCases() {
  const bundle = await bundleFigures();
  const figures = bundle['/figures.js'];
  /** @type {Record<string, { text: string, policy?: string, shared?: boolean }>} */
  const files = {
    ...Object.fromEntries(Object.entries(bundle).map(([path, text]) => [path, { text }])),
    '/figures.txt': { text: figures },
    '/shared/figures.js': { text: figures, shared: true },
    '/watch.js': { text: WATCH },
    '/style.css': { text: STYLE },
    '/embed/saturation.html': { text: readFileSync(EMBED, 'utf8') },
  };
  const server = await listen((request, response) => {
    const path = (request.url ?? '').replace(/[?#].*/, '');
    const { text, policy, shared } = files[path] ?? {};
    response.statusCode = text === undefined ? 404 : 200;
    response.setHeader('Content-Type', KINDS[path.split('.').pop() ?? ''] ?? KINDS.txt);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (policy) response.setHeader('Content-Security-Policy', policy);
    if (shared) response.setHeader('Access-Control-Allow-Origin', '*');
    response.end(text ?? '');
  });
  const other = `http://127.0.0.1:${server.port}`;
  const figure = { body: '<attn-saturation></attn-saturation>', look: () => {}, seen: 0 };
  files['/narrow.html'] = { text: pageOf(figure, -1, other), policy: POLICY };
  ALL.forEach((fault, number) => {
    const policy = (fault.policy ?? POLICY).replace('{other}', other);
    files[`/${number}.html`] = { text: pageOf(fault, number, other), policy };
    files[`/before-${number}.js`] = { text: fault.before ?? '' };
  });
  return server;
}

/** Tests every case in an engine. @param {Open} open */
export function testFigures(open) {
  const server = use(serveCases);

  for (const [part, cases] of Object.entries(PARTS)) {
    describe(part, () => {
      for (const [title, fault] of Object.entries(cases)) {
        it(title, async () => {
          const number = ALL.indexOf(fault);
          const page = await open(`${server.origin}/${number}.html${fault.hash ?? ''}`);
          assert.deepEqual(
            await look(page, `(${fault.look})((${makeTools})(${waitUntil}, ${PATIENCE_INSIDE}))`),
            fault.seen,
          );
          const heard = await page.evaluate(() =>
            Reflect.get(globalThis, 'complaints')?.join('; '),
          );
          if (!fault.complains) assert.equal(heard, '');
        });
      }
    });
  }
}
