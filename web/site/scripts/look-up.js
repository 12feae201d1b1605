// What pages have in which one looks things up: contents at hand, a filter, buttons that copy, and the way from an
// address that has moved.
import { keepContentsAtHand } from './contents.js';
import { enableCopyButtons } from './copy-buttons.js';
import { enableFilters } from './filter.js';
import { linkOtherLanguages } from './other-language.js';
import { followMovedPlace } from './place.js';

export function startLookUp() {
  followMovedPlace();
  addEventListener('hashchange', followMovedPlace);
  linkOtherLanguages();
  keepContentsAtHand();
  enableFilters();
  enableCopyButtons();
}
