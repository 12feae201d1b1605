// The elements as elements of the platform: a page, a framework or a script may treat each of them
// like any other element.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ELEMENTS, FIGURES } from '../../../../../web/build/paths.js';
import { attributeName } from '../../../../../web/figures/kit/state/state.js';
import { drawn, shadowText, useBench, until } from '../../bench.js';

const bench = useBench();

/**
 * Returns a readable value of every field of a figure that is not its initial one.
 * @param {string} name
 * @returns {Promise<{ key: string, attribute: string, initial: unknown, value: unknown }[]>}
 */
async function otherValues(name) {
  /** @type {{ spec: import('../../../../../web/figures/kit/spec.js').AnyFigureSpec }} */
  const { spec } = await import(`../../../../../web/figures/${name}/element.js`);
  return Object.entries(spec.fields).map(([key, { initial, min, max, options, parse }]) => {
    const matrices = Array.from({ length: 64 }, (_, i) =>
      Array(i + 2)
        .fill(1)
        .join(' '),
    );
    const wanted = [
      min,
      max,
      ...(options ?? []),
      '2, 3',
      'X-1-1',
      'x-1-1',
      'scores-1-1',
      '2.1',
      '4097.8193.16',
      '7x7',
      ...matrices,
    ];
    const value = wanted.map(parse).find((each) => each !== undefined && each !== initial);
    return { key, attribute: attributeName(key), initial, value };
  });
}

describe('attributes and properties', () => {
  for (const name of FIGURES) {
    it(`of attn-${name} say the same, whichever is set, also before it is connected`, async () => {
      const fields = await otherValues(name);
      assert.ok(fields.every(({ value }) => value !== undefined));
      const tab = await bench.open('');
      const seen = await tab.evaluate(
        ([tag, all]) =>
          all.map(({ key, attribute, value }) => {
            const byProperty = document.createElement(tag);
            Reflect.set(byProperty, key, value);
            const byAttribute = document.createElement(tag);
            byAttribute.setAttribute(attribute, String(value));
            const found = {
              attribute: byProperty.getAttribute(attribute),
              property: Reflect.get(byAttribute, key),
              copied: Reflect.get(byProperty.cloneNode(), key),
            };
            byAttribute.removeAttribute(attribute);
            Reflect.set(byProperty, key, undefined);
            return {
              ...found,
              removed: Reflect.get(byAttribute, key),
              unset: [Reflect.get(byProperty, key), byProperty.hasAttribute(attribute)],
            };
          }),
        /** @type {const} */ ([`attn-${name}`, fields]),
      );
      assert.deepEqual(
        seen,
        fields.map(({ initial, value }) => ({
          attribute: String(value),
          property: value,
          copied: value,
          removed: initial,
          unset: [initial, false],
        })),
      );
    });
  }

  it('have no name that every element has', async () => {
    const tab = await bench.open('');
    const [fields, shadowing] = await tab.evaluate(async () => {
      const module = /** @type {Record<string, any>} */ (
        await import(/** @type {any} */ ('/figures.js'))
      );
      const all = Object.values(module).filter(({ spec }) => spec);
      const namesOf = (/** @type {any} */ { spec }) => Object.keys(spec.fields);
      const hidden = (/** @type {any} */ figure) =>
        namesOf(figure).filter((key) => key in Object.getPrototypeOf(figure.prototype));
      return [all.flatMap(namesOf).length, all.flatMap(hidden)];
    });
    assert.ok(fields > 40, `${fields} fields`);
    assert.deepEqual(shadowing, []);
  });

  it('clamp, or take the default: the attribute of a property is rewritten, that of a page stays as written', async () => {
    const tab = await bench.open('<attn-saturation d-k="1e9"></attn-saturation>');
    const seen = await tab.locator('attn-saturation').evaluate((figure) => {
      const found = [Reflect.get(figure, 'dK'), figure.getAttribute('d-k')];
      figure.setAttribute('d-k', 'foo'); // for the default, not for the value before
      found.push(Reflect.get(figure, 'dK'), figure.getAttribute('d-k'));
      Reflect.set(figure, 'dK', '-7.4');
      found.push(Reflect.get(figure, 'dK'), figure.getAttribute('d-k'));
      Reflect.set(figure, 'dK', 'many');
      return [...found, Reflect.get(figure, 'dK'), figure.getAttribute('d-k')];
    });
    assert.deepEqual(seen, [512, '1e9', 64, 'foo', 1, '1', 1, '1']);
    await drawn(tab);
    assert.match(
      (await tab.locator('attn-saturation [part~=notice]').textContent()) ?? '',
      /Not understood.*d-k/,
    );
    // So does one that the page writes after the reader has moved the control.
    await tab.locator('attn-saturation').evaluate((figure) => {
      figure.addEventListener('attn-change', (event) => {
        const { state, settled } = /** @type {CustomEvent} */ (event).detail;
        if (state.dK === 2 && settled) figure.setAttribute('d-k', '1e9');
        if (state.dK === 512) figure.setAttribute('title', String(figure.getAttribute('d-k')));
      });
    });
    await tab.locator('attn-saturation input[type=range]').first().press('ArrowRight');
    await until(tab, 'figure.title');
    assert.equal(await tab.locator('attn-saturation').getAttribute('title'), '1e9');
  });

  it('of every element include theme, and of every figure controls', async () => {
    const tab = await bench.open('');
    const seen = await tab.evaluate(
      (names) =>
        names.map((name) => {
          const element = document.createElement(`attn-${name}`);
          const before = [Reflect.get(element, 'theme'), Reflect.get(element, 'controls')];
          Object.assign(element, { theme: 'dark', controls: ['d-k', 'keys'] });
          return [...before, element.getAttribute('theme'), element.getAttribute('controls')];
        }),
      ELEMENTS,
    );
    for (const [i, name] of ELEMENTS.entries()) {
      const controls = name === 'claims' ? [undefined, null] : ['', 'd-k,keys'];
      assert.deepEqual(seen[i], ['', controls[0], 'dark', controls[1]], name);
    }
  });

  it('count when set before the definition, and the property wins', async () => {
    const tab = await bench.open('<attn-saturation d-k="8" keys="16"></attn-saturation>', {
      script: false,
    });
    await tab.evaluate(() =>
      Object.assign(document.querySelector('attn-saturation') ?? {}, {
        dK: '128',
        controls: 'none',
        theme: 'dark',
      }),
    );
    await tab.addScriptTag({ url: '/figures.js', type: 'module' });
    await drawn(tab);
    const markup = await tab
      .locator('attn-saturation')
      .evaluate((figure) => figure.getAttributeNames().map((at) => [at, figure.getAttribute(at)]));
    assert.deepEqual(markup, [
      ['d-k', '128'],
      ['keys', '16'],
      ['controls', 'none'],
      ['theme', 'dark'],
    ]);
    assert.match(await shadowText(tab), /d_?k = 128.*of 16 keys/s);
    assert.equal(await tab.locator('attn-saturation [part~=controls]').count(), 0);
  });
});

