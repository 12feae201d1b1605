import { readdir, readFile } from 'node:fs/promises';
import { diagnose, diagnosisCourse } from 'attention-lab';
import { readSeries } from 'attention-lab/files';

const names = (await readdir('.')).filter((name) => /^attention-.*npz$/.test(name));
const files = names.map((name) => ({ name, arrayBuffer: () => readFile(name) }));
const reports = [];
for (const { step, read } of await readSeries(files)) {
  const { query, key, scale, mask, causal } = await read(); // with layerScales, where layers differ
  const options = { scale, mask, causal: causal && 'lower-right' };
  reports.push({ step, diagnoses: diagnose(query, key, options) });
}
for (const row of diagnosisCourse(reports)) console.log(JSON.stringify(row));
