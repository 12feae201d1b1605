// The modules that recordings write.
import { mkdirSync, writeFileSync } from 'node:fs';

export const FOLDER = new URL('../language/recorded/data/', import.meta.url);

/** Writes a module. @param {string} name  @param {string} content */
export function writeModule(name, content) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.js`, FOLDER), `export default ${content};\n`);
}
