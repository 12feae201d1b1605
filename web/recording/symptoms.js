// Records the heads of five small models, each with one fault, for "Training is unstable" on the page of <attn-view>:
//   npm run symptoms
// Python trains them with PyTorch (symptoms.py), in about ten seconds; to install it takes longer.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SYMPTOMS } from '../inspector/view/example.js';
import { writeModule } from './module.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const python = process.env.PYTHON ?? `${ROOT}build/symptoms/bin/python`;
const out = `${ROOT}build/symptoms/heads`;
mkdirSync(out, { recursive: true });
const script = fileURLToPath(new URL('symptoms.py', import.meta.url));
const losses = execFileSync(python, [script, out], { encoding: 'utf8' });
writeModule('../symptom-losses', JSON.stringify(JSON.parse(losses)));
for (const name of SYMPTOMS) {
  const file = readFileSync(`${out}/${name.replace('symptom-', '')}.safetensors`);
  writeModule(name, `'${file.toString('base64')}'`);
}
