// Links and code that take a figure elsewhere.

import { attributeName, writeHash } from './state.js';

/** @typedef {import('./state.js').State} State  @typedef {import('./state.js').Fields} Fields */

/**
 * Which figure of the page this is: its id, or its name and place among figures of that name.
 * @param {Element} element
 * @param {string} name
 * @returns {string}
 */
export function figureKey(element, name) {
  if (element.id) return element.id;
  const root = /** @type {Document | ShadowRoot} */ (element.getRootNode());
  const place = [...root.querySelectorAll(element.localName)].indexOf(element);
  return place > 0 ? `${name}.${place + 1}` : name;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {Fields} fields
 * @param {State} state
 * @returns {string} the page's address with everything that the figure shows
 */
export function shareLink(element, name, fields, state) {
  const address = new URL(location.href);
  address.hash = writeHash(figureKey(element, name), fields, state);
  return address.href;
}

/** @param {string} value */
const quoted = (value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * The root of the site that serves figures: what `<meta name="attention-lab">` says, else where the
 * bundle came from, else the folder above the page.
 * @param {Document} document
 * @returns {string} ends in a slash
 */
export function siteRoot(document) {
  const named = document.querySelector('meta[name="attention-lab"]')?.getAttribute('content');
  const bundle = document.querySelector('script[src*="figures.min.js"], script[src*="figures/"]');
  const source = bundle?.getAttribute('src')?.replace(/figures(\.min\.js|\/[^/]*)$/, '');
  const root = named ?? (source === undefined ? '../' : source || './');
  try {
    return new URL(root, document.baseURI).href;
  } catch {
    return new URL('../', location.href).href;
  }
}

/**
 * Code for other pages: the element with one script, and an iframe. The iframe keeps its height until
 * the page around it listens to what it tells (web/page/embed/embed.js); what is higher scrolls.
 * @param {{ root: string, name: string, fields: Fields, state: State, lang: string, title: string, height: number }} options
 *   height: in CSS pixels, of the whole figure
 * @returns {{ script: string, frame: string }}
 */
export function embedCode({ root, name, fields, state, lang, title, height }) {
  const changed = Object.keys(fields).filter((key) => state[key] !== fields[key].initial);
  const attributes = changed.map((key) => ` ${attributeName(key)}="${quoted(String(state[key]))}"`);
  const query = new URLSearchParams(changed.map((key) => [attributeName(key), String(state[key])]));
  query.set('lang', lang);
  const element = `attn-${name}`;
  return {
    script:
      `<script type="module" src="${quoted(`${root}figures.min.js`)}"></script>\n` +
      `<${element} lang="${lang}"${attributes.join('')}></${element}>`,
    frame:
      `<iframe src="${quoted(`${root}embed/${name}.html?${query}`)}" title="${quoted(title)}" ` +
      `width="100%" height="${height}" style="border:0" loading="lazy" allow="clipboard-write"></iframe>`,
  };
}
