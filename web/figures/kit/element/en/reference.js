// What the reference says of all elements in English.

import { LANGUAGE_KEYS } from '../../../../shared/languages.js';

/** @import { Palette } from '../../chart/palette.js' */

export const reference = {
  /** Attributes of every element. */
  sharedAttributes: {
    lang: LANGUAGE_KEYS.join(' or '),
    theme:
      'keeps one set of colours; without it they suit the background and the text of the page, also after a change',
  },
  /** Attributes of every figure. */
  figureAttributes: {
    controls: 'the controls to show, by attribute name; there are no others; `none` for none',
    panels: 'the panels to show, by name',
    compact:
      'cuts the figure to its title, one panel, one control and the first number of each series, in text half as large as that around it; `panels` and `controls` choose others',
  },
  /** Fields of several figures, which a figure may describe otherwise. @type {Record<string, string>} */
  fields: {
    dK: 'length of queries and keys',
    keys: 'how many keys a query chooses from',
    scale: 'factor of the scaled series',
    entrySize: 'standard deviation of the entries',
    mean: 'mean of the entries, in standard deviations',
    start: 'of the weights that make queries and keys: the variance of their entries',
    queries: 'sample size',
    seed: 'of the random numbers',
  },
  events: {
    'attn-change':
      'after the state has changed and been computed; settled is false while the reader drags. It bubbles and is composed.',
    'attn-highlight': 'after another series, or none, has been lit up',
  },
  /** The empty name is that of the slot without one. */
  slots: {
    '': 'static picture, shown until the figure is drawn; other content stays, below the figure',
    fallback: 'the same, by name',
    title: "replaces the figure's own title",
    caption: "replaces the figure's own caption",
  },
  parts: {
    title: 'the claim, with its live number',
    controls: 'the line of controls',
    run: 'button that starts the measurement',
    cancel: 'button that ends it early',
    play: 'button that plays the film of the figure, or stops it',
    turns: 'on narrow screens, where a figure shows one panel at a time: buttons for each',
    plot: 'the picture',
    readout: 'the numbers below the picture: measured, theory, error',
    fold: 'on narrow screens: button that unfolds the other numbers, notes and links',
    sample: 'button that draws a new sample',
    share: 'button that copies a link to this state',
    embed: 'button that copies the code to embed this state',
    'download-svg': 'button that saves the picture as SVG',
    'download-png': 'button that saves the picture as PNG',
    'download-csv': 'button that saves the data',
    table: 'button that shows the data',
    data: 'the data as tables, once shown',
    notice: 'a remark: an attribute that could not be read, a link that was copied',
    failure: 'says what went wrong, in place of numbers',
    retry: 'button that tries again',
  },
  margin: 'margin above and below the element',
  top: 'height of a bar at the top of the page, under which the main control stays on a phone; none: it does not stay',
  /** The colours and the font that pages may set. @type {Record<keyof Palette, string>} */
  colours: {
    ink: 'text',
    muted: 'axis names, ticks, annotations',
    faint: 'grid',
    paper: 'behind labels',
    scaled: 'series with the scale',
    scaledText: 'labels of that series; else its colour',
    unscaled: 'series without the scale',
    unscaledText: 'labels of that series; else its colour',
    third: 'a further series',
    thirdText: 'labels of that series; else its colour',
    folk: 'the claim as commonly made',
    folkText: 'labels of that claim; else its colour',
    font: 'font family of all text',
  },
};
