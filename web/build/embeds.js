// Build step: embed/NAME.html, one file that needs no other, for frames that may be sandboxed.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { build } from 'vite';
import { renderStatic } from '../figures/kit/static.js';
import { isLedger } from './prerender.js';
import { policy, sha256 } from './policy.js';
import { embed, PAGE, SITE } from './vite.config.js';

/** @param {string} file in web/page/embed */
const read = async (file) => (await readFile(`${PAGE}/embed/${file}`, 'utf8')).trim();

/**
 * A bundle of one file, with what would end a script element, or change how it is read, written
 * otherwise.
 * @param {import('vite').InlineConfig} configuration
 */
export async function inlineScript(configuration) {
  const built = /** @type {import('vite').Rolldown.RolldownOutput[]} */ (
    await build(configuration)
  );
  const { code } = built[0].output[0];
  return code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/**
 * @param {string} name
 * @param {import('./prerender.js').FigureClass | import('./prerender.js').LedgerClass} figureClass
 */
export async function writeEmbed(name, figureClass) {
  const [script, style, template] = await Promise.all([
    inlineScript(embed(name)),
    read('embed.css'),
    read('template.html'),
  ]);
  /** @type {Record<string, string>} */
  const filling = {
    name,
    script,
    style,
    // All that the script itself may load is the kernel for engines without SIMD.
    policy: policy({ script: `${sha256(script)} 'strict-dynamic'`, style: sha256(style) }),
    picture: isLedger(figureClass) ? '' : renderStatic(figureClass.spec),
  };
  // White space around a mark is the formatter's; it would change what the hashes are of.
  const html = template.replace(
    /\s*<!--(\w+)-->\s*|%(\w+)%/g,
    (_, block, inline) => filling[block ?? inline],
  );
  await mkdir(`${SITE}/embed`, { recursive: true });
  await writeFile(`${SITE}/embed/${name}.html`, `${html}\n`);
}
