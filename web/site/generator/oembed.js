// Build step: oembed/NAME.LANG.json describes to other sites how to frame a figure
// (https://oembed.com).
import { frameCode, FRAME_PADDING } from '../../figures/kit/shell/embed.js';
import { isDrawn, viewOf } from './figures.js';
import { STILL_SCALE, STILL_WIDTH } from './stills.js';
import { ADDRESS } from '../../build/paths.js';

/** @import { Figure, Language } from './figures.js' */

/** The ledger is longer than a frame should be; it scrolls. */
const LEDGER_HEIGHT = 900;

/**
 * Returns the oEmbed answer for a figure in its initial state.
 * @param {Figure} figure
 * @param {Language} lang
 */
export function oEmbed(figure, lang) {
  const { name, names } = figure;
  if (!isDrawn(figure)) {
    return answer({ name, lang, title: names[lang], height: LEDGER_HEIGHT, fields: {}, state: {} });
  }
  const { spec } = figure;
  const view = viewOf(figure, lang);
  const picture = STILL_WIDTH * spec.aspect.wide;
  const height = Math.ceil(picture) + spec.room.wide;
  return {
    ...answer({
      name,
      lang,
      title: spec.title(view),
      height,
      fields: spec.fields,
      state: view.state,
    }),
    thumbnail_url: `${ADDRESS}pictures/${name}-${lang}.png`,
    thumbnail_width: STILL_SCALE * STILL_WIDTH,
    thumbnail_height: STILL_SCALE * Math.round(picture),
  };
}

/** Returns an oEmbed answer. @param {Omit<Parameters<typeof frameCode>[0], 'root'>} frame */
const answer = (frame) => ({
  version: '1.0',
  type: 'rich',
  title: frame.title,
  provider_name: 'attention-lab',
  provider_url: ADDRESS,
  width: STILL_WIDTH,
  height: frame.height + FRAME_PADDING,
  html: frameCode({ root: ADDRESS, ...frame }),
});
