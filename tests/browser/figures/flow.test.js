// <attn-flow> in Chromium: cells by keyboard and pointer, their arithmetic, edits and gradients.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { useFigure } from './bench.js';

const { open } = useFigure('attn-flow');

it('shows the row and the column of a cell that has the focus, moved by arrow keys', async () => {
  const { tab, find, shows } = await open();
  await find('[data-cell=scores-2-3]').focus();
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('ArrowLeft');
  await shows('svg', 'S [3, 2]');
  await shows('[role=status]', 'row 3 of Q · row 2 of K');
  assert.equal(await find('.cells [tabindex="0"]').count(), 11);
});

it('has cells to point at of 24 pixels and more, at every width', async () => {
  for (const width of [296, 320, 616, 1000]) {
    const { tab, element } = await open('', { width });
    const least = await element.evaluate((figure) => {
      const all = [...(figure.shadowRoot?.querySelectorAll('[data-cell]') ?? [])];
      const boxes = all.map((cell) => cell.getBoundingClientRect());
      return Math.min(...boxes.flatMap(({ width, height }) => [width, height]));
    });
    assert.ok(least >= 24, `${width} px: ${least}`);
    await tab.close();
  }
});

it('follows the mouse without a button, as long as it is over a cell', async () => {
  const { find, shows, get } = await open();
  await find('[data-cell=weights-1-4]').hover();
  await shows('svg', 'A [1, 4]');
  await find('[part~=plot]').hover({ position: { x: 2, y: 2 } });
  await find('[data-cell=weights-1-4]').hover({ trial: true }); // which waits for the latest drawing
  assert.equal(await get('cell'), 'weights-1-4');
});

it('takes a number typed into X, mirrors it, and refuses other text', async () => {
  const { find, until } = await open();
  await find('[data-cell=x-1-1]').fill('2,5');
  await find('[data-cell=x-1-1]').press('Tab');
  await until("figure.getAttribute('x')?.startsWith('2.5 ')");
  await find('[data-cell=x-1-2]').fill('two');
  await find('[data-cell=x-1-2]').press('Tab');
  await until("root.querySelector('[data-cell=x-1-2]').value !== 'two'");
  assert.equal(await find('[data-cell=x-1-1]').inputValue(), '2.5');
});

it('hides later keys behind a causal mask, and states it in Chinese', async () => {
  const { find, shows } = await open('lang="zh" causal="yes" cell="scaled-1-3"');
  await shows('[role=status]', '被掩码遮住');
  assert.equal(
    await find('[data-cell=weights-1-1]').getAttribute('aria-label'),
    '第 1 行第 1 列：1.00',
  );
});

it('takes keys and values from another text by a switch: three keys, four queries', async () => {
  const { find, until, shows } = await open('', { width: 390 });
  assert.equal(await find('[data-cell=y-1-1]').count(), 0);
  await find('#field-cross').selectOption('yes');
  await shows('.title', 'three keys');
  assert.equal(await find('[data-cell=weights-4-3]').count(), 1);
  assert.equal(await find('[data-cell=weights-1-4]').count(), 0);
  await find('[data-cell=y-1-1]').fill('2');
  await find('[data-cell=y-1-1]').press('Tab');
  await until("figure.getAttribute('y')?.startsWith('2 ')");
});

it('ignores cells and matrices that do not exist', async () => {
  const { text } = await open('cell="scores-9-9" x="1 2 3" key-weight="__proto__"');
  assert.match(await text('[part~=notice]'), /cell, x, key-weight/);
});

for (const [lang, words] of Object.entries({
  en: { next: 'Next step', first: 'Step 1 of 6', last: 'Step 6 of 6', back: 'lead back' },
  zh: { next: '下一步', first: '第 1 步', last: '第 6 步', back: '反向' },
})) {
  it(`numbers its steps and leads through them by keyboard, in words (${lang})`, async () => {
    const { find, until, shows, text, set } = await open(`lang="${lang}"`, { width: 390 });
    assert.match(await text('.plot svg'), /① X.*⑥ Z/s);
    const opaque = () => find('.plot svg > g:not([opacity])').count();
    assert.equal(await opaque(), 11);
    const next = find('.steps > button').last();
    assert.equal((await next.textContent())?.trim(), words.next);
    await next.press('Enter');
    await shows('[role=status]', words.first);
    assert.equal(await opaque(), 1);
    for (let step = 2; step <= 6; step++) {
      await next.press('Enter');
      await until(`figure.getAttribute('step') === '${step}'`);
    }
    await next.press('Enter'); // beyond the last one
    assert.match(await find('.steps').innerText(), new RegExp(words.last));
    assert.equal(await next.getAttribute('aria-disabled'), 'true');
    const [bar, cell] = await Promise.all([
      find('.steps').boundingBox(),
      find('[data-cell=output-2-1]').boundingBox(),
    ]);
    assert.ok(bar && cell && bar.y >= 0 && bar.height < 150 && cell.y > bar.y + bar.height);
    assert.ok(cell.y + cell.height < 900, 'in view');
    await set({ gradients: 'gradients', step: 0 });
    await shows('.steps', words.back);
    assert.match(await text('.plot svg'), /⑥ ∂L\/∂X.*① ∂L\/∂Z/s);
  });
}
