// Makes the link to the other language lead to the place that the address names: the ids are the same
// in both. In attention-lab.html, which has both articles, they begin with the language.

export function linkOtherLanguage() {
  const link = /** @type {HTMLAnchorElement | null} */ (
    document.querySelector('header a[hreflang]')
  );
  if (!link) return;
  const [, prefix = ''] = link.hash.match(/^#(en-|zh-)/) ?? [];
  // Reads the address when the link is used, since a figure that shares its state changes it without
  // an event.
  const update = () => {
    const { hash } = location;
    if (hash) link.hash = hash.replace(/^#(?:en-|zh-)/, `#${prefix}`);
  };
  for (const type of ['pointerdown', 'click']) link.addEventListener(type, update);
}
