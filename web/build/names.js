// Build step: short names for the variables of a bundle.
//
// A minifier calls a function's variables e, t, n in their order, so that the same thing is `e` here
// and `t` there, and a compressor finds little that repeats. Here a name of the source, `palette` say,
// keeps its letter from function to function wherever that is free: 1 % less, compressed.
// The letters are dealt as registers are to variables: names that meet in functions get different ones.

import { analyze } from 'eslint-scope';
import { parseAst } from 'vite';

/**
 * @typedef {import('eslint-scope').Variable} Variable
 * @typedef {import('eslint-scope').Scope} Scope
 * @typedef {{ start: number, name: string }} Place  of an identifier in the text
 */

const LETTERS = 'etnraiosclduhmpfgbvwkyjxqzETNRAIOSCLDUHMPFGBVWKYJXQZ_$';
/** Few, so that they repeat; a function that meets more of them takes the next free one. */
const DEALT = 16;
/** Names of a module, which every function sees, leave it the first letters. */
const FIRST_OF_MODULE = 26;

const isWord = (/** @type {string} */ name) => /^(as|do|if|in|is|of)$/.test(name);

const NAMES = [
  ...LETTERS,
  ...[...LETTERS].flatMap((first) => [...LETTERS, ...'0123456789'].map((next) => first + next)),
].filter((name) => !isWord(name));

/** @param {Variable} variable  @returns {Place[]} where it is declared and where it is meant */
const placesOf = ({ identifiers, references }) =>
  /** @type {any[]} */ ([...identifiers, ...references.map(({ identifier }) => identifier)]);

/** @param {string} code */
function scopesOf(code) {
  const ast = parseAst(code, { range: true });
  const { scopes, globalScope } = analyze(/** @type {any} */ (ast), {
    ecmaVersion: 2022,
    sourceType: 'module',
  });
  const globals = new Set(
    globalScope?.through.map(({ identifier }) => /** @type {any} */ (identifier).name),
  );
  return { ast, globals, scopes: scopes.filter(({ type }) => type !== 'global') };
}

/**
 * A letter for every name of the source that functions use.
 * @param {readonly Scope[]} functions  the scopes below the module's
 */
function dealLetters(functions) {
  /** @type {Map<string, { uses: number, meets: Set<number> }>} the places where each name is in sight */
  const names = new Map();
  functions.forEach((scope, index) => {
    for (let at = scope; at.type !== 'module'; at = /** @type {Scope} */ (at.upper)) {
      for (const { name, references } of at.variables) {
        const found = names.get(name) ?? { uses: 0, meets: new Set() };
        if (at === scope) found.uses += 1 + references.length;
        names.set(name, { ...found, meets: found.meets.add(index) });
      }
    }
  });
  const taken = Array.from({ length: DEALT }, () => /** @type {Set<number>} */ (new Set()));
  /** @type {Map<string, string>} */
  const letters = new Map();
  for (const [name, { meets }] of [...names].sort(([, a], [, b]) => b.uses - a.uses)) {
    const clashes = taken.map((places) => [...meets].filter((place) => places.has(place)).length);
    const best = clashes.indexOf(Math.min(...clashes));
    letters.set(name, LETTERS[best]);
    for (const place of meets) taken[best].add(place);
  }
  return letters;
}

/**
 * @param {readonly Scope[]} scopes  the module's first
 * @param {ReadonlySet<string>} globals
 * @returns {Map<Variable, string>} the new name of each
 */
function chooseNames([module, ...functions], globals) {
  const letters = dealLetters(functions);
  /** @type {Map<Variable, string>} */
  const chosen = new Map();
  const free = NAMES.slice(FIRST_OF_MODULE).filter((name) => !globals.has(name));
  [...module.variables]
    .sort((a, b) => b.references.length - a.references.length)
    .forEach((variable, index) => chosen.set(variable, free[index]));

  for (const scope of functions) {
    const seen = scope.through.map(({ resolved }) => resolved);
    // A block may not declare anew what its `catch` has caught.
    if (scope.upper?.type === 'catch') seen.push(...scope.upper.variables);
    const avoid = new Set([
      ...globals,
      ...seen.map((variable) => variable && chosen.get(variable)),
    ]);
    for (const variable of scope.variables) {
      if (variable.identifiers.length === 0) continue; // `arguments`
      const wanted = [letters.get(variable.name) ?? '', ...NAMES];
      const name = outerNameOf(variable, chosen) ?? wanted.find((each) => !avoid.has(each)) ?? '';
      chosen.set(variable, name);
      avoid.add(name);
    }
  }
  return chosen;
}

