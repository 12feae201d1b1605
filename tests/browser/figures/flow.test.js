// <attn-flow> in Chromium: cells by keyboard and pointer, their arithmetic, edits and gradients.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { drawn, useBench, until } from './bench.js';

const NAME = 'attn-flow';
const bench = useBench();

const FIGURE = '<attn-flow></attn-flow>';
/** @param {import('playwright-core').Page} tab  @param {string} cell */
const at = (tab, cell) => tab.locator(`${NAME} [data-cell=${cell}]`);

it('shows the row and the column of a cell that has the focus, moved by arrow keys', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  await at(tab, 'scores-2-3').focus();
  await tab.keyboard.press('ArrowDown');
  await tab.keyboard.press('ArrowLeft');
  await until(tab, "root.querySelector('svg').textContent.includes('S [3, 2]')", NAME);
  await until(
    tab,
    "root.querySelector('[role=status]').textContent.includes('row 3 of Q · row 2 of K')",
    NAME,
  );
  const tabbable = await tab.locator(`${NAME} .cells [tabindex="0"]`).count();
  assert.equal(tabbable, 11);
});

it('has cells to point at of 24 pixels and more, at every width', async () => {
  for (const width of [296, 320, 616, 1000]) {
    const tab = await bench.open(FIGURE, { width });
    await drawn(tab, NAME);
    const least = await tab.locator(NAME).evaluate((figure) => {
      const all = [...(figure.shadowRoot?.querySelectorAll('[data-cell]') ?? [])];
      const boxes = all.map((cell) => cell.getBoundingClientRect());
      return Math.min(...boxes.flatMap(({ width, height }) => [width, height]));
    });
    assert.ok(least >= 24, `${width} px: ${least}`);
    await tab.close();
  }
});

it('follows the mouse without a button, as long as it is over a cell', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  await at(tab, 'weights-1-4').hover();
  await until(tab, "root.querySelector('svg').textContent.includes('A [1, 4]')", NAME);
  await tab.locator(`${NAME} [part~=plot]`).hover({ position: { x: 2, y: 2 } });
  await at(tab, 'weights-1-4').hover({ trial: true }); // which waits for the latest drawing
  assert.equal(await tab.locator(NAME).evaluate((it) => Reflect.get(it, 'cell')), 'weights-1-4');
});

/**
 * Returns the value of the cell that the picture explains, and all its texts.
 * @param {import('playwright-core').Page} tab
 */
async function explained(tab) {
  const texts = await tab
    .locator(`${NAME} svg[role=img] text`)
    .evaluateAll((all) => all.map((each) => (each.textContent ?? '').replaceAll('−', '-')));
  return {
    texts,
    shown: Number(texts.map((each) => / = (-?[\d.]+)$/.exec(each)?.[1]).find(Boolean)),
  };
}

it('adds up the products that it shows', async () => {
  for (const [cell, gradients] of [
    ['query-2-1', 'values'],
    ['output-4-3', 'values'],
    ['key-3-2', 'gradients'],
    ['x-1-6', 'gradients'],
    ['valueWeight-6-1', 'gradients'],
  ]) {
    const tab = await bench.open(`<attn-flow cell="${cell}" gradients="${gradients}"></attn-flow>`);
    await drawn(tab, NAME);
    const { texts, shown } = await explained(tab);
    const products = texts.flatMap((text) => [...text.matchAll(/(-?[\d.]+) · (-?[\d.]+)/g)]);
    const sum = products.reduce((all, [, left, right]) => all + +left * +right, 0);
    assert.ok(Math.abs(shown - sum) < 0.06, `${cell}: ${shown}, products ${sum}`);
    await tab.close();
  }
});

it('divides, and takes a share, as it writes', async () => {
  const quotient = /^(-?[\d.]+) \/ √3$/;
  const share = /^([\d.]+) \/ \(([\d.]+) \+ ([\d.]+) \+ ([\d.]+) \+ ([\d.]+)\)$/;
  const difference = /^([\d.]+) · \((-?[\d.]+) - (-?[\d.]+)\)$/;
  /** @type {[string, string, RegExp, (numbers: number[]) => number][]} */
  const cells = [
    ['scaled-2-3', 'values', quotient, ([score]) => score / Math.sqrt(3)],
    ['scores-4-1', 'gradients', quotient, ([upstream]) => upstream / Math.sqrt(3)],
    ['weights-2-3', 'values', share, ([own, ...all]) => own / all.reduce((a, b) => a + b)],
    ['scaled-2-3', 'gradients', difference, ([weight, own, mean]) => weight * (own - mean)],
  ];
  for (const [cell, gradients, formula, result] of cells) {
    const tab = await bench.open(`<attn-flow cell="${cell}" gradients="${gradients}"></attn-flow>`);
    await drawn(tab, NAME);
    const { texts, shown } = await explained(tab);
    const written = texts.map((text) => formula.exec(text)).find(Boolean);
    assert.ok(written, `${cell}: ${texts.join('; ')}`);
    const expected = result(written.slice(1).map(Number));
    assert.ok(Math.abs(shown - expected) < 0.02, `${cell}: ${shown}, ${written[0]}`);
    await tab.close();
  }
});

