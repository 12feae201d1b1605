// Measures the downloads of readers against tests/budgets.json, in kB after brotli (the tarball and the article in
// one file as they are).
//   node tests/size.js [--write]    --write writes the table of the site and the README's sentence, too, at a release
// The package must have been built (./build.sh npm).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { ASSETS } from '../web/build/assets.js';
import { ELEMENTS } from '../web/build/paths.js';
import { LANGUAGE_KEYS } from '../web/shared/languages.js';
import { neededBy } from '../web/site/generator/files.js';
import { neededIn } from './browser/needed-files.js';
import { insertInFile, pageIn, README, wordsIn } from './bench/table.js';
import { bundled } from './bundled.js';

/** @import { Language } from '../web/shared/languages.js' */

/** On threads, so that processors share the files. */
const compress = promisify(brotliCompress);

const BUDGETS = JSON.parse(readFileSync('tests/budgets.json', 'utf8'));
const SCRIPTS = 'dist/site/assets/';
const GENERATED = 'web/attention/kernel/generated/';

/** The figures that read with a trained model, and so hold the code of the language model, too. */
const WITH_MODELS = ['words', 'roles', 'language', 'view'];
const PLAIN = ELEMENTS.filter((name) => !WITH_MODELS.includes(name));

/** The assets are left out: they are loaded on demand. */
const LEFT_OUT = new RegExp(
  `^(${Object.keys(ASSETS)
    .map((name) => name.replace('recorded/', ''))
    .join('|')})-[\\w-]{8}\\.js$`,
);

