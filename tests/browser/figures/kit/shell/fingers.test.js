// Figures where the pointer is a finger: targets of 44 pixels (WCAG 2.2, 2.5.5), or controls of that size
// that do the same.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ELEMENTS } from '../../../../../web/build/paths.js';
import { useBench, until } from '../../bench.js';

const bench = useBench();

/** Returns a page of a phone with one element. @param {string} tag */
async function phone(tag) {
  const tab = await bench.open(`<${tag}></${tag}>`, { width: 390 });
  const session = await tab.context().newCDPSession(tab);
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await tab.reload();
  await until(tab, "root?.querySelector('.plot > svg text, output')", tag);
  assert.ok(await tab.evaluate(() => matchMedia('(pointer: coarse)').matches));
  return tab;
}

describe('a finger', () => {
  for (const name of ELEMENTS) {
    it(`finds targets of 44 pixels in attn-${name}, and cells of 24`, async () => {
      const tag = `attn-${name}`;
      const tab = await phone(tag);
      const targets = await tab.locator(tag).evaluate((figure) =>
        [...(figure.shadowRoot?.querySelectorAll('button, input, select, summary') ?? [])]
          .filter((each) => each.getClientRects().length > 0)
          .map((each) => {
            const { width, height } = each.getBoundingClientRect();
            const least = each.closest('.cells') ? 24 : 44;
            const isSmall = width < least - 0.01 || height < least - 0.01;
            return (
              isSmall &&
              `${each.localName}.${each.className} ${each.getAttribute('aria-label')} ${width} × ${height}`
            );
          }),
      );
      assert.ok(targets.length > 0);
      assert.deepEqual(targets.filter(Boolean), []);
    });
  }

  it('sees a border around buttons', async () => {
    const tab = await phone('attn-saturation');
    const border = await tab
      .locator('attn-saturation [part~=share]')
      .evaluate((button) => getComputedStyle(button).borderTopColor);
    assert.doesNotMatch(border, /, 0\)$|\/ 0\)$/);
  });

  it('reaches every cell of attn-flow by four buttons, and changes those that are given', async () => {
    const tab = await phone('attn-flow');
    const cell = () => tab.locator('attn-flow').evaluate((figure) => Reflect.get(figure, 'cell'));
    const press = (/** @type {string} */ label) =>
      tab.locator(`attn-flow .pad [aria-label="${label}"]`).click();
    await tab.evaluate(() => {
      Reflect.set(/** @type {Element} */ (document.querySelector('attn-flow')), 'cell', 'x-1-1');
    });
    await until(tab, "figure.cell === 'x-1-1'", 'attn-flow');
    const seen = new Set([await cell()]);
    for (const label of [
      ...Array(6).fill('cell to the right'),
      'cell below',
      'cell above',
      'cell to the left',
    ]) {
      const before = await cell();
      await press(label);
      await until(tab, `figure.cell !== '${before}'`, 'attn-flow');
      seen.add(await cell());
    }
    assert.deepEqual([...seen].slice(0, 7), [
      'x-1-1',
      'x-1-2',
      'x-1-3',
      'x-1-4',
      'x-1-5',
      'x-1-6',
      'queryWeight-1-1',
    ]);
    assert.equal(await cell(), 'x-1-6');
    const number = tab.locator('attn-flow .pad input');
    await number.fill('2.5');
    await number.press('Enter');
    await until(tab, "figure.x.split(' ')[5] === '2.5'", 'attn-flow');
  });
});
