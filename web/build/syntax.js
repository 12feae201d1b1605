// What modules and declarations say, read from their syntax.
import { parseAst } from 'vite';

/**
 * Calls a function with every node of a module (ESTree), or of a declaration.
 * @param {string} text
 * @param {(node: any) => void} visit
 * @param {'js' | 'dts'} [lang]
 */
export function eachNode(text, visit, lang = 'js') {
  const walk = (/** @type {any} */ node) => {
    visit(node);
    for (const child of Object.values(node).flat()) if (child?.type) walk(child);
  };
  walk(parseAst(text, { lang }));
}

/**
 * Lists the modules of its own package that a module imports, at its start or later, or takes types from.
 * @param {string} text
 * @param {'js' | 'dts'} [lang]
 */
export function importsOf(text, lang) {
  /** @type {string[]} */
  const found = [];
  const visit = (/** @type {any} */ { source }) => {
    const path = source?.value ?? source?.quasis?.[0].value.cooked; // minified, it is a template
    if (typeof path === 'string' && path.startsWith('.')) found.push(path);
  };
  eachNode(text, visit, lang);
  return found;
}
