// What pages have in which one looks things up: contents at hand, a filter, buttons that copy.
import { keepContentsAtHand } from './contents.js';
import { enableCopyButtons } from './copy-buttons.js';
import { enableFilters } from './filter.js';
import { linkOtherLanguages } from './other-language.js';

export function startLookUp() {
  linkOtherLanguages();
  keepContentsAtHand();
  enableFilters();
  enableCopyButtons();
}
