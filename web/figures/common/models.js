// What figures do with trained models: one file more, loaded when the first of them needs it.

export * as words from '../words/models.js';
export * as language from '../language/models.js';
export * as roles from '../roles/models.js';
