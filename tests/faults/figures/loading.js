// Policies, engines and connections that keep a figure from loading.

import { allWork, EVERY, FIGURE, PICTURE, POLICY, stillThere, works } from './case-pages.js';

/** @import { Case } from './case-pages.js' */

/** @type {Record<string, Case>} */
export const LOADING = {
  'a strict policy, Trusted Types included, changes nothing': {
    body: EVERY,
    policy: `${POLICY}; require-trusted-types-for 'script'; trusted-types lit-html`,
    complains: true, // of the ledger's workers, which have no policy of that name
    look: allWork,
    seen: { failed: '', right: true },
  },

  'a policy that forbids WebAssembly leaves the same numbers': {
    body: FIGURE,
    policy: POLICY.replace(" 'wasm-unsafe-eval'", ''),
    complains: true,
    look: works,
    seen: true,
  },

  'an engine without WebAssembly shows the same numbers': {
    body: FIGURE,
    before: 'delete globalThis.WebAssembly;',
    look: works,
    seen: true,
  },

  'an engine without SIMD shows the same numbers': {
    body: FIGURE,
    before: `WebAssembly.compile = () => Promise.reject(new WebAssembly.CompileError('no v128'));
      WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError('no v128'); } };`,
    look: works,
    seen: true,
  },

  'an engine that gives no memory leads to a message in the figure, which can be tried again': {
    body: FIGURE,
    before: `const { instantiate } = WebAssembly; const { ArrayBuffer: Real } = globalThis;
      WebAssembly.instantiate = () => Promise.reject('out of memory');
      globalThis.ArrayBuffer = class { constructor() { throw new RangeError('out of memory'); } };
      globalThis.repair = () => Object.assign(globalThis, { ArrayBuffer: Real }) &&
        Object.assign(WebAssembly, { instantiate });`,
    look: async ({ until, drawn }) => {
      const root = () => document.querySelector('attn-saturation')?.shadowRoot;
      await until(() => root()?.querySelector('[part~=retry]'));
      const said = root()?.querySelector('[part~=failure] p')?.textContent ?? '';
      Reflect.get(globalThis, 'repair')();
      root()?.querySelector('button')?.click();
      await drawn('attn-saturation');
      return [/out of memory/.test(said), Boolean(root()?.querySelector('[part~=retry]'))];
    },
    seen: [true, false],
  },

  'without JavaScript the picture inside the element is shown': {
    body: PICTURE,
    policy: "default-src 'none'; script-src 'none'; style-src 'self'",
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script that is not found leaves the picture': {
    body: PICTURE,
    script: '/nowhere.js',
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script of the wrong type leaves the picture': {
    body: PICTURE,
    script: '/figures.txt',
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a script of another origin that allows it draws': {
    body: FIGURE,
    script: '{other}/shared/figures.js',
    policy: POLICY.replace("'self'", "'self' {other}"),
    look: works,
    seen: true,
  },

  'a script of another origin that does not allow it leaves the picture': {
    body: PICTURE,
    script: '{other}/figures.js',
    policy: POLICY.replace("'self'", "'self' {other}"),
    complains: true,
    look: stillThere,
    seen: { seen: true, live: false },
  },

  'a sandboxed frame draws, and sends its height and no other message': {
    body: '<iframe sandbox="allow-scripts" src="/embed/saturation.html?id=seven" width="700"></iframe>',
    policy: `${POLICY}; frame-src 'self'`,
    before: "messages = []; addEventListener('message', ({ data }) => messages.push(data));",
    look: async ({ until }) => {
      /** @type {any[]} */
      const messages = Reflect.get(globalThis, 'messages');
      await until(() => messages.at(-1)?.height > 600);
      return messages.map((message) => ({ ...message, height: typeof message.height })).at(-1);
    },
    seen: { type: 'attn:height', v: 1, id: 'seven', height: 'number' },
  },
};
