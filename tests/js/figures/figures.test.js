// @slow
// The figures without a document: messages in both languages, static pictures, rows.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { staticSvg as saturationSvg } from '../../../web/figures/saturation/element.js';
import { COLUMNS, toCsv } from '../../../web/figures/kit/shell/download.js';
import { chosenNames } from '../../../web/figures/kit/state/chosen.js';
import { createFormat } from '../../../web/figures/kit/state/language.js';
import { messages as kitMessages } from '../../../web/figures/kit/state/generated/words.js';
import { palettes } from '../../../web/figures/kit/chart/palette.js';
import { relativeError } from '../../../web/figures/kit/spec.js';
import { drawStatic, renderStatic, staticView } from '../../../web/figures/kit/chart/static.js';
import { exactJacobian } from '../../../web/theory/gradient.js';
import { cardSvg } from '../../../web/site/generator/card.js';
import * as site from '../../../web/site/generator/figures.js';
import { paint } from '../../../web/site/generator/stills.js';
import { isWellFormed } from './well-formed.js';
import { LANGUAGE_KEYS } from '../../../web/shared/languages.js';

/** @import { Language } from '../../../web/shared/languages.js' */

/** @import { AnyFigureSpec } from '../../../web/figures/kit/spec.js' */

const CHINESE = /\p{Script=Han}/u;
/** The figures that have pictures, with what their initial state needs. */
const figures = await Promise.all(
  site.figures.filter(site.isDrawn).map(async (figure) => {
    const module = await import(`../../../web/figures/${figure.name}/element.js`);
    return { ...figure, staticSvg: /** @type {typeof saturationSvg} */ (module.staticSvg) };
  }),
);

/** Returns the initial view of a figure, which is computed once. @param {site.Drawn} figure @param {Language} [lang] */
const viewOf = (figure, lang = 'en') => site.viewOf(figure, lang);

/** States other than the first whose texts have words that it has not. @type {Record<string, Record<string, unknown>>} */
const STATES_THAT_SAY_MORE = {
  saturation: { mean: 0.5 },
  precision: { format: 'int8' },
};

/**
 * Returns every text below a table of messages, functions called with their own parameters' names.
 * @param {unknown} messages
 * @returns {Map<string, string>} by path
 */
function textsOf(messages, path = '') {
  /** @type {Map<string, string>} */
  const texts = new Map();
  if (typeof messages === 'string') texts.set(path, messages);
  if (typeof messages === 'function') {
    const anything = new Proxy(
      {},
      { get: (_, key) => (typeof key === 'string' ? '1' : () => '1') },
    );
    texts.set(path, messages(anything));
  }
  if (typeof messages === 'object' && messages) {
    for (const [key, value] of Object.entries(messages)) {
      for (const [at, text] of textsOf(value, `${path}.${key}`)) texts.set(at, text);
    }
  }
  return texts;
}

describe('messages', () => {
  for (const [name, messages] of [
    ['of the kit', kitMessages],
    ...figures.map(({ spec }) => [`of ${spec.name}`, spec.messages]),
  ]) {
    const english = textsOf(/** @type {Record<Language, object>} */ (messages).en);
    for (const lang of LANGUAGE_KEYS) {
      const texts = textsOf(/** @type {Record<Language, object>} */ (messages)[lang]);
      it(`${name} in ${lang} are the same set as in English, none empty`, () => {
        assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort());
        for (const text of texts.values()) assert.ok(text.trim());
      });

      it(`${name} in ${lang} have the same holes as in English`, () => {
        const holes = (/** @type {string | undefined} */ text) =>
          (text?.match(/\{.*?\}/g) ?? []).sort();
        for (const [key, text] of english) assert.deepEqual(holes(texts.get(key)), holes(text));
      });
    }

    it(`${name} have no Chinese in English`, () => {
      for (const text of english.values()) assert.doesNotMatch(text, CHINESE);
    });
  }

  it('are complete sentences once the numbers are in', () => {
    const unfilled = /[{}]|undefined|NaN/;
    const textsIn = (/** @type {AnyFigureSpec} */ spec, /** @type {any} */ view) =>
      [spec.title, spec.status, spec.caption, spec.note].map((say) => say?.(view) ?? '');
    for (const figure of figures) {
      const { spec } = figure;
      const set = STATES_THAT_SAY_MORE[spec.name];
      for (const lang of LANGUAGE_KEYS) {
        for (const text of textsIn(spec, viewOf(figure, lang))) assert.doesNotMatch(text, unfilled);
        if (set)
          for (const text of textsIn(spec, staticView(spec, { lang, ...set })))
            assert.doesNotMatch(text, unfilled);
      }
    }
  });

  it('name every field that has a control and every option that is not a number', () => {
    for (const { spec } of figures) {
      for (const lang of LANGUAGE_KEYS) {
        const { fields, options } = spec.messages[lang];
        for (const [key, field] of Object.entries(spec.fields)) {
          if (field.kind === 'picture') continue;
          assert.ok(fields[key], `${spec.name} ${lang} ${key}`);
          for (const option of field.options ?? [])
            assert.ok(options?.[option] ?? Number.isFinite(Number(option)), option);
        }
      }
    }
  });
});

