// The palette for a background: every text of it can be read.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { paletteOn } from '../../../../../web/figures/kit/element/page-colours.js';
import { dark, light } from '../../../../../web/figures/kit/chart/palette.js';
import { times } from '../../../../../web/shared/times.js';

/** Reads `#rrggbb` or `rgb(r g b)`. @param {string} text @returns {number[]} */
const channels = (text) =>
  text[0] === '#'
    ? [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16))
    : (text.match(/\d+/g) ?? []).map(Number);

/** Returns the relative luminance of WCAG 2.2. @param {number[]} colour */
const luminance = (colour) =>
  colour
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);

/** @param {number[]} one  @param {number[]} other */
const contrast = (one, other) => {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const STEPS = times(11, (i) => 25.5 * i).map(Math.round);
const CUBE = STEPS.flatMap((r) => STEPS.flatMap((g) => STEPS.map((b) => [r, g, b])));
const GREYS = times(256, (i) => [i, i, i]);

describe('the palette for a background', () => {
  it('gives every text a contrast of 4.5 and every mark 2.4, on 1587 colours', () => {
    for (const background of [...CUBE, ...GREYS]) {
      const palette = paletteOn(background);
      const least = (/** @type {(keyof typeof palette)[]} */ ...keys) =>
        Math.min(...keys.map((key) => contrast(channels(palette[key]), background)));
      const texts = least('ink', 'muted', 'scaledText', 'unscaledText', 'thirdText', 'folkText');
      assert.ok(texts >= 4.5, `${background}: ${texts}`);
      const marks = least('scaled', 'unscaled', 'third', 'folk');
      assert.ok(marks >= 2.4, `${background}: ${marks}`);
    }
  });

  it('gives numbers on the strongest tint of a cell a contrast of 4.4', () => {
    for (const background of [...CUBE, ...GREYS]) {
      const { ink, third } = paletteOn(background);
      const tint = channels(third).map((part, i) => (part + background[i]) / 2);
      const found = contrast(channels(ink), tint);
      assert.ok(found >= 4.4, `${background}: ${found}`);
    }
  });

  for (const palette of [light, dark]) {
    it(`is the usual one, but for the grid, on ${palette.paper}, with marks of 3`, () => {
      for (const mark of [palette.scaled, palette.unscaled, palette.third, palette.folk]) {
        assert.ok(contrast(channels(mark), channels(palette.paper)) >= 3, mark);
      }
      const { faint, font, ...usual } = palette;
      const own = paletteOn(channels(palette.paper));
      for (const [key, colour] of Object.entries(usual)) {
        assert.deepEqual(channels(own[/** @type {'ink'} */ (key)]), channels(colour), key);
      }
      assert.ok(channels(own.faint).every((part, i) => Math.abs(part - channels(faint)[i]) <= 4));
      assert.equal(own.font, font);
    });
  }
});
