// Links and code that show a figure on another page.

import { bundleAddress, namedSite, siteFolder } from '../../../assets/site.js';
import { attributeName, sharedKeys, writeHash } from '../state/state.js';
import { escapeMarkup } from '../chart/svg.js';

/**
 * @import { FigureElement as Figure } from '../element/figure.js'
 * @import { Fields, State } from '../state/state.js'
 */

/** The style that keeps the place of figures until their script comes (styles.js, pageStyles). */
const PAGE_STYLE = 'figures.min.css';

/** Above and below a figure in embed/NAME.html, together. */
const FRAME_PADDING = 16;

/**
 * Returns the key of a figure on its page: its id, or its name and place among figures of that name.
 * @param {Figure} figure
 */
export function figureKey(figure) {
  if (figure.id) return figure.id;
  const root = /** @type {Document | ShadowRoot} */ (figure.getRootNode());
  const place = [...root.querySelectorAll(figure.localName)].indexOf(figure);
  return place > 0 ? `${figure.spec.name}.${place + 1}` : figure.spec.name;
}

/**
 * Returns the addresses that other pages can load: the root of the site that the page names, and the script with the
 * figures and the style that keeps their place, of that site or the one that runs here.
 * @returns {{ root?: string, script?: string, style?: string }}
 */
function addresses() {
  try {
    const root = namedSite()?.href;
    if (root) return { root, script: `${root}figures.min.js`, style: `${root}${PAGE_STYLE}` };
    const script = bundleAddress();
    if (!script || !/^(https?|file):/.test(script)) return {};
    return { script, style: new URL(PAGE_STYLE, siteFolder()).href };
  } catch {
    return {}; // what the page names is no address
  }
}

/**
 * Returns the attributes that give a figure its state, by name, where they are not the initial ones.
 * @param {Fields} fields
 * @param {State} state
 */
const attributesOf = (fields, state) =>
  sharedKeys(fields)
    .filter((key) => state[key] !== fields[key].initial)
    .map((key) => [attributeName(key), String(state[key])]);

/** Returns the element as HTML. @param {{ name: string, lang: string, attributes: string[][] }} options */
function elementCode({ name, lang, attributes }) {
  const written = attributes.map(([attribute, value]) =>
    value ? ` ${attribute}="${escapeMarkup(value)}"` : ` ${attribute}`,
  );
  return `<attn-${name} lang="${lang}"${written.join('')}></attn-${name}>`;
}

/** Returns a figure in a state as HTML. @param {Figure} figure  @param {State} state */
export const codeOf = ({ spec: { name, fields }, language: lang }, state) =>
  elementCode({ name, lang, attributes: attributesOf(fields, state) });

/**
 * @typedef {object} Embedded
 * @property {string} name
 * @property {Fields} fields
 * @property {State} state
 * @property {Record<string, string>} [look] attributes that cut the figure to size, and its theme
 * @property {string} lang
 */

/**
 * Returns the element for other pages. The picture is for readers without scripts.
 * @param {Embedded & { script?: string, style?: string, root?: string, alt: string }} options
 *   script, style: their addresses; where there are none, the page has them already; root: of a site, which has pictures
 */
function scriptCode({ script, style, root, name, fields, state, look = {}, lang, alt }) {
  const attributes = [...attributesOf(fields, state), ...Object.entries(look)];
  const address = escapeMarkup(`${root}pictures/${name}-${lang}-light.svg`);
  const picture = root ? `<img src="${address}" alt="${escapeMarkup(alt)}">` : '';
  const element = elementCode({ name, lang, attributes }).replace('></', `>${picture}</`);
  return [
    style && `<link rel="stylesheet" href="${escapeMarkup(style)}">`,
    script && `<script type="module" src="${escapeMarkup(script)}"></script>`,
    `<div>${element}</div>`, // which takes the column of a page, as the element takes no style
  ]
    .filter(Boolean)
    .join('\n');
}

/**
 * Returns an iframe for other pages. It keeps its height unless the page listens to its messages
 * (web/site/scripts/embed.js); higher content scrolls. It has no style of its own, which policies forbid.
 * @param {Embedded & { root: string, title: string, height: number }} options  height: in CSS pixels, of the whole figure
 */
