// The matrices of <attn-gradient>: the Jacobian of a few logits, exact and as float32 computes it.

import { text } from '../kit/chart/chart.js';
import { asPower } from '../kit/state/language.js';
import { clamped, logarithmic } from '../kit/chart/mapping.js';
import { node } from '../kit/chart/svg.js';
import { say } from '../kit/state/words.js';

/**
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { View } from './element.js'
 * @typedef {'exact' | 'float32'} Arithmetic
 */

/** The least entry with a colour; the largest possible entry is 1/4. */
const FAINTEST = 1e-24;
const shade = clamped(logarithmic([FAINTEST, 0.25], [0.1, 0.5]));
/** Room for a mantissa beside the power of ten, in pixels. */
const ROOMY = 72;
/** Below this width, in pixels, a minus sign and two digits do not fit. */
const NARROW = 42;

/**
 * Writes an entry.
 * @param {number} value
 * @param {number} width of its cell
 * @param {View} view
 * @returns {string}
 */
function entryText(value, width, { format }) {
  if (value === 0) return '0';
  if (Math.abs(value) >= 0.05) return format.fixed(value, width > NARROW ? 2 : 1);
  if (width > ROOMY) return format.significant(value, 2);
  return (value < 0 ? '−' : '') + asPower(Math.abs(value));
}

/**
 * Describes the panel of a matrix.
 * @param {Arithmetic} arithmetic
 * @param {View} view
 * @returns {Panel}
 */
export function matrixPanel(arithmetic, view) {
  const { data, text: words, format, palette } = view;
  const { logits, jacobian } = data;
  const count = logits.length;
  return {
    title: arithmetic === 'exact' ? words.exactPanel : words.float32Panel,
    margin: { left: 26, right: 2 },
    rows:
      arithmetic === 'float32'
        ? []
        : jacobian.map(({ weight, logit, exact, float32 }) => ({
            panel: words.exactPanel,
            series: say(view, words.entry, { i: weight + 1, j: logit + 1 }),
            x: logit + 1,
            measured: float32,
            theory: exact,
          })),
    marks({ box }) {
      const width = (box.right - box.left) / count;
      const height = (box.bottom - box.top) / count;
      const x = (/** @type {number} */ column) => box.left + column * width;
      const y = (/** @type {number} */ row) => box.top + row * height;
      return [
        node(
          'g',
          { fill: palette.muted, 'text-anchor': 'middle' },
          logits.map((logit, i) => [
            text(x(i + 0.5), box.bottom + 16, format.plain(logit)),
            text(box.left - 14, y(i + 0.5) + 4, `p_${i + 1}`),
          ]),
          text(x(count / 2), box.bottom + 34, words.logitAxis),
        ),
        jacobian.map(({ logit, weight, exact, [arithmetic]: value }) => {
          const lost = value === 0 && exact !== 0;
          return [
            node('rect', {
              x: x(logit) + 1.5,
              y: y(weight) + 1.5,
              width: width - 3,
              height: height - 3,
              fill: value > 0 ? palette.scaled : palette.unscaled,
              'fill-opacity': value === 0 ? 0 : shade(Math.abs(value)),
              stroke: lost && palette.ink,
              'stroke-dasharray': lost && '3 3',
            }),
            text(x(logit + 0.5), y(weight + 0.5) + 4, entryText(value, width, view), {
              anchor: 'middle',
              within: width - 3,
            }),
          ];
        }),
      ];
    },
  };
}
