// The few signs of formulas that the words of figures have, in one face on every system: fonts draw √ with a bar over
// nothing, or leave holes around ∂. Where a page may not have fonts, those of the system serve.

import SIGNS from './signs-font.js';

/** @type {WeakSet<Document>} */
const prepared = new WeakSet();

/** Gives a document the face that `font` of the palette names first. @param {Document} document */
export function addSigns(document) {
  const { fonts, defaultView } = document;
  if (!fonts?.add || !defaultView || prepared.has(document)) return;
  prepared.add(document);
  if ([...fonts].some(({ family }) => family.includes('attention signs'))) return; // as our own pages have it
  const bytes = Uint8Array.from(atob(SIGNS), (character) => character.charCodeAt(0));
  fonts.add(new defaultView.FontFace('attention signs', bytes));
}
