// Fields that filter the contents of a page: what one types leaves the sections and names that contain it.

/** Hides what does not contain the text. @param {Element} list  @param {string} text in lower case */
function filter(list, text) {
  const contains = (/** @type {Element | null} */ part) =>
    part?.textContent?.toLowerCase().includes(text) ?? false;
  for (const group of list.children) {
    const isWanted = contains(group.querySelector('dt'));
    const items = [...group.querySelectorAll('li')];
    for (const item of items) item.hidden = !isWanted && !contains(item);
    group.toggleAttribute('hidden', !isWanted && items.every(({ hidden }) => hidden));
  }
}

/** Enables the fields; without script they stay hidden. */
export function enableFilters() {
  for (const list of document.querySelectorAll('.index')) {
    const field = list.parentElement?.querySelector('input');
    if (!field) continue;
    field.disabled = false;
    field.addEventListener('input', () => filter(list, field.value.trim().toLowerCase()));
  }
}
