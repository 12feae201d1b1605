// Build step: gathers the words of figures, and bundles the assets that are texts: the workers of pools, of long
// experiments and of the language model, which receive the page's kernel, and the bundle of <attn-view> for pages
// that it saves, with its hash.
//   node web/build/texts.js
// writes  FOLDER/generated/words.js, web/ROOM/generated/worker.js and
//         web/inspector/view/generated/bundle.js
import { sha256 } from '../site/generator/policy.js';
import { FORMS } from './forms.js';
import { inlineScript, outputOf, writeTexts } from './output.js';
import { at } from './paths.js';
import { gatherWords } from './words.js';

gatherWords();
for (const room of ['language', 'experiments', 'parallel']) {
  const [{ code }] = await outputOf(FORMS.worker(room));
  writeTexts(at(`${room}/generated/worker.js`), { text: code });
}
const text = await inlineScript(FORMS['view-bundle']());
writeTexts(at('inspector/view/generated/bundle.js'), { hash: sha256(text), text });
