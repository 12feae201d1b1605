// Lint rules: eslint's recommended set, and the project's own prohibitions.
import js from '@eslint/js';
import globals from 'globals';
import { rooms } from './tests/lint/rooms.js';

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

/**
 * The rooms of web/, and those that each may import from (tests/lint/rooms.js): site → figures →
 * inspector → experiments, language, diagnosis → attention → its kernel. In figures/kit: element → shell → chart → state; the
 * shell around a figure knows the type of its element, and all know a figure's description, spec.js.
 */
const ROOMS = {
  assets: [],
  shared: [],
  theory: ['attention/errors.js', 'attention/options.js', 'shared'],
  attention: [
    'attention/kernel/active.js',
    'attention/kernel/backends.js',
    'attention/kernel/generated/structs.js',
    'attention/kernel/generated/fallback.js',
    // which index.js and functions.js export
    'diagnosis/diagnose.js',
    'diagnosis/course.js',
    'diagnosis/why-this-key.js',
    'shared/keys.js',
    'shared/nearest.js',
  ],
  'attention/kernel': [
    'assets',
    'attention/errors.js',
    'attention/options.js',
    'attention/structs.js',
    'attention/typed-array.js',
    'shared/keys.js',
  ],
  diagnosis: ['attention', 'shared'],
  language: ['assets', 'attention', 'shared', 'parallel/apart.js'],
  parallel: ['attention', 'shared'],
  experiments: [
    'assets',
    'attention',
    'diagnosis',
    'language',
    'parallel/apart.js',
    'shared',
    'theory',
  ],
  figures: [
    'assets',
    'attention',
    'experiments',
    'inspector',
    'language',
    'shared',
    'theory',
    'lit',
    'figures/kit',
  ],
  'figures/kit/state': ['shared', 'figures/kit/spec.js'],
  'figures/kit/chart': [
    'attention/errors.js',
    'attention/options.js',
    'shared',
    'figures/kit/spec.js',
    'figures/kit/state',
  ],
  'figures/kit/shell': [
    'assets/site.js',
    'shared',
    'lit',
    'figures/kit/spec.js',
    'figures/kit/state',
    'figures/kit/chart',
    'figures/kit/element/figure.js',
  ],
  'figures/kit/element': ['attention', 'shared', 'lit', 'figures/kit'],
  // Rooms inside know the type of what they draw, inspector/view/data.js.
  inspector: [
    'assets',
    'attention',
    'diagnosis',
    'shared',
    'lit',
    'figures/kit',
    'inspector/reading',
    'inspector/heads',
    'inspector/picture',
    'inspector/course',
    'inspector/why',
    // its examples
    'language/recorded/assets.js',
    'figures/common/load-models.js',
    'figures/words/models.js',
    'experiments/long-attention.js',
  ],
  'inspector/reading': ['attention', 'diagnosis/padding.js', 'shared'],
  'inspector/heads': [
    'attention',
    'diagnosis',
    'experiments',
    'shared',
    'figures/kit/state',
    'inspector/reading',
    'inspector/course/course.js',
    'inspector/view/data.js',
    'inspector/view/fields.js',
  ],
  'inspector/picture': [
    'attention',
    'experiments',
    'shared',
    'figures/kit',
    'inspector/heads',
    'inspector/view/data.js',
  ],
  'inspector/course': [
    'attention',
    'diagnosis',
    'experiments',
    'shared',
    'lit',
    'figures/kit',
    'inspector/reading',
    'inspector/heads',
    'inspector/view/data.js',
  ],
  'inspector/why': [
    'attention',
    'diagnosis',
    'shared',
    'lit',
    'figures/kit',
    'inspector/heads',
    'inspector/view/data.js',
  ],
};

/** Work at import, which would make every program wait, and addresses that bundlers have to find. */
const AT_IMPORT = [
  {
    selector:
      'Program > ExpressionStatement > AwaitExpression, ' +
      ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > ' +
      'VariableDeclarator > AwaitExpression',
    message: 'No await at the top of a module of the package.',
  },
  {
    selector: 'MetaProperty[meta.name="import"]',
    message: 'No import.meta in the package: not every bundler knows it.',
  },
];

export default [
  { ignores: ['build/', 'dist/', 'web/**/generated/', 'web/language/recorded/data/'] },
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
  {
    files: ['web/figures/**', 'web/inspector/**', 'web/site/scripts/**', 'web/assets/script.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['web/**'],
    ignores: ['web/build/**', 'web/recording/**', 'web/terminal/**', 'web/site/generator/**'],
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
    files: Object.keys(ROOMS).map((room) => `web/${room}/**`),
    plugins: { web: { rules: { rooms } } },
    rules: {
      'web/rooms': ['error', ROOMS],
      'no-restricted-syntax': ['error', UNSAFE_ATTRIBUTES, OVERWRITTEN.entries, ...AT_IMPORT],
    },
  },
  {
    files: ['web/attention/*.js', 'web/diagnosis/*.js', 'web/language/*.js'],
    rules: {
      'no-restricted-globals': ['error', ...CONNECTIONS, ...STORES, 'WebAssembly'],
    },
  },
  {
    files: ['web/inspector/view/source.js'], // an address that the page gives
    rules: { 'no-restricted-globals': ['error', ...CONNECTIONS.slice(1), ...STORES] },
  },
  { files: ['web/site/recipes/**'], languageOptions: { globals: globals.browser } },
  {
    files: ['web/site/recipes/observable.js', 'web/site/recipes/pool/notebook.js'], // what a notebook has
    languageOptions: { globals: { display: false, html: false } },
  },
  { files: ['web/site/recipes/pool/slider.js'], languageOptions: { globals: globals.browser } },
  {
    files: [
      'web/build/**',
      'web/recording/**',
      'web/terminal/**',
      'web/site/generator/**',
      'tests/**',
      '*.config.js',
    ],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
