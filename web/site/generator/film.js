// Draws public/pictures/walk-film-LANG.svg (web/build/pictures.js): the film of <attn-walk> as a picture that moves
// by CSS alone, for places without scripts. Walks fan out, one key takes all, the cloud of gradients sinks; divided by
// √d_k everything comes back. It keeps still at its dramatic point where readers prefer less motion.
import { walkGradients, walkPaths, walkWeights, WALK_KEYS } from '../../experiments/walk.js';
import { dark, light } from '../../figures/kit/chart/palette.js';
import { text } from '../../figures/kit/chart/chart.js';
import { node, toMarkup } from '../../figures/kit/chart/svg.js';
import { asPower } from '../../figures/kit/state/language.js';
import { spec } from '../../figures/walk/element.js';
import { LANGUAGES } from '../../shared/languages.js';
import { times } from '../../shared/times.js';

/**
 * @import { Language } from './figures.js'
 * @import { SvgChild } from '../../figures/kit/chart/svg.js'
 */

export const FILM_SIZE = { width: 960, height: 430 };
/** The steps of a walk at its longest, and those between two drawn places. */
const [STEPS, STRIDE] = [256, 4];
/** Seconds of one round. */
const SECONDS = 12;
/** When walks have grown, have rested and have shrunk, in per cent of a round, which ends with a rest. */
const [GROWN, RESTED, SHRUNK] = [46, 56, 68];
/** The lengths of walks between which everything moves evenly. */
const LENGTHS = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256];
const [THIN, QUERIES] = [20, 60];
const FAN = { x: 44, y: 205, width: 430, unit: 150 / 55 };
const BARS = { x: 560, y: 58, width: 330, step: 21, height: 15 };
const CLOUD = { x: 560, y: 300, width: 330, height: 88, least: 1e-6, most: 25 };

const seed = spec.fields.seed.initial;

/** Returns when a walk is of some length, in per cent. @param {number} steps */
const when = (steps) => (GROWN * Math.log2(steps)) / Math.log2(STEPS);

/**
 * Returns the keyframes of one mark.
 * @param {string} name
 * @param {(steps: number, factor: 'none' | '1/√d') => string} transformAt
 */
function keyframes(name, transformAt) {
  const grows = LENGTHS.map(
    (steps) => `${when(steps).toFixed(1)}%{transform:${transformAt(steps, 'none')}}`,
  );
  const rests = `${RESTED}%{transform:${transformAt(STEPS, 'none')}}`;
  return `@keyframes ${name}{${grows.join('')}${rests}${SHRUNK}%,to{transform:${transformAt(STEPS, '1/√d')}}}`;
}

/** Returns the rows of a sample at each length. @template Row  @param {(dK: number) => Row[]} rowsAt */
const byLength = (rowsAt) => new Map(LENGTHS.map((dK) => [dK, rowsAt(dK)]));
const weights = byLength((dK) => walkWeights({ dK, seed, queries: QUERIES }));
const gradients = byLength((dK) => walkGradients({ dK, seed, queries: QUERIES }));
const paths = walkPaths({ dK: STEPS, seed, walks: WALK_KEYS + THIN, points: STEPS / STRIDE + 1 });

/** Draws the walks, which a growing window reveals. */
function fan() {
  const lines = times(WALK_KEYS + THIN, (walk) => {
    const isThin = walk >= WALK_KEYS;
    const places = paths.filter(
      ({ walk: each, step }) => each === walk && !(isThin && step % (2 * STRIDE)),
    );
    const points = places.map(
      ({ step, score }) =>
        `${((FAN.width * step) / STEPS).toFixed(0)},${(-score * FAN.unit).toFixed(0)}`,
    );
    return node('polyline', { class: isThin && 'thin', points: points.join(' ') });
  });
  return node(
    'g',
    { 'clip-path': 'url(#grown)' },
    node(
      'g',
      { transform: `translate(${FAN.x} ${FAN.y})` },
      node('g', { class: 'fan' }, ...lines.reverse()),
    ),
  );
}

/** Draws the weights of eight keys, from the highest score to the lowest, and says how they move. */
function bars() {
  const last = (weights.get(STEPS) ?? []).filter(({ factor }) => factor === 'none');
  const order = [...last].sort((a, b) => b.score - a.score).map(({ key }) => key);
  return order.map((key, rank) => ({
    mark: node('rect', {
      class: 'bar',
      id: `b${rank}`,
      x: BARS.x,
      y: BARS.y + BARS.step * rank,
      width: BARS.width,
      height: BARS.height,
    }),
    style: `#b${rank}{animation-name:b${rank}}${keyframes(`b${rank}`, (steps, factor) => {
      const row = weights.get(steps)?.find((each) => each.key === key && each.factor === factor);
      return `scaleX(${(row?.weight ?? 0).toFixed(3)})`;
    })}`,
  }));
}

/** Returns how far along its logarithmic axis a gradient lies. @param {number} gradient */
const placeOf = (gradient) =>
  (CLOUD.width * Math.log(Math.max(gradient / CLOUD.least, 1))) /
  Math.log(CLOUD.most / CLOUD.least);

/** Draws a dot a query, and says how they move. */
const dots = () =>
  times(QUERIES, (query) => ({
    mark: node('circle', {
      class: 'dot',
      id: `g${query}`,
      cx: CLOUD.x,
      cy: CLOUD.y + CLOUD.height * ((query * 0.618034) % 1),
      r: 2.6,
    }),
    style: `#g${query}{animation-name:g${query}}${keyframes(`g${query}`, (steps, factor) => {
      const row = gradients
        .get(steps)
        ?.find((each) => each.query === query && each.factor === factor);
      return `translateX(${placeOf(row?.gradient ?? 0).toFixed(0)}px)`;
    })}`,
  }));