/** Returns every script that the article loads, at once or later, but for those that are left out. */
function articleScripts() {
  const named = (/** @type {string} */ text) =>
    [...text.matchAll(/["'`/]([\w-]+\.js)["'`]/g)].map(([, name]) => name);
  const found = new Set(named(readFileSync('dist/site/en/index.html', 'utf8')));
  for (const name of found) {
    for (const next of named(readFileSync(SCRIPTS + name, 'utf8'))) {
      if (existsSync(SCRIPTS + next) && !LEFT_OUT.test(next)) found.add(next);
    }
  }
  return [...found].map((name) => SCRIPTS + name);
}

/**
 * A row of the table: forms of one download, of which a reader gets one.
 * @typedef {{ budget: string, what?: string, forms: string[][], isWhole?: boolean }} Download
 *   what: its words, by default those of the budget; forms: the files of each; isWhole: whether it is measured as it is
 */

/** Returns the assets of a budget, each a form. @param {string} budget */
const assetFiles = (budget) =>
  Object.values(ASSETS)
    .filter((asset) => asset.budget === budget)
    .map(({ name }) => [`dist/site/${name}.min.js`]);

/** @type {Download[]} */
const DOWNLOADS = [
  {
    budget: 'plainImport', // what needs no kernel brings none
    forms: [
      [await bundled('rows')],
      [await bundled('tensor')],
      [await bundled('describe')],
      [await bundled('parameterCount')],
    ],
  },
  {
    budget: 'smallImport',
    forms: [[await bundled('softmax')], [await bundled('attention')]],
  },
  {
    budget: 'import',
    forms: [[await bundled('everything')]],
  },
  {
    budget: 'poolImport',
    forms: [[await bundled('createPool')]],
  },
  {
    budget: 'kernel',
    forms: [['build/kernel.wasm'], [`${GENERATED}simd.js`]],
  },
  {
    budget: 'relaxedKernel',
    forms: [['build/kernel-relaxed.wasm'], [`${GENERATED}relaxed.js`]],
  },
  {
    budget: 'language',
    forms: [
      ['build/language.wasm'],
      ['web/language/generated/simd.js'],
      ['build/language-relaxed.wasm'],
      ['web/language/generated/relaxed.js'],
    ],
  },
  {
    budget: 'oneFigure',
    forms: PLAIN.map((name) => [`dist/site/figures/${name}.min.js`]),
  },
  {
    budget: 'oneFigure',
    what: 'embed',
    forms: PLAIN.map((name) => [`dist/site/embed/${name}.html`]),
  },
  {
    budget: 'modelFigure',
    forms: WITH_MODELS.flatMap((name) => [
      [`dist/site/figures/${name}.min.js`],
      [`dist/site/embed/${name}.html`],
    ]),
  },
  {
    budget: 'figureWithModel',
    forms: ELEMENTS.filter((name) => neededBy(name).length > 0).flatMap((name) =>
      LANGUAGE_KEYS.map((lang) => [
        `dist/site/figures/${name}.min.js`,
        ...neededIn(name, lang).map((file) => `dist/site/${file}.min.js`),
      ]),
    ),
  },
  {
    budget: 'everyFigure',
    forms: [['dist/site/figures.min.js']],
  },
  { budget: 'articleScripts', forms: [articleScripts()] },
  {
    budget: 'article',
    forms: LANGUAGE_KEYS.map((lang) => [`dist/site/${lang}/index.html`, ...articleScripts()]),
  },
  {
    budget: 'recorded',
    forms: assetFiles('recorded'),
  },
  {
    budget: 'asset',
    forms: assetFiles('asset'),
  },
  {
    budget: 'view',
    forms: assetFiles('view'),
  },
  {
    budget: 'tarball',
    forms: [[`dist/${readdirSync('dist').find((name) => name.endsWith('.tgz'))}`]],
    isWhole: true,
  },
  {
    budget: 'oneFile',
    forms: [['dist/attention-lab.html']],
    isWhole: true,
  },
];

/** Measures a download. @param {string[]} files @param {boolean} [isWhole] */
async function measure(files, isWhole) {
  const contents = files.map((file) => readFileSync(file));
  const total = (/** @type {Buffer[]} */ buffers) =>
    buffers.reduce((sum, { length }) => sum + length, 0) / 1000;
  return {
    name: files.length === 1 ? files[0] : `${files.length} files`,
    raw: total(contents),
    brotli: total(
      isWhole ? contents : await Promise.all(contents.map((content) => compress(content))),
    ),
  };
}

/** Returns the least and the largest of some sizes in whole kB. @param {number[]} sizes */
function range(sizes) {
  const ends = [Math.min(...sizes), Math.max(...sizes)].map(Math.round);
  return `${[...new Set(ends)].join('–')} kB`;
}

const measured = await Promise.all(
  DOWNLOADS.map(async ({ budget, what = budget, forms, isWhole }) => ({
    what,
    most: /** @type {number} */ (BUDGETS[budget]),
    sizes: await Promise.all(forms.map((files) => measure(files, isWhole))),
  })),
);

for (const { most, sizes } of measured) {
  for (const { name, raw, brotli } of sizes) {
    const fits = brotli <= most;
    if (!fits) process.exitCode = 1;
    console.log(
      `${fits ? 'ok  ' : 'OVER'} ${name.padEnd(44)} ${raw.toFixed(1).padStart(6)} kB` +
        `  brotli ${brotli.toFixed(1).padStart(5)} of ${most} kB`,
    );
  }
}

/** Returns the table in a language. @param {Language} lang */
function tableIn(lang) {
  const { caption, heads, ...words } = wordsIn(lang).sizes;
  const rows = measured.map(({ what, most, sizes }) => {
    const ranges = [sizes.map(({ raw }) => raw), sizes.map(({ brotli }) => brotli)].map(range);
    return [words[what], ...ranges, `${most} kB`];
  });
  const lines = [heads, ['---', '---', '---', '---'], ...rows];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`);
  return ['{% table "downloads" %}', caption, '', ...table, '{% endtable %}'].join('\n');
}

if (process.argv.includes('--write')) {
  const glance =
    `one figure with its kernel is at most ${BUDGETS.oneFigure} kB as transferred, every figure with the package ` +
    `${BUDGETS.everyFigure} kB, a figure with all that it loads at once, models included, ${BUDGETS.figureWithModel} kB`;
  await insertInFile(README, 'size', glance);
  for (const lang of LANGUAGE_KEYS) await insertInFile(pageIn(lang), 'sizes', tableIn(lang));
}
