// A picture as data: the one drawing of a figure becomes live nodes, a static picture and a download.
//
// Only presentation attributes are used, never `style`, so a strict content security policy changes nothing.

const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @typedef {{ tag: string, attributes: Record<string, string>, children: (SvgNode | string)[] }} SvgNode
 * @typedef {SvgNode | string | number | null | undefined | false | SvgChild[]} SvgChild Arrays are
 *   flattened; null, undefined and false are left out.
 */

/** Returns the text of an attribute, a number rounded to a hundredth of a pixel. @param {string | number} value */
const attributeText = (value) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;

/** Returns the children in one list. @param {SvgChild[]} children @returns {(SvgNode | string)[]} */
function flatten(children) {
  /** @type {(SvgNode | string)[]} */
  const flat = [];
  for (const child of children) {
    if (Array.isArray(child)) flat.push(...flatten(child));
    else if (typeof child === 'number') flat.push(String(child));
    else if (child) flat.push(child);
  }
  return flat;
}

/**
 * Makes one SVG element.
 * @param {string} tag
 * @param {Record<string, string | number | null | undefined | false>} attributes  null, undefined and false are left out
 * @param {...SvgChild} children
 * @returns {SvgNode}
 */
export function node(tag, attributes, ...children) {
  /** @type {Record<string, string>} */
  const kept = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) kept[name] = attributeText(value);
  }
  return { tag, attributes: kept, children: flatten(children) };
}

/** @type {Record<string, string>} */
const ENTITIES = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** What XML cannot hold: most control characters and halves of pairs. */
const NOT_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for XML. @param {string} text  @returns {string} */
export const escapeMarkup = (text) =>
  text.replace(NOT_XML, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character]);

/**
 * Returns a picture for a file, with colours that do not depend on its surroundings: that of its text, and its ground.
 * @param {SvgNode} tree  beginning with its title and its description
 * @param {{ ink: string, paper: string }} palette
 * @returns {SvgNode}
 */
export function grounded({ tag, attributes, children: [title, description, ...drawing] }, palette) {
  const ground = node('rect', { width: '100%', height: '100%', fill: palette.paper });
  return {
    tag,
    attributes: { ...attributes, color: palette.ink },
    children: [title, description, ground, ...drawing],
  };
}

/**
 * Returns the picture as XML, which is also valid inside HTML.
 * @param {SvgNode | string} tree
 * @returns {string}
 */
export function toMarkup(tree) {
  if (typeof tree === 'string') return escapeMarkup(tree);
  const attributes = Object.entries(tree.attributes)
    .map(([name, value]) => ` ${name}="${escapeMarkup(value)}"`)
    .join('');
  const children = tree.children.map(toMarkup).join('');
  return children
    ? `<${tree.tag}${attributes}>${children}</${tree.tag}>`
    : `<${tree.tag}${attributes}/>`;
}

/**
 * Makes a picture as wide as a share of its place; its height follows.
 * @param {SvgNode} tree
 * @param {Record<string, string>} [changes]  of further attributes
 * @returns {SvgNode}
 */
export function fluid(tree, changes = {}) {
  /** @type {Record<string, string>} */
  const attributes = { ...tree.attributes, width: '100%', ...changes };
  delete attributes.height;
  return { ...tree, attributes };
}

/** The pictures that live elements show. @type {WeakMap<Element, SvgNode>} */
const shown = new WeakMap();

/**
 * Returns whether two parts of pictures are the same.
 * @param {SvgNode | string | undefined} one
 * @param {SvgNode | string} other
 * @returns {boolean}
 */
function isSame(one, other) {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  const names = Object.keys(other.attributes);
  return (
    one.tag === other.tag &&
    one.children.length === other.children.length &&
    Object.keys(one.attributes).length === names.length &&
    names.every((name) => one.attributes[name] === other.attributes[name]) &&
    one.children.every((child, index) => isSame(child, other.children[index]))
  );
}

/** Makes a live part. @param {SvgNode | string} part @param {Document} document */
function create(part, document) {
  if (typeof part === 'string') return document.createTextNode(part);
  const element = document.createElementNS(NAMESPACE, part.tag);
  update(element, { tag: part.tag, attributes: {}, children: [] }, part);
  return element;
}

/**
 * Changes a live element where two trees differ.
 * @param {Element} element
 * @param {SvgNode} before  that it shows
 * @param {SvgNode} after  of the same tag
 */
function update(element, before, after) {
  for (const name of Object.keys(before.attributes)) {
    if (!(name in after.attributes)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after.attributes)) {
    if (name !== 'xmlns' && before.attributes[name] !== value) element.setAttribute(name, value);
  }
  for (let count = before.children.length; count > after.children.length; count--) {
    element.lastChild?.remove();
  }
  after.children.forEach((child, index) => {
    const earlier = before.children[index];
    if (isSame(earlier, child)) return;
    const current = element.childNodes[index];
    if (typeof child === 'object' && typeof earlier === 'object' && earlier.tag === child.tag) {
      update(/** @type {Element} */ (current), earlier, child);
    } else if (earlier === undefined) element.append(create(child, element.ownerDocument));
    else current.replaceWith(create(child, element.ownerDocument));
  });
}

/**
 * Makes a live element equal to the tree. It reads the picture before from memory, not from the page,
 * which would take a few milliseconds of each frame of dragging.
 * @param {Element} element  of the tree's own tag, which nothing else changes
 * @param {SvgNode} tree
 */
export function patch(element, tree) {
  let before = shown.get(element);
  if (!before) {
    const attributes = element.getAttributeNames().map((name) => [name, '']);
    before = { tag: tree.tag, attributes: Object.fromEntries(attributes), children: [] };
    while (element.lastChild) element.lastChild.remove();
  }
  update(element, before, tree);
  shown.set(element, tree);
}

/**
 * Returns the place of the pointer in a live picture, which the page may have scaled.
 * @param {SVGSVGElement} picture  all of one drawing, or one of its panels
 * @param {MouseEvent} event
 * @returns {{ x: number, y: number }} in the units of the drawing
 */
export function pointIn(picture, { clientX, clientY }) {
  const { left, top, width } = picture.getBoundingClientRect();
  const { x, y, width: units } = picture.viewBox.baseVal;
  const scale = units / width;
  return { x: x + scale * (clientX - left), y: y + scale * (clientY - top) };
}
