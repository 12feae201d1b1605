// The panel of <attn-heads> that says why there are several: two words that one softmax mixes.

import { relationsHeld } from '../../experiments/heads.js';
import { times } from '../../shared/times.js';
import { lostInMean } from '../../theory/mean.js';
import { blueLook, greyLook, orangeLook } from '../kit/chart/looks.js';
import { points } from '../kit/chart/series.js';

/**
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 */

/** Weights on the first of two words, at which its loss is drawn, and at which it is measured. */
const DRAWN_WEIGHTS = times(51, (i) => i / 50);
const MEASURED_WEIGHTS = [0.05, 0.2, 0.35, 0.65, 0.8, 0.95];
const SEED = 1;

/** Measures what one head, and two, lose of two words. */
export const measureRelations = () => relationsHeld({ weights: MEASURED_WEIGHTS, seed: SEED });

/** Describes the panel of what one head, and two, keep of two words. @param {View} view @returns {Panel} */
export function relationsPanel({ data, text: words, palette }) {
  const [one, two] = [1, 2].map((heads) => data.relations.filter((row) => row.heads === heads));
  const channels = /** @type {const} */ ({ x: 'weight', theory: () => 1 });
  const lost = (/** @type {'first' | 'second'} */ word) => ({
    measured: points(one, { x: 'weight', y: word }),
    theory: DRAWN_WEIGHTS.map((weight) => ({ x: weight, y: lostInMean(weight)[word] })),
  });
  return {
    title: words.relationsPanel,
    note: words.relationsNote,
    x: { ends: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1], name: words.relationsAxis },
    y: { ends: [0, 1], ticks: [0, 0.5, 1] },
    margin: { top: 46 },
    series: [
      {
        look: greyLook(palette, 'both'),
        label: words.both,
        measured: points(one, { ...channels, y: 'both' }),
        level: 1,
      },
      { look: blueLook(palette, 'first'), label: words.first, ...lost('first'), end: { y: 0.08 } },
      {
        look: orangeLook(palette, 'second'),
        label: words.second,
        ...lost('second'),
        end: { y: 0.9 },
      },
      {
        look: { ...greyLook(palette, 'two'), colour: palette.ink, marker: 'triangle' },
        label: words.twoHeads,
        measured: points(two, { x: 'weight', y: 'both', theory: () => 0 }),
        level: 0,
        end: { y: 0 },
      },
    ],
  };
}
