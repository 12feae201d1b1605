// The manifest of the elements, as packed, against the elements of the bundle, as packed: it lists
// all that exists and nothing else.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { launch } from '../browser/serve.js';
import { installPackage, serveFolder } from './packed.js';
import { waitUntil } from '../wait.js';

/**
 * @import { CustomElementDeclaration as Declaration, Package } from 'custom-elements-manifest'
 * @import { Browser, Page } from 'playwright-core'
 */

const installed = await installPackage();
const root = join(installed.folder, 'node_modules/attention-lab');
/** @type {Package} */
const manifest = JSON.parse(readFileSync(join(root, 'custom-elements.json'), 'utf8'));
const elements = /** @type {Declaration[]} */ (
  manifest.modules.flatMap(({ declarations }) => declarations)
);

/** @type {Browser} */
let browser;
/** @type {Page} */
let tab;
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let server;

before(async () => {
  const page = `<!doctype html><html lang="en"><script type="module" src="/figures.min.js"></script>
    ${elements.map(({ tagName }) => `<${tagName}></${tagName}>`).join('')}</html>`;
  server = await serveFolder(root, { '/': page });
  browser = await launch();
  tab = await browser.newPage();
  await tab.goto(server.origin);
});
after(async () => {
  await browser?.close();
  await server?.close();
  installed.remove();
});

const names = (/** @type {readonly { name: string }[] | undefined} */ items) =>
  (items ?? []).map(({ name }) => name).sort();

/**
 * Returns every name that attributes of the shadow root give in every state of the element: drawn, shared,
 * with its table, measuring, with a remark, failed.
 * @param {string} tag
 * @param {string} attribute
 */
const everyNameOf = (tag, attribute) =>
  tab.locator(tag).evaluate(async (element, name) => {
    const figure = /** @type {any} */ (element);
    const { shadowRoot } = figure;
    const found = new Set();
    const look = async () => {
      figure.requestUpdate();
      await null; // it is drawn in a microtask; once it computes again, the state is over
      for (const part of shadowRoot.querySelectorAll(`[${name}], slot`)) {
        if ((name === 'name') !== (part.localName === 'slot')) continue;
        found.add(part.getAttribute(name) ?? '');
      }
    };
    await look();
    for (const change of [
      { data: undefined, tableOpen: true },
      { notice: 'noted' },
      { failure: 'failed' },
    ]) {
      const kept = Object.fromEntries(Object.keys(change).map((key) => [key, figure[key]]));
      Object.assign(figure, change);
      await look();
      if (!('tableOpen' in change)) Object.assign(figure, kept);
      else figure.data = kept.data;
      await look();
    }
    return [...found].sort();
  }, attribute);

/** Gives <attn-view> attention over an image, for which alone it has a slot. */
async function showImage() {
  const view = tab.locator('attn-view');
  const [weights, grid] = [[[1, 0], [0, 1]], '1x2']; // prettier-ignore
  await view.evaluate((element, given) => void Object.assign(element, given), { weights, grid });
  await view.locator('.image').waitFor({ state: 'attached' });
}

it('names every element that the bundle registers, with its class', async () => {
  const registered = await tab.evaluate(
    async (tags) => {
      const bundle = await import(String(new URL('/figures.min.js', location.href)));
      return Object.entries(bundle)
        .filter(([name]) => name.startsWith('Attn'))
        .map(([name, value]) => [name, tags.find((tag) => customElements.get(tag) === value)])
        .sort();
    },
    elements.map(({ tagName }) => tagName ?? ''),
  );
  assert.deepEqual(registered, elements.map(({ name, tagName }) => [name, tagName]).sort());
});

for (const { tagName = '', attributes = [], members = [], ...declared } of elements) {
  describe(`the manifest of ${tagName}`, () => {
    before(async () => {
      await tab.locator(tagName).scrollIntoViewIfNeeded();
      const hasData = (/** @type {any} */ element) =>
        element.data !== undefined || element.results?.size > 0;
      await waitUntil(() => tab.locator(tagName).evaluate(hasData), `data of ${tagName}`);
    });

    it('lists the attributes that it observes, and the one that style sheets read', async () => {
      const observed = await tab.evaluate(
        (tag) => Reflect.get(Object(customElements.get(tag)), 'observedAttributes'),
        tagName,
      );
      assert.deepEqual(names(attributes), [...observed, 'theme'].sort());
    });

    it('gives the properties, their types and their defaults', async () => {
      const own = await tab.evaluate((tag) => {
        const element = /** @type {any} */ (document.createElement(tag));
        const { prototype } = Object(customElements.get(tag));
        const keys = Object.keys(prototype).filter((key) => key in element);
        const texts = ['controls', 'panels', 'compact', 'theme'].filter((key) => key in element);
        return [...keys, ...texts].map((key) => [key, element[key]]);
      }, tagName);
      const told = members.map((member) => {
        const { name, default: initial } = /** @type {any} */ (member);
        return [name, initial && JSON.parse(initial.replace(/^'(.*)'$/, '"$1"'))];
      });
      assert.deepEqual(own, told);
    });

    it('ties each property to its attribute', async () => {
      for (const { name, default: initial, fieldName } of attributes) {
        if (!initial || !fieldName) continue;
        const [read, unread] = await tab.evaluate(
          ([tag, attribute, key, value]) => {
            const element = document.createElement(tag);
            element.setAttribute(attribute, value);
            const first = String(Reflect.get(element, key));
            element.setAttribute(attribute, 'no value of it');
            return [first, String(Reflect.get(element, key))];
          },
          [tagName, name, fieldName, initial.replaceAll("'", '')],
        );
        assert.equal(read, initial.replaceAll("'", ''), name);
        const isPresent = read === 'false' && unread === 'true'; // any value of a boolean attribute
        assert.ok(
          unread === read || unread === 'no value of it' || isPresent,
          `${name} became ${unread}`,
        );
      }
    });

    it('lists the parts of its shadow root', async () => {
      const found = await everyNameOf(tagName, 'part');
      assert.deepEqual(found, names(declared.cssParts));
    });

    it('lists its slots', async () => {
      if (tagName === 'attn-view') await showImage();
      const slots = await everyNameOf(tagName, 'name');
      assert.deepEqual(slots, names(declared.slots));
    });

    it('lists the custom properties that its style sheets read, with their defaults', async () => {
      const found = await tab.locator(tagName).evaluate((element) => {
        const rules = element.shadowRoot?.adoptedStyleSheets
          .flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText))
          .join('');
        return [...new Set((rules ?? '').match(/var\(--attn-[\w-]+/g))].sort();
      });
      assert.deepEqual(
        found,
        names(declared.cssProperties).map((name) => `var(${name}`),
      );
    });
  });
}

it('tells of the event: its name and what it brings', async () => {
  const [{ events = [] }] = elements;
  const figure = tab.locator('attn-saturation');
  await figure.scrollIntoViewIfNeeded();
  await figure.evaluate((element, name) => {
    element.addEventListener(name, (event) => {
      Object.assign(window, { told: Object.keys(/** @type {CustomEvent} */ (event).detail) });
    });
    element.setAttribute('d-k', '128');
  }, events[0].name);
  const told = () => tab.evaluate(() => Reflect.get(window, 'told'));
  const detail = await waitUntil(told, `the event ${events[0].name}`);
  assert.deepEqual(
    detail,
    [...(events[0].type?.text ?? '').matchAll(/(\w+): /g)].map(([, key]) => key),
  );
});