it('takes a number typed into X, mirrors it, and refuses other text', async () => {
  const tab = await bench.open(FIGURE);
  await drawn(tab, NAME);
  await at(tab, 'x-1-1').fill('2,5');
  await at(tab, 'x-1-1').press('Tab');
  await until(tab, "figure.getAttribute('x')?.startsWith('2.5 ')", NAME);
  await at(tab, 'x-1-2').fill('two');
  await at(tab, 'x-1-2').press('Tab');
  await until(tab, "root.querySelector('[data-cell=x-1-2]').value !== 'two'", NAME);
  assert.equal(await at(tab, 'x-1-1').inputValue(), '2.5');
});

it('hides later keys behind a causal mask, and states it in Chinese', async () => {
  const tab = await bench.open('<attn-flow lang="zh" causal="yes" cell="scaled-1-3"></attn-flow>');
  await drawn(tab, NAME);
  await until(tab, "root.querySelector('[role=status]').textContent.includes('被掩码遮住')", NAME);
  assert.equal(await at(tab, 'weights-1-1').getAttribute('aria-label'), '第 1 行第 1 列：1.00');
});

it('takes keys and values from another text by a switch: three keys, four queries', async () => {
  const tab = await bench.open(FIGURE, { width: 390 });
  await drawn(tab, NAME);
  assert.equal(await at(tab, 'y-1-1').count(), 0);
  await tab.locator(`${NAME} #field-cross`).selectOption('yes');
  await until(tab, "root.querySelector('.title').textContent.includes('three keys')", NAME);
  assert.equal(await at(tab, 'weights-4-3').count(), 1);
  assert.equal(await at(tab, 'weights-1-4').count(), 0);
  await at(tab, 'y-1-1').fill('2');
  await at(tab, 'y-1-1').press('Tab');
  await until(tab, "figure.getAttribute('y')?.startsWith('2 ')", NAME);
});

it('ignores cells and matrices that do not exist', async () => {
  const tab = await bench.open(
    '<attn-flow cell="scores-9-9" x="1 2 3" key-weight="__proto__"></attn-flow>',
  );
  await drawn(tab, NAME);
  const notice = await tab.locator(`${NAME} [part~=notice]`).textContent();
  assert.match(notice ?? '', /cell, x, key-weight/);
});

for (const [lang, words] of Object.entries({
  en: { next: 'Next step', first: 'Step 1 of 6', last: 'Step 6 of 6', back: 'lead back' },
  zh: { next: '下一步', first: '第 1 步', last: '第 6 步', back: '反向' },
})) {
  it(`numbers its steps and leads through them by keyboard, in words (${lang})`, async () => {
    const tab = await bench.open(`<attn-flow lang="${lang}"></attn-flow>`, { width: 390 });
    await drawn(tab, NAME);
    assert.match((await tab.locator(`${NAME} .plot svg`).first().textContent()) ?? '', /① X.*⑥ Z/s);
    const opaque = () => tab.locator(`${NAME} .plot svg > g:not([opacity])`).count();
    assert.equal(await opaque(), 11);
    const next = tab.locator(`${NAME} .steps > button`).last();
    assert.equal((await next.textContent())?.trim(), words.next);
    await next.press('Enter');
    await until(
      tab,
      `root.querySelector('[role=status]').textContent.includes('${words.first}')`,
      NAME,
    );
    assert.equal(await opaque(), 1);
    for (let step = 2; step <= 6; step++) {
      await next.press('Enter');
      await until(tab, `figure.getAttribute('step') === '${step}'`, NAME);
    }
    await next.press('Enter'); // beyond the last one
    assert.match(await tab.locator(`${NAME} .steps`).innerText(), new RegExp(words.last));
    assert.equal(await next.getAttribute('aria-disabled'), 'true');
    const [bar, cell] = await Promise.all([
      tab.locator(`${NAME} .steps`).boundingBox(),
      at(tab, 'output-2-1').boundingBox(),
    ]);
    assert.ok(bar && cell && bar.y >= 0 && bar.height < 150 && cell.y > bar.y + bar.height);
    assert.ok(cell.y + cell.height < 900, 'in view');
    await tab
      .locator(NAME)
      .evaluate((it) => Object.assign(it, { gradients: 'gradients', step: 0 }));
    await until(tab, `root.querySelector('.steps').textContent.includes('${words.back}')`, NAME);
    assert.match(
      (await tab.locator(`${NAME} .plot svg`).first().textContent()) ?? '',
      /⑥ ∂L\/∂X.*① ∂L\/∂Z/s,
    );
  });
}