/** Draws a line with marks, below or beside which numbers stand. @param {string} d */
const axis = (d) => node('path', { class: 'axis', d });

/** Draws the axes and all words. @param {Language} lang  @returns {SvgChild[]} */
function frame(lang) {
  const words = spec.messages[lang].film;
  const reach = 40 * FAN.unit;
  const bottom = CLOUD.y + CLOUD.height + 8;
  return [
    node('g', { class: 'before' }, text(FAN.x, 26, words.before, { size: 17, weight: 600 })),
    node('g', { class: 'after' }, text(FAN.x, 26, words.after, { size: 17, weight: 600 })),
    axis(`M${FAN.x},${FAN.y}h${FAN.width}M${FAN.x},${FAN.y - 150}v300`),
    [40, 0, -40].map((score) =>
      text(FAN.x - 6, FAN.y + 4 - (reach * score) / 40, String(score).replace('-', '−'), {
        anchor: 'end',
      }),
    ),
    text(FAN.x, FAN.y + 176, words.steps),
    text(BARS.x, BARS.y - 12, words.weights, { weight: 600 }),
    text(CLOUD.x, CLOUD.y - 16, words.gradients, { weight: 600 }),
    axis(`M${CLOUD.x},${bottom}h${CLOUD.width}`),
    [1e-6, 1e-4, 1e-2, 1].map((gradient) =>
      text(CLOUD.x + placeOf(gradient), bottom + 18, asPower(gradient), { anchor: 'middle' }),
    ),
  ];
}

/** The rules that do not depend on the sample. */
const STYLE = `
:root{color-scheme:light dark;--ink:${light.ink};--muted:${light.muted};--thin:${light.folk};--unscaled:${light.unscaled};--scaled:${light.scaled};--after:${light.scaledText};--before:${light.unscaledText};--paper:${light.paper}}
@media(prefers-color-scheme:dark){:root{--ink:${dark.ink};--muted:${dark.muted};--thin:${dark.folk};--unscaled:${dark.unscaled};--scaled:${dark.scaled};--after:${dark.scaledText};--before:${dark.unscaledText};--paper:${dark.paper}}}
text{fill:var(--ink)}.axis{stroke:var(--muted);fill:none}.ground{fill:var(--paper)}
polyline{fill:none;stroke:currentColor;stroke-width:1.6;vector-effect:non-scaling-stroke}.thin{stroke:var(--thin);stroke-width:.8}
.bar{fill:currentColor;transform-origin:${BARS.x}px 0}.dot{fill:currentColor;opacity:.6}
.before text{fill:var(--before)}.after text{fill:var(--after)}
.fan,.bar,.dot,.window,.before,.after,.tinted{animation-duration:${SECONDS}s;animation-iteration-count:infinite;animation-timing-function:linear}
.fan{animation-name:fan}.window{animation-name:grow;transform-origin:${FAN.x}px 0}.before{animation-name:before}.after{animation-name:after}.tinted{animation-name:tint}
@keyframes tint{0%,${RESTED}%{color:var(--unscaled)}${SHRUNK}%,to{color:var(--scaled)}}
@keyframes fan{0%,${RESTED}%{transform:scaleY(1)}${SHRUNK}%,to{transform:scaleY(${1 / Math.sqrt(STEPS)})}}
@keyframes grow{${LENGTHS.map((steps) => `${when(steps).toFixed(1)}%{transform:scaleX(${(steps / STEPS).toFixed(4)})}`).join('')}to{transform:scaleX(1)}}
@keyframes before{0%,${RESTED}%{opacity:1}${RESTED + 5}%,to{opacity:0}}
@keyframes after{0%,${RESTED}%{opacity:0}${SHRUNK}%,to{opacity:1}}
@media(prefers-reduced-motion:reduce){.fan,.bar,.dot,.window,.before,.after,.tinted{animation-delay:-${((SECONDS * (RESTED - 1)) / 100).toFixed(1)}s;animation-play-state:paused}}`;

/** Returns the film in a language. @param {Language} lang  @returns {string} self-contained SVG */
export function filmSvg(lang) {
  const { name, film: words } = spec.messages[lang];
  const moving = [...bars(), ...dots()];
  const window = {
    class: 'window',
    x: FAN.x,
    y: 0,
    width: FAN.width + 4,
    height: FILM_SIZE.height,
  };
  const drawing = node(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      role: 'img',
      lang: LANGUAGES.find(({ key }) => key === lang)?.tag,
      viewBox: `0 0 ${FILM_SIZE.width} ${FILM_SIZE.height}`,
      'font-family': light.font,
      'font-size': 13,
    },
    node('title', {}, name),
    node('desc', {}, words.description),
    node('rect', { class: 'ground', width: '100%', height: '100%' }),
    node('clipPath', { id: 'grown' }, node('rect', window)),
    frame(lang),
    node(
      'g',
      { class: 'tinted' },
      fan(),
      moving.map(({ mark }) => mark),
    ),
  );
  const style = `${STYLE}\n${moving.map((each) => each.style).join('\n')}`;
  return toMarkup(drawing).replace('</desc>', `</desc><style>${style}</style>`);
}
