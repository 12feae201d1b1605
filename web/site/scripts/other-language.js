// Makes the links to other languages lead to the place that the address names: the ids are the same in all. In
// attention-lab.html, which has every article, they begin with the language.
import { LANGUAGE_KEYS } from '../../shared/languages.js';

const PREFIX = new RegExp(`^#((?:${LANGUAGE_KEYS.join('|')})-)`);

export function linkOtherLanguages() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('header a[hreflang]');
  links.forEach((link) => {
    const [, prefix = ''] = link.hash.match(PREFIX) ?? [];
    // Reads the address when the link is used, since a figure that shares its state changes it without
    // an event.
    const update = () => {
      const { hash } = location;
      if (hash) link.hash = hash.replace(PREFIX, `#${prefix}`);
    };
    for (const type of ['pointerdown', 'click']) link.addEventListener(type, update);
  });
}
