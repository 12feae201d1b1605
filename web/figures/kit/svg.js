// A picture as data: the one drawing of a figure becomes live nodes, a static picture and a download.
//
// Only presentation attributes are used, never `style`, so a strict content security policy changes nothing.

const NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * @typedef {{ tag: string, attributes: Record<string, string>, children: (SvgNode | string)[] }} SvgNode
 * @typedef {SvgNode | string | number | null | undefined | false | SvgChild[]} SvgChild Arrays are
 *   flattened; null, undefined and false are left out.
 */

/**
 * Returns the text of an attribute.
 * @param {string | number} value
 * @returns {string} numbers are rounded to a hundredth of a pixel
 */
const attributeText = (value) =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;

/**
 * Returns the children in one list.
 * @param {SvgChild[]} children
 * @returns {(SvgNode | string)[]}
 */
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

/** Escapes a text for XML. @param {string} text  @returns {string} */
export const escapeMarkup = (text) => text.replace(/[&<>"]/g, (character) => ENTITIES[character]);

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

/**
 * Gives a live element some attributes and no others.
 * @param {Element} element
 * @param {Record<string, string>} attributes
 */
function patchAttributes(element, attributes) {
  for (const name of element.getAttributeNames()) {
    if (!(name in attributes)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (name !== 'xmlns' && element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

/**
 * Makes the child of a live element equal to another.
 * @param {Element} parent
 * @param {SvgNode | string} child
 * @param {number} index
 */
function patchChild(parent, child, index) {
  const current = parent.childNodes[index];
  if (typeof child === 'string') {
    if (current?.nodeType === 3) {
      if (current.nodeValue !== child) current.nodeValue = child;
    } else parent.insertBefore(parent.ownerDocument.createTextNode(child), current ?? null);
    return;
  }
  if (current?.nodeName === child.tag) {
    patch(/** @type {Element} */ (current), child);
    return;
  }
  const created = parent.ownerDocument.createElementNS(NAMESPACE, child.tag);
  patch(created, child);
  parent.insertBefore(created, current ?? null);
}

/**
 * Makes a live element equal to the tree, reusing the nodes that are there.
 * @param {Element} element  of the tree's own tag
 * @param {SvgNode} tree
 */
export function patch(element, tree) {
  patchAttributes(element, tree.attributes);
  tree.children.forEach((child, index) => patchChild(element, child, index));
  while (element.childNodes.length > tree.children.length) element.lastChild?.remove();
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