function frameCode({ root, name, fields, state, look = {}, lang, title, height }) {
  const attributes = [...attributesOf(fields, state), ...Object.entries(look)];
  const query = new URLSearchParams([...attributes, ['lang', lang]]);
  return (
    `<iframe src="${escapeMarkup(`${root}embed/${name}.html?${query}`)}" title="${escapeMarkup(title)}" ` +
    `width="100%" height="${height + FRAME_PADDING}" frameborder="0" loading="lazy" allow="clipboard-write" ` +
    `sandbox="allow-scripts allow-downloads"></iframe>`
  );
}

/** Gives every frame of a page the height of its figure: web/site/recipes/frame-height.html. */
const FRAME_HEIGHT = `<script>
  addEventListener('message', ({ data, source }) => {
    if (data?.type !== 'attn:height') return;
    for (const frame of document.querySelectorAll('iframe')) {
      if (frame.contentWindow === source) frame.style.height = \`\${data.height}px\`;
    }
  });
</script>
`;

/**
 * Returns the height of a figure as its readers meet it: folded, where it is narrow, without the table and links that
 * are open here.
 * @param {Figure} figure
 */
function usualHeight({ renderRoot }) {
  const frame = /** @type {HTMLElement} */ (renderRoot.querySelector('figure'));
  const { className } = frame;
  frame.classList.replace('unfolded', 'folded');
  const opened = [...frame.querySelectorAll('.shared, .data')];
  const [whole, ...parts] = [frame, ...opened].map((part) => part.getBoundingClientRect().height);
  frame.className = className;
  return Math.ceil(parts.reduce((rest, part) => rest - part, whole));
}

/**
 * Copies a text to the clipboard, where the page may.
 * @param {string} text
 * @returns {Promise<boolean>} false where the page may not write to the clipboard
 */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies the first of some texts, and shows them all: the page may not be allowed to copy.
 * @param {Figure} figure
 * @param {Figure['shared']} texts
 * @param {{ copied: string, here: string }} notices
 * @returns {Promise<boolean>} whether the figure still shows their state; else none are offered
 */
async function offer(figure, texts, { copied, here }) {
  const { state } = figure;
  const isCopied = await copy(texts[0].text);
  if (figure.state !== state) return false;
  figure.shared = texts;
  figure.notice = isCopied ? copied : here;
  figure.requestUpdate();
  return true;
}

/** Offers the page's address with the state of the figure. @param {Figure} figure */
export async function share(figure) {
  const { spec, state, kit } = figure;
  const hash = `#${writeHash(figureKey(figure), spec.fields, state)}`;
  // A document without an address is part of another; a page with a base is not.
  const page = location.protocol === 'about:' ? document.baseURI : location.href;
  const text = new URL(hash, page).href;
  const notices = { copied: kit.linkCopied, here: kit.linkHere };
  if (!(await offer(figure, [{ label: kit.link, text }], notices))) return;
  try {
    history.replaceState(history.state, '', text);
  } catch {
    // A sandboxed frame cannot change its address; the link is shown all the same.
  }
}

/** The attributes that cut a figure to size. */
const CUTS = ['controls', 'panels', 'compact'];

/** Returns the attributes of a figure that are not its state. @param {Figure} figure */
function lookOf(figure) {
  const names = CUTS.filter((name) => Reflect.get(figure, name));
  if (/^(light|dark)$/.test(figure.theme)) names.push('theme');
  return Object.fromEntries(names.map((name) => [name, figure.getAttribute(name) ?? '']));
}

/** Offers the code that embeds the figure. @param {Figure} figure */
export async function embed(figure) {
  const { spec, state, kit } = figure;
  const { root, script, style } = addresses();
  const view = figure.view();
  const shown = {
    name: spec.name,
    fields: spec.fields,
    state,
    look: lookOf(figure),
    lang: figure.language,
  };
  const element = scriptCode({ ...shown, root, script, style, alt: view.text.name });
  const texts = [{ label: script ? kit.embedScript : kit.embedElement, text: element }];
  if (root) {
    const frame = frameCode({
      ...shown,
      root,
      title: spec.title(view),
      height: usualHeight(figure),
    });
    texts.push({ label: kit.embedFrame, text: `${frame}\n${FRAME_HEIGHT}` });
  }
  const notices = root
    ? { copied: kit.codeCopied, here: kit.codeHere }
    : { copied: kit.elementCopied, here: kit.elementHere };
  await offer(figure, texts, notices);
}
