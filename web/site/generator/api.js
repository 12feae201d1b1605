// Build step: the reference of the package, from its docstrings to the pages en/api and zh/api.
import { readdirSync, readFileSync } from 'node:fs';
import * as attention from '../../attention/index.js';
import * as experiments from '../../figures/rows.js';
import * as files from '../../inspector/reading/index.js';
import * as language from '../../language/index.js';
import * as parallel from '../../parallel/index.js';
import * as theory from '../../theory/index.js';
import { examplesModule, runExample } from './api-examples.js';
import { citationsIn, gapsOf, readDocs, readEntry, typedefsIn } from './api-read.js';

/**
 * @import { Plugin } from 'vite'
 *
 * @typedef {Awaited<ReturnType<typeof readReference>>} Reference
 * @typedef {Reference['entries'][number]} ReferenceEntry
 * @typedef {ReturnType<typeof typesIn>} TypeOf
 */

const WEB = new URL('../../', import.meta.url);
/** The rooms, and files, whose docstrings are those of an entry of the package. @type {[folders: string[], exported: object][]} */
const ROOMS = [
  [['attention', 'diagnosis'], attention],
  [['parallel'], parallel],
  [['inspector/reading'], files],
  [['language'], language],
  [['theory'], theory],
  [['figures/rows.js'], experiments],
];
/** What else has types that these name. */
const FURTHER = ['figures/kit/chart/tidy-row.js', 'shared'];

/** The rooms whose every function has an example. @type {object[]} */
const EXEMPLARY = [attention, parallel, files, language];

/** Options whose `returns` is a type of its own for the compiler's sake. */
const ASKING = /^Asking<(\w+), .*>$/;

/** Reads all docstrings and runs their examples. */
export async function readReference() {
  const rooms = ROOMS.map(([folders, exported]) => ({ exported, docs: folders.flatMap(docsIn) }));
  const typeOf = typesIn([...rooms.flatMap(({ docs }) => docs), ...FURTHER.flatMap(docsIn)]);
  const entries = [];
  for (const { exported, docs } of rooms) {
    const documented = docs.filter(({ name }) => name && Object.hasOwn(exported, name));
    for (const doc of documented) {
      const entry = readEntry(doc, Reflect.get(exported, doc.name ?? ''));
      const [gap] = gapsOf(entry, { example: EXEMPLARY.includes(exported) });
      if (gap) throw new Error(`${doc.file}: ${entry.name} ${gap}`);
      if (entry.returns) entry.returns.type = resultOf(entry.returns.type, doc.file, typeOf);
      for (const param of entry.params) param.type = param.type.replace(ASKING, '$1');
      const examples = [];
      for (const text of entry.examples) examples.push(await runExample(entry.name, text));
      const sources = citationsIn(`${doc.about}\n\n${doc.description}`);
      const { file, isInner, about } = doc;
      entries.push({ ...entry, file, isInner, about, sources, examples });
    }
    const lost = Object.keys(exported).find((name) => !documented.some((doc) => doc.name === name));
    if (lost) throw new Error(`${lost} is exported but has no docstring`);
  }
  const examples = entries.flatMap((entry) => entry.examples);
  return { entries, typeOf, examplesModule: examplesModule(examples) };
}

/** Returns the docstrings of a file, or of a room, files in the order of its index. @param {string} room */
function docsIn(room) {
  if (room.endsWith('.js')) return docsOf(room);
  const read = (/** @type {string} */ file) =>
    readFileSync(new URL(`${room}/${file}`, WEB), 'utf8');
  const all = readdirSync(new URL(room, WEB), { recursive: true, encoding: 'utf8' });
  const files = all.filter((file) => file.endsWith('.js') && !file.includes('generated'));
  /** Lists the files that a list of exports names, in its order. @type {(list: string) => string[]} */
  const namedIn = (list) =>
    [...read(list).matchAll(/^export (\*|\{[^}]*\}) from '\.\/(.*)';/gm)].flatMap(
      ([, names, file]) => (names === '*' ? namedIn(file) : [file]),
    );
  const named = files.includes('index.js') ? namedIn('index.js') : [];
  return [...new Set([...named, ...files])].flatMap((file) =>
    docsOf(`${room}/${file}`, file.includes('/')),
  );
}

/** Returns the docstrings of a file. @param {string} file @param {boolean} [isInner] in a folder of its room */
function docsOf(file, isInner = false) {
  const { docs, about } = readDocs(readFileSync(new URL(file, WEB), 'utf8'));
  return docs.map((doc) => ({ ...doc, file, isInner, about }));
}

/**
 * Returns the type that a name means in a file: its own, else one of its room, else that of another room.
 * @param {ReturnType<typeof docsIn>} docs
 */
function typesIn(docs) {
  const typedefs = typedefsIn(docs);
  const roomOf = (/** @type {string} */ path) => path.split('/')[0];
  return (/** @type {string} */ name, /** @type {string} */ file) => {
    const all = typedefs.filter((typedef) => typedef.name === name);
    const inRoom = all.filter((typedef) => roomOf(typedef.file) === roomOf(file));
    return all.find((typedef) => typedef.file === file) ?? inRoom[0] ?? all[0];
  };
}

/**
 * Returns the results for `Returned<A, Results>`, by which a compiler knows which of them exist.
 * @param {string} type
 * @param {string} file
 * @param {TypeOf} typeOf
 */
const resultOf = (type, file, typeOf) =>
  typeOf(type.match(/^Returned<\w+, (\w+)>$/)?.[1] ?? '', file)?.type ?? type;

/** Gives the pages their examples as a module. @param {string} source @returns {Plugin} */
export const examplesPlugin = (source) => ({
  name: 'reference-examples',
  load: (id) => (id.endsWith('scripts/reference-examples.js') ? source : undefined),
});
