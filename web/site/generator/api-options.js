// Build step: the properties of a type, as a docstring writes it: those of the types that it names, put together and
// cut by `&`, `|`, `Omit`, `Pick` and `Partial`.
import { parseAst } from 'vite';

/**
 * @import { Tag } from './api-read.js'
 * @import { TypeOf } from './api.js'
 */

/**
 * Returns the properties of a type; of two with one name the later.
 * @param {string} type
 * @param {string} file whose docstring has it
 * @param {TypeOf} typeOf
 * @returns {Tag[]}
 */
export function propertiesOf(type, file, typeOf) {
  const source = `type T = ${type};`;
  const textOf = (/** @type {any} */ { start, end }) => source.slice(start, end);
  const merge = (/** @type {any[]} */ nodes) => [
    ...new Map(nodes.flatMap(visit).map((each) => [each.name, each])).values(),
  ];
  const namesIn = (/** @type {any} */ node) =>
    [...textOf(node).matchAll(/'([^']*)'/g)].map(([, name]) => name);

  /** Returns the properties of a name with arguments. @param {any} node @returns {Tag[]} */
  function visitName(node) {
    const name = textOf(node.typeName);
    const [first, second] = node.typeArguments?.params ?? [];
    if (name === 'Omit') return visit(first).filter((each) => !namesIn(second).includes(each.name));
    if (name === 'Pick') return visit(first).filter((each) => namesIn(second).includes(each.name));
    if (name === 'Partial') return visit(first).map((each) => ({ ...each, optional: true }));
    const typedef = typeOf(name, file);
    if (!typedef) return [];
    const { properties } = typedef;
    return properties.length > 0 ? properties : propertiesOf(typedef.type, typedef.file, typeOf);
  }

  /** @param {any} node @returns {Tag[]} */
  function visit(node) {
    switch (node.type) {
      case 'TSParenthesizedType':
        return visit(node.typeAnnotation);
      case 'TSIntersectionType':
      case 'TSUnionType':
        return merge(node.types);
      case 'TSTypeReference':
        return visitName(node);
      case 'TSTypeLiteral':
        return node.members.map((/** @type {any} */ { key, optional, typeAnnotation }) => ({
          name: textOf(key),
          type: textOf(typeAnnotation.typeAnnotation),
          optional,
          description: '',
        }));
      default:
        return [];
    }
  }
  const [statement] = /** @type {any[]} */ (parseAst(source, { lang: 'ts' }).body);
  return visit(statement.typeAnnotation);
}
