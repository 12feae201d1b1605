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
 * Returns whether an element has children that it must not hide: without a slot, and no picture.
 * @param {Element} element
 */
export const hasRest = (element) =>
  [...element.childNodes].some((node) => !(/** @type {Element} */ (node).slot) && showsMore(node));
