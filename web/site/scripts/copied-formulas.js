// Copies formulas as one line of text: browsers copy MathML a letter a line, and lose its roots. The clipboard gets
// √d_k in plain text, and the MathML in HTML. (Figures have their symbols as text: kit/shell/prose.js.)

/** Returns the formula around a place, if there is one. @param {Node} node */
const formulaAround = (node) =>
  (node instanceof Element ? node : node.parentElement)?.closest('math');

/** Returns what a range holds, with the whole of the formulas at its ends. @param {Range} range */
function contentsOf(range) {
  const whole = range.cloneRange();
  const [first, last] = [range.startContainer, range.endContainer].map(formulaAround);
  if (first) whole.setStartBefore(first);
  if (last) whole.setEndAfter(last);
  return whole.cloneContents();
}

/** Puts the title of a figure in its place, which shows it in its shadow. @param {Element} figure */
function writeTitle(figure) {
  const title = document.querySelector(figure.localName)?.shadowRoot?.querySelector('.title');
  const paragraph = document.createElement('p');
  paragraph.textContent = title?.textContent ?? '';
  figure.replaceWith(paragraph);
}

/** Returns the text that an element shows, which the page's styles tell of what is in it alone. @param {HTMLElement} element */
function shownText(element) {
  element.style.position = 'fixed';
  document.body.append(element);
  const { innerText } = element;
  element.remove();
  return innerText;
}

/** @param {ClipboardEvent} event */
function copy(event) {
  const [place] = /** @type {Element[]} */ (event.composedPath());
  const { clipboardData } = event;
  const selection = getSelection();
  if (!clipboardData || !selection?.rangeCount || place.matches?.('input, textarea')) return;
  const copied = document.createElement('div');
  copied.append(contentsOf(selection.getRangeAt(0)));
  const formulas = copied.querySelectorAll('math');
  if (formulas.length === 0) return;
  copied.querySelectorAll('.wide > :defined:not(p)').forEach(writeTitle);
  clipboardData.setData('text/html', new XMLSerializer().serializeToString(copied));
  for (const formula of formulas) formula.replaceWith(formula.getAttribute('alttext') ?? '');
  clipboardData.setData('text/plain', shownText(copied));
  event.preventDefault();
}

export const copyFormulas = () => document.addEventListener('copy', copy);
