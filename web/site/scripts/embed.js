// The script of embed/<figure>.html: reads the figure's state from the query string, and posts the
// height of the figure to the page around the frame.
//   ?d-k=64&keys=64&lang=zh   attributes of the figure
//   &theme=light|dark         else the reader's preference
//   &id=…                     comes back in the messages, to distinguish several frames
// A hash, which a reader has shared from here since, wins.

import { languageOf } from '../../figures/kit/state/language.js';
import { aboutLanguage } from '../../shared/languages.js';

/**
 * Sets those attributes that the element observes. It checks their values, as those of any attribute.
 * @param {Element} element
 * @param {URLSearchParams} query
 */
function setAttributes(element, query) {
  const hash = new URLSearchParams(location.hash.slice(1));
  for (const name of Reflect.get(element.constructor, 'observedAttributes') ?? []) {
    const value = query.get(name);
    if (value !== null && name !== 'lang' && !hash.has(name)) element.setAttribute(name, value);
  }
}

/** Sets the language of the document, and the theme, which Embed hands on. @param {Element | null} element  @param {URLSearchParams} query */
function setLanguageAndTheme(element, query) {
  const root = document.documentElement;
  const lang = query.get('lang') ?? navigator.language;
  const language = languageOf(lang);
  root.lang = aboutLanguage(language).tag;
  document.title = document.querySelector('title')?.dataset[language] ?? document.title;
  const theme = query.get('theme');
  if (theme !== 'light' && theme !== 'dark') return;
  root.dataset.theme = theme;
  element?.setAttribute('theme', theme);
}

/**
 * Posts the height of the document once it has loaded and whenever it changes. Below the fold Chromium
 * calls no observer of a frame from another origin, until it is scrolled to.
 * @param {string | null} id
 */
function postHeights(id) {
  let posted = 0;
  const post = () => {
    const height = Math.ceil(document.body.getBoundingClientRect().height);
    if (height === posted) return;
    posted = height;
    parent.postMessage({ type: 'attn:height', v: 1, id, height }, '*');
  };
  new ResizeObserver(post).observe(document.body);
  addEventListener('load', post);
}

/** Starts the one figure of the document. @param {string} name its tag name */
export function start(name) {
  const query = new URLSearchParams(location.search);
  const element = document.querySelector(name);
  setLanguageAndTheme(element, query);
  if (element) setAttributes(element, query);
  postHeights(query.get('id'));
}
