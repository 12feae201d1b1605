// Build step: what the headers of C declare, as modules.
//   node web/build/embed-boundary.js OUT_DIR HEADER…
// writes  OUT_DIR/calls.js, the types of calls, and OUT_DIR/structs.js, which writes structs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsModule, readHeaders, structsModule } from './boundary.js';

const [outDirectory, ...files] = process.argv.slice(2);
const headers = readHeaders(files.map((file) => readFileSync(file, 'utf8')).join(''));
mkdirSync(outDirectory, { recursive: true });
writeFileSync(join(outDirectory, 'calls.js'), callsModule(headers));
writeFileSync(join(outDirectory, 'structs.js'), structsModule(headers));
