// The children of an element that are no picture to show before the figure is drawn. A tag that is not
// closed, `<attn-saturation />`, holds the rest of its page: HTML has no such tags for elements.

const PICTURE = 'svg, img, picture';
/** Children that are a picture, the words below one, or show nothing. */
const FALLBACK = `${PICTURE}, figcaption, .caption, script, style, link, template, noscript, br`;

/** Returns whether a node shows something else than a picture. @param {Node} node */
function showsMore(node) {
  if (node.nodeType === 3) return /\S/.test(node.nodeValue ?? '');
  if (node.nodeType !== 1 || /** @type {Element} */ (node).matches(FALLBACK)) return false;
  return node.childNodes.length === 0 || [...node.childNodes].some(showsMore);
}

/** Returns whether a child is a picture and nothing else, whatever a theme wraps round it. @param {Element} child */
const isPicture = (child) =>
  child.matches(PICTURE) || (child.querySelector(PICTURE) !== null && !showsMore(child));

/** Returns whether an element has a picture to show before the figure is drawn. @param {Element} element */
export const hasPicture = (element) =>
  [...element.children].some(
    (child) => child.slot === 'fallback' || (!child.slot && isPicture(child)),
  );

/** Puts the pictures of an element, and the words below them, where no live figure shows them. @param {Element} element */
export function putPicturesAway(element) {
  for (const child of element.children) {
    if (!child.slot && (isPicture(child) || child.matches(FALLBACK))) child.slot = 'fallback';
  }
}

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