/** Returns the titles of the panels of a picture. @param {string} svg */
const titlesIn = (svg) =>
  [
    ...svg.matchAll(/<text [^>]*font-size="1(?:3|\d\.\d+)" font-weight="600"[^>]*>(.*?)<\/text>/gs),
  ].map(([, title]) => title);

/** Returns the height of a picture. @param {string} svg */
const heightOf = (svg) => Number(svg.match(/ height="([\d.]+)"/)?.[1]);

/** Returns a column of characters, each in a square of 40 pixels. @param {string[]} characters */
const column = (characters) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="${40 * characters.length}" font-size="20">${characters
    .map((each, i) => `<text x="8" y="${40 * (i + 0.7)}">${each}</text>`)
    .join('')}</svg>`;

describe('the static picture', () => {
  for (const figure of figures) {
    const { spec, staticSvg, loadedFor } = figure;
    /** @param {{ lang?: Language, width?: number, theme?: 'light' | 'dark' | 'live' }} options */
    const draw = ({ lang = 'en', width = 720, theme = 'live' }) =>
      drawStatic(spec, {
        ...viewOf(figure, lang),
        width,
        palette: palettes[theme],
      });

    it(`of ${spec.name} is well-formed, titled, described and the same every time`, () => {
      for (const lang of LANGUAGE_KEYS) {
        for (const width of [340, 720]) {
          const markup = draw({ lang, width });
          assert.ok(isWellFormed(markup));
          assert.match(
            markup,
            /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" role="img" lang="[\w-]+" width="\d+"/,
          );
          assert.match(markup, /<title>.+<\/title><desc>.+<\/desc>/);
          assert.doesNotMatch(markup, /NaN|Infinity|undefined|[{}]|<script| style=|href/);
          assert.equal(CHINESE.test(markup), lang === 'zh');
        }
      }
      const options = { lang: /** @type {const} */ ('zh'), width: 340 };
      assert.equal(staticSvg({ ...options, loaded: loadedFor('zh') }), draw(options));
    });

    it(`of ${spec.name} has the shape that is kept free for it`, () => {
      for (const [width, share] of [
        [340, spec.aspect.narrow],
        [720, spec.aspect.wide],
      ]) {
        assert.ok(Math.abs(heightOf(draw({ width })) - width * share) <= 1);
      }
    });

    it(`of ${spec.name} shows the panels that are named, in the order of the figure, and no others`, () => {
      const { panels = [] } = spec;
      if (panels.length < 2) return; // one picture of matrices, or of words
      /** Draws what a page chooses. @param {readonly string[]} chosen */
      const drawChosen = (chosen) => {
        const { names } = chosenNames('panels', chosen.join(' '), panels);
        const shown = names.length > 0 ? names : undefined;
        return drawStatic(spec, { ...viewOf(figure), palette: palettes.light, panels: shown });
      };
      const whole = drawChosen([]);
      assert.equal(drawChosen(['bars', '<script>']), whole);
      const all = titlesIn(whole);
      assert.equal(all.length, panels.length);
      for (const [i, panel] of panels.entries()) {
        const svg = drawChosen([panel]);
        assert.deepEqual(titlesIn(svg), [all[i]]);
        assert.ok(heightOf(svg) <= heightOf(whole));
      }
      const [first, , ...rest] = panels;
      assert.deepEqual(
        titlesIn(drawChosen([first, ...rest].reverse())),
        all.filter((_, i) => i !== 1),
      );
    });

    it(`of ${spec.name} in fixed colours needs nothing around it`, () => {
      assert.doesNotMatch(draw({ theme: 'light' }), /var\(|light-dark/);
      assert.doesNotMatch(draw({ theme: 'dark' }), /var\(|light-dark/);
    });
  }

  it('of every figure, and the card of the site, have glyphs for all characters in the fonts they are painted with', async () => {
    const drawings = figures.flatMap((figure) =>
      LANGUAGE_KEYS.map((lang) => drawStatic(figure.spec, { ...viewOf(figure, lang), width: 720 })),
    );
    const text = [...drawings, ...LANGUAGE_KEYS.map((lang) => cardSvg(lang))]
      .join('')
      .replace(/<(title|desc)>.*?<\/\1>|<[^>]*>|&\w+;|\s/gs, '');
    const characters = [...new Set(text)].sort();
    for (const expected of 'σ⁻熵') assert.ok(characters.includes(expected));
    const [{ pixels }] = await paint([column(characters)]);
    const area = pixels.length / characters.length;
    const missing = characters.filter((_, i) =>
      pixels.subarray(i * area, (i + 1) * area).every((channel) => channel === 255),
    );
    assert.deepEqual(missing, []);
  });

  it('shows the panels that there are among the names, and all where there is none', () => {
    const [{ spec: walk }] = figures; // which takes little time
    const draw = (/** @type {string} */ panels) => renderStatic(walk, { panels, width: 400 });
    const [first] = walk.panels ?? [];
    assert.equal(draw(`bars, ${first}`), draw(first));
    assert.notEqual(draw(first), draw(''));
    assert.equal(draw('bars, <script>'), draw(''));
  });

  it('shows a given state, clamped', () => {
    assert.match(saturationSvg({ dK: 1e9 }), /<title>At d_k = 512,/);
    assert.match(saturationSvg({ dK: '8', keys: 16 }), /<title>At d_k = 8,.* of 16 keys/);
  });
});

/** @param {{ quantity: string }} row */
const isMedian = ({ quantity }) => quantity.endsWith('median');

describe('words for rare events', () => {
  const of = (/** @type {string} */ name) =>
    /** @type {site.Drawn} */ (figures.find((figure) => figure.name === name)).spec;

  it('of precision: where no row is without an overflow there are no weights to count', () => {
    const state = { dK: 1024, entrySize: 64, queries: 64 };
    for (const [lang, said] of /** @type {const} */ ([
      ['en', /overflow, at least one in every row$/],
      ['zh', /溢出，每一行都有溢出$/],
    ])) {
      const spec = of('precision');
      const view = staticView(spec, { lang, ...state });
      assert.match(spec.title(view), said);
      assert.match(spec.status(view), said);
    }
  });

  it('of precision: no error where less than one in the sample is expected', () => {
    const spec = of('precision');
    for (const dK of [1, 8, 64]) {
      const view = staticView(spec, { lang: 'en', dK });
      const errors = spec.readout(view).flatMap(({ rows }) => rows.map(relativeError));
      assert.ok(!errors.includes(-1), `d_k = ${dK}: ${errors}`);
      if (dK === 64) assert.ok(errors.filter(Number.isFinite).length >= 3);
    }
  });

  it('of a scale of 1: a factor, and nothing scaled', () => {
    for (const name of ['saturation', 'precision']) {
      const spec = of(name);
      for (const [lang, label] of /** @type {const} */ ([
        ['en', 'factor 1'],
        ['zh', '系数为 1'],
      ])) {
        const view = staticView(spec, { lang, scale: 'none' });
        assert.equal(spec.readout(view)[1].label, label);
        assert.doesNotMatch(renderStatic(spec, { lang, scale: 'none' }), />(scaled|缩放后)/);
      }
    }
  });

  it('of scale: the expectation of a weight whose mean over a sample is luck', () => {
    const state = { rho: 0, factor: 'none', dK: 1024, keys: 512 };
    const spec = of('scale');
    assert.match(spec.title(staticView(spec, { lang: 'en', ...state })), /can expect 0\.2% of/);
    assert.match(spec.title(staticView(spec, { lang: 'zh', ...state })), /期望分得 0\.2% 的权重/);
  });

  it('of gradient: one digit of a median that the seed moves by a third, and no error against an approximation', () => {
    const spec = of('gradient');
    const view = staticView(spec, { lang: 'en' });
    assert.match(spec.title(view), /query is 0\.0[1-9], the mean/);
    const medians = spec.readout(view).flatMap(({ rows }) => rows.filter(isMedian));
    assert.equal(medians.length, 6);
    for (const { theory } of medians) assert.ok(Number.isNaN(theory));
  });

  it('of gradient: two keys as far apart as one key is from all others share the weight alike', () => {
    const spec = of('gradient');
    for (const preset of ['peak', 'rivals', 'even', 'unscaled', 'scaled']) {
      const { data, state } = staticView(spec, { preset });
      const powers = data.logits.map((/** @type {number} */ logit) => Math.exp(logit));
      const total = powers.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b);
      assert.ok(Math.abs(data.gap.weight - Math.max(...powers) / total) < 1e-12, preset);
      assert.equal(state.preset, preset);
    }
    const { data, state } = staticView(spec, { preset: 'gap', gap: 8 });
    assert.deepEqual([data.logits, data.gap.gap, state.gap], [[8, 0], 8, 8]);
    const picture = renderStatic(spec, { preset: 'gap', gap: 8, panels: 'gap' });
    assert.match(picture, /gap 8\.0: p = 99\.97%, p\(1 − p\) = 0\.00034/);
    assert.match(picture, /one step moves p by 2\.2×10⁻⁷ \(float32: 2\.2×10⁻⁷\)/);
  });

  it('of gradient: no Jacobian of logits that may be typed is 0 where it is called exact', () => {
    const { logits } = of('gradient').fields;
    const parsed = String(logits.parse('1000, -1000, -1000, 1000, 1000, 1000, 1000, 1000'));
    for (const row of exactJacobian(parsed.split(',').map(Number))) {
      for (const entry of row) assert.ok(Math.abs(entry) > Number.MIN_VALUE / Number.EPSILON);
    }
  });
});

describe('rows', () => {
  for (const figure of figures) {
    const { spec } = figure;
    it(`of ${spec.name} have the columns of the CSV, a name for x and finite numbers`, () => {
      const rows = spec.rows(/** @type {any} */ (viewOf(figure)));
      assert.ok(rows.length > 1);
      for (const row of rows) {
        const { across = 'x', name = 'a', ...columns } = row;
        assert.ok([across, name].every((each) => typeof each === 'string' && each.length > 0));
        for (const [column, value] of Object.entries(columns)) {
          assert.ok(/** @type {readonly string[]} */ (COLUMNS).includes(column));
          if (typeof value === 'number')
            assert.ok(Number.isFinite(value), `${column} ${row.series}`);
        }
      }
    });
  }

  it('become CSV in which commas, quotes and missing numbers are safe', () => {
    const csv = toCsv([{ panel: 'a, "b"', series: 's', x: 1, theory: NaN }]);
    assert.equal(csv, 'panel,series,x,measured,low,high,theory\r\n"a, ""b""",s,1,,,,\r\n');
  });
});

describe('numbers', () => {
  it('are written with a minus sign, and as a dash where there are none', () => {
    const format = createFormat('en');
    assert.equal(format.fixed(-0.5, 2), '−0.50');
    assert.equal(format.fixed(NaN, 2), '–');
    assert.equal(format.fixed(-0.004, 2), '0.00');
    assert.equal(format.error(0.0123), '+1.2%');
  });

  it('that are errors beyond ten times the whole are ratios', () => {
    const { error } = createFormat('zh');
    assert.deepEqual([9.99, 10.76, 1898, Infinity, NaN].map(error), [
      '+999%',
      '×11.8',
      '×1900',
      '–',
      '–',
    ]);
  });

  it('with too many zeros are multiples of a power of ten', () => {
    const format = createFormat('en');
    assert.equal(format.significant(1.5728e-21, 2), '1.6×10⁻²¹');
    assert.equal(format.significant(-9.99e-5, 1), '−1×10⁻⁴');
    assert.equal(format.significant(3.4028e38, 2), '3.4×10³⁸');
    assert.deepEqual(
      [0, 1e-4, 1e6, NaN, Infinity].map((value) => format.significant(value, 1)),
      ['0', '0.0001', '1,000,000', '–', '–'],
    );
  });

  it('that are shares of 1 may be written per cent', () => {
    const format = createFormat('en');
    assert.deepEqual([0, 0.0829, 0.5, 0.9911, 1].map(format.percent), [
      '0%',
      '8.3%',
      '50%',
      '99.1%',
      '100%',
    ]);
  });

  it('that are nearly 1 are not 100 %, but for rounding errors', () => {
    const { percent } = createFormat('en');
    const shares = [0.98764, 0.9994, 0.99953, 0.99998, 0.999999, 1 - 1e-8];
    assert.deepEqual(shares.map(percent), [
      '98.8%',
      '99.94%',
      '99.95%',
      '99.998%',
      '99.9999%',
      '100%',
    ]);
  });

  it('that are nearly 0 are not 0 %, but a multiple of a power of ten', () => {
    const { percent } = createFormat('en');
    const shares = [0.00012, 9.99e-5, 2e-8, 1.5e-33];
    assert.deepEqual(shares.map(percent), ['0.012%', '1×10⁻⁴', '2×10⁻⁸', '1.5×10⁻³³']);
  });

  it('of time and memory carry a unit that fits', () => {
    const format = createFormat('zh');
    assert.deepEqual([0.0125, 12.5, 12_500].map(format.time), ['12.5 µs', '12.5 ms', '12.5 s']);
    assert.deepEqual([12, 1.34e8, 5e12].map(format.bytes), ['12 B', '134 MB', '5000 GB']);
    assert.deepEqual([format.time(NaN), format.bytes(NaN)], ['–', '–']);
  });
});
