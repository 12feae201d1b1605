// Lint rules: eslint's recommended set, and the project's own prohibitions.
import js from '@eslint/js';
import globals from 'globals';

/** What would read text as markup. */
const HTML_SINKS = [
  'innerHTML',
  'outerHTML',
  'insertAdjacentHTML',
  'setHTMLUnsafe',
  'parseHTMLUnsafe',
  'createContextualFragment',
  'parseFromString',
  'srcdoc',
  'write',
  'writeln',
].map((property) => ({
  ...(property.startsWith('write') && { object: 'document' }),
  property,
  message: 'No HTML sinks: use lit templates or textContent.',
}));

const UNSAFE_TEMPLATES = {
  group: [
    '**/unsafe-html*',
    '**/unsafe-svg*',
    '**/unsafe-mathml*',
    'lit/static*',
    'lit-html/static*',
  ],
  message: 'No HTML sinks: templates of lit alone.',
};

/** Attributes whose values a browser loads, runs or reads as markup or style, filled by a template. */
const UNSAFE_ATTRIBUTES = {
  selector:
    'TaggedTemplateExpression[tag.name="html"] > TemplateLiteral > ' +
    'TemplateElement[value.raw=/(\\sstyle|[\\s.](href|src|srcdoc|action|formaction|on\\w+))=["\']?$/]',
  message: 'Not from a template: the value may come from a reader.',
};

/** What Prototype.js and MooTools write otherwise. */
const OVERWRITTEN = {
  from: { object: 'Array', property: 'from', message: 'Pages have their own: times, or spread.' },
  entries: {
    selector: 'CallExpression[arguments.length=0] > MemberExpression[property.name="entries"]',
    message: 'Pages have their own: forEach.',
  },
};

/** What would speak to a server or keep something about the reader. */
const CONNECTIONS = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'RTCPeerConnection'];
const STORES = ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'];
const SPEECH = [
  { object: 'navigator', property: 'sendBeacon', message: 'What ships asks no server.' },
  { object: 'document', property: 'cookie', message: 'What ships keeps nothing.' },
];

export default [
  { ignores: ['build/', 'dist/', 'web/attention/kernel/generated/'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, globals: { ...globals['shared-node-browser'] } },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': ['error', ...HTML_SINKS],
      'no-restricted-imports': ['error', { patterns: [UNSAFE_TEMPLATES] }],
    },
  },
  { files: ['web/figures/**', 'web/page/**'], languageOptions: { globals: globals.browser } },
  {
    files: ['web/**'],
    ignores: ['web/build/**'],
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-restricted-syntax': ['error', UNSAFE_ATTRIBUTES, OVERWRITTEN.entries],
      'no-restricted-globals': ['error', ...CONNECTIONS, ...STORES],
      'no-restricted-properties': ['error', ...HTML_SINKS, ...SPEECH, OVERWRITTEN.from],
    },
  },
  {
    files: ['web/page/recipes/observable.js'], // what a notebook has
    languageOptions: { globals: { display: false, html: false } },
  },
  {
    files: ['web/build/**', 'tests/**', '*.config.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
