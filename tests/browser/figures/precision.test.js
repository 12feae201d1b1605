// <attn-precision> in Chromium: its panels on a phone.

import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-precision');

it('shows on a phone the lost weights first, and the other panels in turn', async () => {
  const { tab, find, until } = await open();
  await tab.setViewportSize({ width: 360, height: 800 });
  const titled = (/** @type {string} */ title) =>
    until(
      `[...root.querySelectorAll("svg[role=img] > text[font-size='13']")].map(({ textContent }) => textContent).join() === '${title}'`,
    );
  await titled('Minus max: weight is 0');
  await find('[part=turns] button').nth(1).click();
  await titled('Max kept: exp overflows');
});
