// Build step: what an article's HTML leaves to be filled in. All of it is there before any script
// runs, so that the page reads without JavaScript and nothing moves when the scripts arrive:
//   \( TeX \), \[ TeX \]              static MathML
//   <attn-NAME …></attn-NAME>         the figure as it will look (prerender.js)
//   <pre data-example="NAME"></pre>   the source of web/page/examples/NAME.js and what it prints
//   <span data-live="NAME"></span>    a number of web/page/live.js
//   <nav class="contents"></nav>      links to all headings
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { renderFormulas } from './formulas.js';

/**
 * @typedef {{
 *   figure: (name: string, attributes: Record<string, string>) => string,
 *   example: (name: string) => Promise<{ source: string, output: string }>,
 *   live: (name: string) => string,
 * }} Parts where the parts of an article come from
 */

const escape = (/** @type {string} */ text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** @param {string} text the attributes of a tag */
const attributesOf = (text) =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );

/**
 * @param {string} html
 * @param {Parts} parts
 * @returns {Promise<string>}
 */
export async function renderArticle(html, { figure, example, live }) {
  const filled = html
    .replace(/<attn-(\w+)([^>]*)>\s*<\/attn-\1\s*>/g, (_, name, attributes) => {
      const inside = figure(name, attributesOf(attributes));
      return `<attn-${name}${attributes}>${inside}</attn-${name}>`;
    })
    .replace(/(<span\s+data-live="([\w-]+)"\s*>)[^<]*/g, (_, tag, name) => tag + live(name));
  return renderFormulas(await renderExamples(renderContents(filled), example));
}

/** @param {string} html */
function renderContents(html) {
  const links = [...html.matchAll(/<h2 id="(.*?)">(.*?)<\/h2>/g)].map(
    ([, id, heading]) => `<li><a href="#${id}">${heading}</a></li>`,
  );
  return html.replace(/<nav class="contents".*?>/, (tag) => `${tag}<ul>${links.join('')}</ul>`);
}

/**
 * @param {string} html
 * @param {Parts['example']} example
 */
async function renderExamples(html, example) {
  let rendered = html;
  for (const [tag, name] of html.matchAll(/<pre\s+data-example="([\w-]+)"\s*><\/pre\s*>/g)) {
    const { source, output } = await example(name);
    rendered = rendered.replace(
      tag,
      () => `<pre tabindex="0"><code>${escape(source)}</code></pre>
<pre class="output" data-output-of="${name}"><samp>${escape(output)}</samp></pre>`,
    );
  }
  return rendered;
}

/**
 * An example's source, byte for byte what runs, and what it prints in Node.
 * @type {Parts['example']}
 */
export async function exampleFromFile(name) {
  const file = fileURLToPath(new URL(`../page/examples/${name}.js`, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return { source: (await readFile(file, 'utf8')).trimEnd(), output: stdout.trimEnd() };
}
