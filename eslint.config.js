// Lint rules: eslint's recommended set, and the project's own prohibitions.
import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['build/', 'dist/', 'web/attention/kernel/generated/'] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, globals: { ...globals['shared-node-browser'] } },
    rules: {
      eqeqeq: 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-restricted-properties': [
        'error',
        { property: 'innerHTML', message: 'No HTML sinks: use lit templates or textContent.' },
        { property: 'outerHTML', message: 'No HTML sinks: use lit templates or textContent.' },
        { property: 'insertAdjacentHTML', message: 'No HTML sinks.' },
      ],
    },
  },
  { files: ['web/figures/**', 'web/page/**'], languageOptions: { globals: globals.browser } },
  {
    files: ['web/build/**', 'tests/**', '*.config.js'],
    languageOptions: { globals: { ...globals.node, ...globals.browser } },
  },
];
