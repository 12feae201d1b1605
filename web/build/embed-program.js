// Build step: bundles the program of the pages that <attn-view> saves, as text, with its hash.
//   node web/build/embed-program.js
// writes  web/figures/view/generated/program.js
import { sha256 } from '../site/generator/policy.js';
import { savedPage } from './bundles.js';
import { inlineScript, writeTexts } from './output.js';
import { at } from './vite.config.js';

const text = await inlineScript(savedPage());
writeTexts(at('figures/view/generated/program.js'), { hash: sha256(text), text });
