// Build step: the programs in the text of a page.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { SOURCES } from '../../build/paths.js';
import { escapeHtml } from './markdown.js';

/** What programs print, by their source: a page is rendered anew at each change. @type {Map<string, string>} */
const outputs = new Map();

/**
 * Returns a program of web/site/examples, byte for byte as it runs, and its output in Node.
 * @param {string} name
 */
export async function renderExample(name) {
  const file = `${SOURCES}/examples/${name}.js`;
  const source = await readFile(file, 'utf8');
  const output =
    outputs.get(source) ?? (await promisify(execFile)(process.execPath, [file])).stdout.trimEnd();
  outputs.set(source, output);
  return `<pre tabindex="0"><code>${escapeHtml(source.trimEnd())}</code></pre>
<pre class="output" data-output-of="${name}"><samp>${escapeHtml(output)}</samp></pre>`;
}
