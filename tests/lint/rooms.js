// Lint rule: the rooms of web/ that a room may import from. A rule of our own, because those of
// eslint-plugin-import-x do not see the types that JSDoc comments import.
import { dirname, join, relative, sep } from 'node:path';

/** @import { Rule } from 'eslint' */

const TYPE_IMPORTS = /(?:@import\s[^']*?from\s+|\bimport\()'([^']+)'/g;

/**
 * The option maps each room, a folder below `web`, to the rooms, files and packages that it may import
 * from besides itself. A folder inside a room that has an entry is a room too.
 * @type {Rule.RuleModule}
 */
export const rooms = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      forbidden: '{{room}} may not import {{target}}, but only: {{allowed}}.',
      extension: 'Browsers resolve {{target}} only with its extension, .js.',
    },
  },
  create(context) {
    const [allowedOf] = context.options;
    const names = Object.keys(allowedOf).sort((a, b) => b.length - a.length);
    const web = join(context.cwd, 'web');
    const roomOf = (/** @type {string} */ path) => names.find((name) => isIn(path, name));
    const file = relative(web, context.filename).split(sep).join('/');
    const room = roomOf(file);
    if (!room) return {};
    const allowed = [room, ...allowedOf[room]];

    /** @param {{ loc?: any }} node @param {string} specifier */
    function check({ loc }, specifier) {
      const isFile = specifier.startsWith('.');
      const path = relative(web, join(dirname(context.filename), specifier))
        .split(sep)
        .join('/');
      const target = isFile ? path : specifier;
      const fits = roomOf(target) === room || allowed.slice(1).some((name) => isIn(target, name));
      const data = { room, target, allowed: allowed.join(', ') };
      if (!fits) context.report({ loc, messageId: 'forbidden', data });
      else if (isFile && !target.endsWith('.js')) {
        context.report({ loc, messageId: 'extension', data });
      }
    }

    const checkSource = (/** @type {any} */ { source }) => {
      if (typeof source?.value === 'string') check(source, source.value);
    };
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: checkSource,
      Program() {
        for (const comment of context.sourceCode.getAllComments())
          for (const [, specifier] of comment.value.matchAll(TYPE_IMPORTS))
            check(comment, specifier);
      },
    };
  },
};

/** @param {string} path @param {string} folder or file */
const isIn = (path, folder) => path === folder || path.startsWith(`${folder}/`);
