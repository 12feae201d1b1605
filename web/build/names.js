// Build step: short names for the variables of a bundle.
//
// A minifier calls a function's variables e, t, n in their order, so that the same thing is `e` here
// and `t` there, and a compressor finds little that repeats. Here a variable gets the letter that
// stands most often where it stands: under the same name of the source, and after and before the same
// characters; 2 % less, compressed. It is read off the text, so the names are dealt in rounds.

import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { analyze } from 'eslint-scope';
import { parseAst } from 'vite';

/**
 * @typedef {import('eslint-scope').Variable} Variable
 * @typedef {import('eslint-scope').Scope} Scope
 * @typedef {{ start: number, name: string }} Place  of an identifier in the text
 * @typedef {ReadonlyMap<Variable | string, string>} Names
 */

const LETTERS = 'etnraiosclduhmpfgbvwkyjxqzETNRAIOSCLDUHMPFGBVWKYJXQZ_$';
/** Names of a module, which every function sees, leave it the first letters. */
const FIRST_OF_MODULE = 26;
/** They better the names, then swing about the best. */
const ROUNDS = 6;
/** How much more it tells that a name has stood somewhere at all than that it has so often. */
const FIRST_SIGHT = 16;

/** How many characters before and after a name tell which it is, alone and together. */
const NEIGHBOURS = [
  [2, 0],
  [4, 0],
  [6, 0],
  [0, 2],
  [0, 4],
  [0, 6],
  [4, 4],
  [6, 3],
  [3, 6],
  [10, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [1, 3],
  [3, 1],
  [14, 0],
  [0, 10],
  [0, 16],
  [24, 0],
  [6, 6],
];

const isWord = (/** @type {string} */ name) => /^(as|do|if|in|is|of)$/.test(name);

const NAMES = [
  ...LETTERS,
  ...[...LETTERS].flatMap((first) => [...LETTERS, ...'0123456789'].map((next) => first + next)),
].filter((name) => !isWord(name));

/** @param {Variable} variable  @returns {Place[]} where it is declared and where it is meant */
const placesOf = ({ identifiers, references }) =>
  /** @type {any[]} */ ([...identifiers, ...references.map(({ identifier }) => identifier)]);

/** A class is a variable around it and one inside it. @param {Variable} variable  @returns {Variable} */
function outermost(variable) {
  const { scope, name, identifiers } = variable;
  const outer = scope.type === 'class' && scope.upper?.set.get(name);
  return outer && outer.identifiers[0] === identifiers[0] ? outer : variable;
}

/** All but `arguments`. @param {Scope} scope  @returns {Variable[]} */
const named = ({ variables }) => variables.filter(({ identifiers }) => identifiers.length > 0);

/** @param {string} code */
export function scopesOf(code) {
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
 * The variables of each function that must be told apart: those of one scope, and those around it
 * that are used in it.
 * @param {readonly Scope[]} functions  the scopes below the module's
 */
function rivalsOf(functions) {
  /** @type {Map<Variable, Set<Variable>>} */
  const rivals = new Map();
  const add = (/** @type {Variable} */ one, /** @type {Variable} */ other) =>
    rivals.set(one, (rivals.get(one) ?? new Set()).add(other));
  for (const scope of functions) {
    const own = named(scope);
    const seen = [...own, ...scope.through.map(({ resolved }) => resolved)];
    // A block may not declare anew what its `catch` has caught.
    if (scope.upper?.type === 'catch') seen.push(...scope.upper.variables);
    for (const one of own.map(outermost)) {
      for (const other of seen) {
        if (!other || outermost(other) === one) continue;
        add(one, outermost(other));
        add(outermost(other), one);
      }
    }
  }
  return rivals;
}

const compress = promisify(brotliCompress);

/** @param {string} text */
const withSize = async (text) => ({ text, size: (await compress(text)).length });

/** @param {Names} names  @param {Variable | string} of  @returns {string} */
const nameIn = (names, of) => /** @type {string} */ (names.get(of));

/**
 * A text whose names are to be shortened.
 * @typedef {object} Text
 * @property {string} code
 * @property {readonly Meant[]} places  in order
 * @property {ReadonlyMap<number, [before: string, after: string]>} doubles  what is added to a name, by place
 * @property {Names} fixed  names that stay in every round
 * @property {ReadonlyMap<Variable, ReadonlySet<Variable>>} rivals
 * @property {ReadonlySet<string>} globals
 * @typedef {Place & { of: Variable | string }} Meant  a place, and what it means; of a private name its text
 */

/**
 * @param {Text} text
 * @param {Names} names
 * @returns {{ code: string, starts: number[] }} starts: where the places are now
 */
function write({ code, places, doubles }, names) {
  let written = '';
  let end = 0;
  const starts = places.map(({ start, name, of }) => {
    const [before, after] = doubles.get(start) ?? ['', ''];
    written += code.slice(end, start) + before;
    const at = written.length;
    written += nameIn(names, of) + after;
    end = start + name.length;
    return at;
  });
  return { code: written + code.slice(end), starts };
}

/**
 * What stands around each variable of a function, wherever that stands.
 * @param {Text} text
 * @param {Names} names
 */
function surroundings(text, names) {
  const { code, starts } = write(text, names);
  /** @type {Map<Variable, string[]>} */
  const found = new Map();
  text.places.forEach(({ name, of }, index) => {
    if (typeof of === 'string' || text.fixed.has(of)) return;
    const start = starts[index];
    const end = start + nameIn(names, of).length;
    const around = NEIGHBOURS.map(
      ([before, after]) =>
        `${code.slice(start - before, start)} ${after} ${code.slice(end, end + after)}`,
    );
    const known = found.get(of) ?? [];
    known.push(name.replace(/\$\d+$/, ''), ...around); // Rolldown tells two apart by a number
    found.set(of, known);
  });
  return found;
}

/** @typedef {Map<string, Map<string, number>>} Counts  by what stands around: how often each name does */

/** @param {Counts} counts  @param {readonly string[]} around  @param {string} name  @param {1 | -1} by */
function count(counts, around, name, by) {
  for (const key of around) {
    const times = counts.get(key) ?? new Map();
    counts.set(key, times.set(name, (times.get(name) ?? 0) + by));
  }
}

/** @param {Counts} counts  @param {readonly string[]} around  @returns {string[]} the likeliest first */
function likely(counts, around) {
  /** @type {Map<string, number>} */
  const fit = new Map();
  for (const key of around) {
    for (const [name, times] of counts.get(key) ?? []) {
      fit.set(name, (fit.get(name) ?? 0) + Math.log2(1 + FIRST_SIGHT * times));
    }
  }
  return [...fit].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/**
 * A round: names for all variables of functions, the most used first, by what stood around the same
 * names in the last round.
 * @param {Text} text
 * @param {Names} last
 * @returns {Names}
 */
function deal(text, last) {
  /** @type {Counts} */
  const counts = new Map();
  const variables = [...surroundings(text, last)].sort(([, a], [, b]) => b.length - a.length);
  for (const [variable, around] of variables) count(counts, around, nameIn(last, variable), 1);
  const names = new Map(text.fixed);
  for (const [variable, around] of variables) {
    count(counts, around, nameIn(last, variable), -1);
    const rivals = [...(text.rivals.get(variable) ?? [])].map((rival) => names.get(rival));
    const taken = new Set([...text.globals, ...rivals]);
    const isFree = (/** @type {string} */ name) => !taken.has(name);
    const name = likely(counts, around).find(isFree) ?? NAMES.find(isFree) ?? '';
    names.set(variable, name);
    count(counts, around, name, 1);
  }
  return names;
}

/**
 * What the scopes do not tell: identifiers that say two things at once, as `{ a }` is `{ a: a }` and
 * `export { a }` exports it as a; and private names, which no other code can see.
 * @param {any} ast
 */
function readTree(ast) {
  /** @type {Map<number, [before: string, after: string]>} what is added to the name, by place */
  const doubles = new Map();
  /** @type {Place[]} */
  const privates = [];
  /** @param {any} node */
  const visit = (node) => {
    if (node.type === 'PrivateIdentifier') {
      privates.push({ start: node.start, name: `#${node.name}` });
    }
    if (node.type === 'ExportNamedDeclaration' && node.declaration) {
      throw new Error('short names: what is exported where it is declared would lose its name');
    }
    if (node.type === 'Property' && node.shorthand) {
      doubles.set(node.key.start, [`${node.key.name}:`, '']);
    } else if (node.type === 'ExportSpecifier' && node.local.start === node.exported.start) {
      doubles.set(node.local.start, ['', ` as ${node.local.name}`]);
    } else if (node.type === 'ImportSpecifier' && node.local.start === node.imported.start) {
      doubles.set(node.local.start, [`${node.local.name} as `, '']);
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
 * The names that stay in every round: of the module, which all functions see, and private ones.
 * @param {Scope} module
 * @param {readonly Place[]} privates
 * @param {ReadonlySet<string>} globals
 * @returns {Names}
 */
function fixedNames({ variables }, privates, globals) {
  /** @type {Map<Variable | string, string>} */
  const fixed = new Map();
  for (const { name } of privates) fixed.set(name, fixed.get(name) ?? `#${NAMES[fixed.size]}`);
  const free = NAMES.slice(FIRST_OF_MODULE).filter((name) => !globals.has(name));
  const ranked = [...variables].sort((a, b) => b.references.length - a.references.length);
  ranked.forEach((variable, index) => fixed.set(variable, free[index]));
  return fixed;
}

/**
 * Names to begin with, which may clash: each name of the source has its letter, the most used ones
 * one each.
 * @param {Text} text
 * @returns {Names}
 */
function firstNames({ places, fixed }) {
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (const { name } of places) uses.set(name, (uses.get(name) ?? 0) + 1);
  const order = [...uses].sort(([, a], [, b]) => b - a).map(([name]) => name);
  const letters = new Map(order.map((name, index) => [name, LETTERS[index % FIRST_OF_MODULE]]));
  return new Map([
    ...places.map(({ of, name }) => /** @type {const} */ ([of, letters.get(name) ?? ''])),
    ...fixed,
  ]);
}

/**
 * The same module with short names; what it exports keeps its names.
 * @param {string} code  whose variables have the names of the source
 * @param {number} [rounds]
 * @returns {Promise<string>}
 * @throws {Error} if an identifier came to mean something else, or an export would lose its name
 */
export async function shortNames(code, rounds = ROUNDS) {
  const parsed = scopesOf(code);
  const { doubles, privates } = readTree(parsed.ast);
  const [module, ...functions] = parsed.scopes;
  /** @type {Map<number, Meant>} */
  const places = new Map(privates.map((place) => [place.start, { ...place, of: place.name }]));
  for (const variable of parsed.scopes.flatMap(named)) {
    for (const { start, name } of placesOf(variable)) {
      places.set(start, { start, name, of: outermost(variable) });
    }
  }
  /** @type {Text} */
  const text = {
    code,
    doubles,
    places: [...places.values()].sort((a, b) => a.start - b.start),
    fixed: fixedNames(module, privates, parsed.globals),
    rivals: rivalsOf(functions),
    globals: parsed.globals,
  };
  let names = firstNames(text);
  const tried = [];
  for (let round = 0; round < rounds; round++) {
    names = deal(text, names);
    tried.push(withSize(write(text, names).code)); // on another processor, while the next are dealt
  }
  const [{ text: short }] = (await Promise.all(tried)).sort((a, b) => a.size - b.size);
  if (meanings(scopesOf(short)) !== meanings(parsed)) {
    throw new Error('short names changed what an identifier means');
  }
  return short;
}
