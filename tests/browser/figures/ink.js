// The ink of a text: where its letters are painted. The box of a text is a line high instead, and in some fonts
// lines are a fifth higher than in others.

/**
 * Returns the boxes of the ink of a text in a picture, on the screen: one for each run of letters of a size.
 * Runs in a page.
 * @param {SVGTextContentElement} text
 * @returns {DOMRect[]}
 */
export function inkOf(text) {
  const context = /** @type {CanvasRenderingContext2D} */ (
    document.createElement('canvas').getContext('2d')
  );
  const collapse = (/** @type {string} */ spaced) => spaced.replace(/\s+/g, ' ');
  const runs = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  const boxes = [];
  while (runs.nextNode()) {
    const run = /** @type {Text} */ (runs.currentNode);
    const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(
      /** @type {Element} */ (run.parentElement),
    );
    context.font = `${fontStyle} ${fontWeight} 100px ${fontFamily}`; // exact, where a small one is in whole pixels
    const scale = parseFloat(fontSize) / 100;
    const before = document.createRange();
    before.setStart(text, 0);
    before.setEnd(run, 0);
    const first = collapse(before.toString()).trimStart().length;
    const letters = collapse(first ? run.data : run.data.trimStart()).trimEnd();
    if (!letters) continue;
    const ink = context.measureText(letters);
    const { x, y } = text.getStartPositionOfChar(first);
    const stretch = (text.getEndPositionOfChar(first + letters.length - 1).x - x) / ink.width;
    const toScreen = /** @type {DOMMatrix} */ (text.getScreenCTM());
    const corners = [-ink.actualBoundingBoxLeft, ink.actualBoundingBoxRight].flatMap((across) =>
      [-ink.actualBoundingBoxAscent, ink.actualBoundingBoxDescent].map((down) =>
        new DOMPoint(x + stretch * across, y + scale * down).matrixTransform(toScreen),
      ),
    );
    const [left, right] = [Math.min, Math.max].map((end) => end(...corners.map((it) => it.x)));
    const [top, bottom] = [Math.min, Math.max].map((end) => end(...corners.map((it) => it.y)));
    boxes.push(new DOMRect(left, top, right - left, bottom - top));
  }
  return boxes;
}