/** A class is a variable around it and one inside it. @param {Variable} variable  @param {Map<Variable, string>} chosen */
function outerNameOf({ scope, name, identifiers }, chosen) {
  if (scope.type !== 'class') return undefined;
  const outer = scope.upper?.set.get(name);
  return outer && outer.identifiers[0] === identifiers[0] ? chosen.get(outer) : undefined;
}

/**
 * What the scopes do not tell: identifiers that say two things at once, as `{ a }` is `{ a: a }` and
 * `export { a }` exports it as a; and private names, which no other code can see.
 * @param {any} ast
 */
function readTree(ast) {
  /** @type {Map<number, (from: string, to: string) => string>} how it is written out, by place */
  const doubles = new Map();
  /** @type {Place[]} */
  const privates = [];
  /** @param {any} node */
  const visit = (node) => {
    if (node.type === 'PrivateIdentifier') privates.push(node);
    if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      throw new Error('short names: what is exported where it is declared would lose its name');
    }
    if (node.type === 'Property' && node.shorthand) {
      doubles.set(node.key.start, (from, to) => `${from}:${to}`);
    } else if (node.type === 'ExportSpecifier' && node.local.start === node.exported.start) {
      doubles.set(node.local.start, (from, to) => `${to} as ${from}`);
    } else if (node.type === 'ImportSpecifier' && node.local.start === node.imported.start) {
      doubles.set(node.local.start, (from, to) => `${from} as ${to}`);
    }
    for (const child of Object.values(node).flat()) if (child?.type) visit(child);
  };
  visit(ast);
  return { doubles, privates };
}

/**
 * Which identifiers mean the same, in the order of the text: what renaming must not change.
 * @param {ReturnType<typeof scopesOf>} parsed
 */
function meanings({ scopes, globals }) {
  /** @type {Map<number, Place>} the declaration that each identifier means */
  const declared = new Map();
  for (const { variables } of scopes) {
    for (const variable of variables) {
      const [first = { start: -1, name: variable.name }] = placesOf(variable);
      for (const { start } of placesOf(variable)) declared.set(start, first);
    }
  }
  const order = [...declared.keys()].sort((a, b) => a - b);
  const rank = new Map(order.map((start, index) => [start, index]));
  const meant = order.map(
    (start) => rank.get(declared.get(start)?.start ?? -1) ?? declared.get(start)?.name,
  );
  return JSON.stringify([meant, [...globals].sort()]);
}

/**
 * The same module with short names; what it exports keeps its names.
 * @param {string} code  whose variables have the names of the source
 * @returns {string}
 * @throws {Error} if an identifier came to mean something else, or an export would lose its name
 */
export function shortNames(code) {
  const parsed = scopesOf(code);
  const { doubles, privates } = readTree(parsed.ast);
  /** @type {Map<number, [string, string]>} */
  const edits = new Map();
  const privateNames = [...new Set(privates.map(({ name }) => name))];
  for (const { start, name } of privates) {
    edits.set(start, [`#${name}`, `#${NAMES[privateNames.indexOf(name)]}`]);
  }
  for (const [variable, to] of chooseNames(parsed.scopes, parsed.globals)) {
    for (const { start } of placesOf(variable)) edits.set(start, [variable.name, to]);
  }
  let short = '';
  let end = 0;
  for (const [start, [from, to]] of [...edits].sort(([a], [b]) => a - b)) {
    short += code.slice(end, start) + (doubles.get(start)?.(from, to) ?? to);
    end = start + from.length;
  }
  short += code.slice(end);
  if (meanings(scopesOf(short)) !== meanings(parsed)) {
    throw new Error('short names changed what an identifier means');
  }
  return short;
}
