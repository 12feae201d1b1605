// What an editor shows of the package: the compiler's language service, asked about a text with a mark.
import { join } from 'node:path';

/**
 * Returns the completions, the documentation and the errors at the mark `|` of a program.
 * @param {any} ts a compiler, of those that have the service in JavaScript
 * @param {string} folder where the package is installed
 * @param {string} marked
 */
export function editorAt(ts, folder, marked) {
  const [at, program] = [marked.indexOf('|'), marked.replace('|', '')];
  const file = join(folder, 'edited.mts');
  const has = (/** @type {string} */ path) => path === file || ts.sys.fileExists(path);
  const read = (/** @type {string} */ path) => (path === file ? program : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: has,
    readFile: read,
    getCompilationSettings: () => ({
      strict: true,
      types: [],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
    }),
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (/** @type {string} */ path) =>
      has(path) ? ts.ScriptSnapshot.fromString(read(path)) : undefined,
  });
  const shown = service.getQuickInfoAtPosition(file, at);
  return {
    completions: service.getCompletionsAtPosition(file, at, {})?.entries.map(nameOf) ?? [],
    documentation: ts.displayPartsToString(shown?.documentation),
    errors: service
      .getSemanticDiagnostics(file)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
  };
}

/** @param {{ name: string }} entry */
const nameOf = ({ name }) => name;
