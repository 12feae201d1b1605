// The words of <attn-view> in all languages.
export { messages } from './generated/words.js';