describe('events', () => {
  for (const name of FIGURES) {
    it(`attn-change of attn-${name} leaves a shadow root and names its figure and state`, async () => {
      const [field] = await otherValues(name);
      const tab = await bench.open('<div id="host"></div>');
      await tab.evaluate((tag) => {
        const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
        root?.append(document.createElement(tag));
        addEventListener('attn-change', (event) => {
          const { detail, bubbles, composed } = /** @type {CustomEvent} */ (event);
          document.body.dataset.seen = JSON.stringify({ ...detail, bubbles, composed });
        });
      }, `attn-${name}`);
      const figure = tab.locator(`#host attn-${name}`);
      await figure.locator('[part~=plot] > svg').first().waitFor();
      assert.equal(await tab.evaluate(() => document.body.dataset.seen), undefined);
      await figure.evaluate((element, { key, value }) => Reflect.set(element, key, value), field);
      await until(tab, 'document.body.dataset.seen', '#host');
      const seen = JSON.parse((await tab.evaluate(() => document.body.dataset.seen)) ?? '');
      const { state, ...rest } = seen;
      assert.deepEqual(rest, { figure: name, settled: true, bubbles: true, composed: true });
      assert.equal(state[field.key], field.value);
    });
  }
});

describe('slots, parts and custom properties', () => {
  it('let a page bring its title and caption, style parts and set colours', async () => {
    const tab = await bench.open(
      '<attn-saturation><b slot="title">Ein Titel.</b><em slot="caption">Of my own.</em></attn-saturation>',
    );
    await drawn(tab);
    await tab.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`attn-saturation { --attn-scaled: rgb(1, 2, 3); --attn-ink: rgb(4, 5, 6) }
        attn-saturation::part(readout) { outline: 7px solid red }`);
      document.adoptedStyleSheets = [sheet];
    });
    await tab.getByRole('figure', { name: 'Ein Titel.' }).waitFor();
    const seen = await tab.locator('attn-saturation').evaluate((figure) => {
      const root = figure.shadowRoot;
      const styled = (/** @type {string} */ selector) =>
        getComputedStyle(/** @type {Element} */ (root?.querySelector(selector)));
      return {
        outline: styled('[part=readout]').outlineWidth,
        ink: styled('figure').color,
        mark: styled('.plot [fill="var(--scaled)"], .plot [stroke="var(--scaled)"]').fill,
        caption: root?.querySelector('slot[name=caption]') !== null,
      };
    });
    assert.deepEqual(seen, {
      outline: '7px',
      ink: 'rgb(4, 5, 6)',
      mark: 'rgb(1, 2, 3)',
      caption: true,
    });
    assert.ok(await tab.getByText('Of my own.').isVisible());
    assert.ok(!(await tab.getByText('iid N(0, 1)', { exact: false }).first().isVisible()));
  });
});
