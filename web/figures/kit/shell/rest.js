// The children of an element that are no picture to show before the figure is drawn. A tag that is not
// closed, `<attn-saturation />`, holds the rest of its page: HTML has no such tags for elements.

/** Children that are a picture, or show nothing. */
const FALLBACK = 'svg, img, picture, script, style, link, template, noscript, br';

/**
 * Returns whether a node shows something else than a picture.
 * @param {Node} node
 * @returns {boolean}
 */
function showsMore(node) {
  if (node.nodeType === 3) return /\S/.test(node.nodeValue ?? '');
  if (node.nodeType !== 1 || /** @type {Element} */ (node).matches(FALLBACK)) return false;
  return node.childNodes.length === 0 || [...node.childNodes].some(showsMore);
}

/**
 * Returns whether an element has a picture to show before the figure is drawn.
 * @param {Element} element
 */
export const hasPicture = (element) =>
  [...element.children].some((child) => child.matches('svg, img, picture, [slot=fallback]'));

/** The elements whose page has been told. @type {WeakSet<Element>} */
const told = new WeakSet();

/**
 * Returns whether an element has children that it must not hide, without a slot and no picture, and
 * tells the page so once.
 * @param {Element} element
 */
export function hasRest(element) {
  const rest = [...element.childNodes].some(
    (node) => !(/** @type {Element} */ (node).slot) && showsMore(node),
  );
  if (rest && !told.has(element)) {
    told.add(element);
    const tag = element.localName;
    console.warn(
      `<${tag}> holds content that is no fallback picture, and shows it below the figure. ` +
        `Close the element by </${tag}>: in HTML, <${tag} /> is not closed.`,
    );
  }
  return rest;
}
