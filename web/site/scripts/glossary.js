// Words of the glossary: a press opens the meaning of a word behind it, where it stands, and closes
// it again. Without script the word is a link to the glossary.

/** @param {HTMLAnchorElement} link */
function openAtPlace(link) {
  const meaning = document.getElementById(link.hash.slice(1));
  if (!meaning) return;
  const note = document.createElement('span');
  note.className = 'meaning';
  note.setAttribute('role', 'note');
  note.append(...meaning.cloneNode(true).childNodes);
  link.after(note);
}

/** @param {HTMLAnchorElement} link */
function toggle(link) {
  const isOpen = link.getAttribute('aria-expanded') === 'true';
  if (isOpen) link.nextElementSibling?.remove();
  else openAtPlace(link);
  link.setAttribute('aria-expanded', String(!isOpen));
}

export function openGlossaryInPlace() {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll('a.term');
  for (const link of links) {
    link.setAttribute('role', 'button');
    link.setAttribute('aria-expanded', 'false');
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      toggle(link);
    });
    link.addEventListener('keydown', (event) => {
      if (event.key !== ' ') return;
      event.preventDefault(); // the space bar would scroll
      toggle(link);
    });
  }
}
