// The package.json of the package as published, from that of the repository.
import { ELEMENTS } from './paths.js';

/** Returns the path in the package. @param {string} path in the exports map of the repository */
const published = (path) => path.replace('./web/', './');

/** Returns an export with its types. @param {string} path of a module in the package */
const withTypes = (path) => ({ types: path.replace(/\.js$/, '.d.ts'), default: path });

/** Returns exports of unchanged files, by their names in the package. @param {string[]} paths */
const asFiles = (paths) => Object.fromEntries(paths.map((path) => [path, path]));

/** The bundle, which registers elements. Those of one figure are files of the site. */
const BUNDLE = './figures.min.js';

/**
 * Returns the exports map, in which each element is named in place of the repository's pattern, since
 * modules that figures share are not public.
 * @param {Record<string, string>} source
 */
const entries = (source) =>
  Object.entries(source).flatMap(([key, path]) =>
    key.includes('*')
      ? ELEMENTS.map((name) => [key.replace('*', name), withTypes(key.replace('*', name))])
      : [[key, withTypes(published(path))]],
  );

/** Returns the place for reports about a repository on a forge. @param {string | undefined} repository its address */
const issuesOf = (repository) => repository && `${repository.replace(/\.git$/, '')}/issues`;

/**
 * Refuses to pack a version that is to be published, whose changelog has its date, without the addresses of its sources
 * and its pages.
 * @param {Record<string, unknown>} manifest package.json of the package
 * @param {string} changelog
 */
export function expectAddresses(manifest, changelog) {
  const isReleased = /^## .*/m.exec(changelog)?.[0].match(/\d{4}-\d{2}-\d{2}$/);
  for (const name of isReleased ? ['repository', 'homepage'] : []) {
    const address = String(manifest[name]);
    if (!/^(git\+)?https:\/\//.test(address) || address.includes('//example.')) {
      throw new Error(`package.json: ${name} is ${address}, expected an address: see RELEASING.md`);
    }
  }
}

/**
 * Returns the package.json of the package. Its addresses are those of the repository's package.json
 * (`repository` as a string), and `SITE_URL` for the homepage; it has no others.
 * @param {Record<string, any>} source package.json of the repository
 * @param {string[]} modules the kernel's files
 */
export function packageManifest(source, modules) {
  const { name, version, description, keywords, license, type, engines, dependencies } = source;
  const { homepage = process.env.SITE_URL, repository, bugs = issuesOf(repository) } = source;
  return {
    name,
    version,
    description,
    keywords,
    homepage,
    repository,
    bugs,
    license,
    type,
    engines,
    bin: { [name]: published(source.bin[name]) },
    main: './attention/index.js',
    types: './attention/index.d.ts',
    jsdelivr: './figures.min.js',
    unpkg: './figures.min.js',
    customElements: 'custom-elements.json',
    sideEffects: [
      ...source.sideEffects.map(published),
      './js.js',
      './define.js',
      './anywidget.js',
      BUNDLE,
    ],
    exports: {
      ...Object.fromEntries(entries(source.exports)),
      './js': withTypes('./js.js'),
      [BUNDLE]: withTypes(BUNDLE),
      ...asFiles([
        ...modules.map((file) => `./${file}`),
        './custom-elements.json',
        './package.json',
      ]),
    },
    dependencies,
  };
}
