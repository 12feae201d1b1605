// Build step: what the headers of C declare, as modules.
//   node web/build/embed-boundary.js OUT_DIR HEADER…
// writes  OUT_DIR/calls.js, the types of calls, and OUT_DIR/structs.js, which writes structs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsModule, readHeaders, structsModule } from './boundary.js';
import { writeGenerated } from './write.js';

const [outDirectory, ...files] = process.argv.slice(2);
const headers = readHeaders(files.map((file) => readFileSync(file, 'utf8')).join(''));
writeGenerated(join(outDirectory, 'calls.js'), callsModule(headers));
writeGenerated(join(outDirectory, 'structs.js'), structsModule(headers));
