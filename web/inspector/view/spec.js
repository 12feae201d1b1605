// The description of <attn-view>.

import { styles as courseStyles } from '../course/course-controls.js';
import { aspect } from '../picture/layout.js';
import { styles as whyStyles } from '../why/why.js';
import { styles as bringStyles } from './bring.js';
import { compute } from './data.js';
import { load } from './example.js';
import { fields } from './fields.js';
import { overlay, styles as overlayStyles } from './overlay.js';
import { draw, pick, rows } from './picture.js';
import { styles as tableStyles } from './table.js';
import { caption, note, readout, status, title } from './telling.js';
import { messages } from './generated/words.js';

/**
 * @import { FigureSpec } from '../../figures/kit/spec.js'
 * @import { Shown } from '../heads/heads.js'
 * @import { Data } from './data.js'
 * @import { State } from './fields.js'
 */

/** @type {FigureSpec<Data, typeof messages.en, State, Shown>} */
export const spec = {
  name: 'view',
  room: { wide: 700, narrow: 600 },
  fields,
  visible: ['layer', 'head', 'factor'],
  main: 'head',
  keeps: Object.keys(fields),
  messages,
  load,
  compute,
  aspect,
  title,
  status,
  caption,
  draw,
  pick,
  follows: true,
  overlay,
  styles: [overlayStyles, tableStyles, bringStyles, whyStyles, courseStyles],
  readout,
  note,
  rows,
};
