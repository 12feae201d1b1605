// The contents at hand, which open over the text: a press on a section, beside them, or on Escape
// closes them, and the section under the reader's eyes is marked. They come for a reader who turns back (base.css).
// Without script they open and close.

/** How far down the window the section begins that one reads. */
const EYES = 0.4;

/** Marks the link to the section that is being read. @param {HTMLElement} contents */
function markSection(contents) {
  const links = [...contents.querySelectorAll('a')];
  const isPast = (/** @type {HTMLAnchorElement} */ { hash }) => {
    const heading = document.getElementById(hash.slice(1));
    return heading && heading.getBoundingClientRect().top < innerHeight * EYES;
  };
  const current = links.filter(isPast).pop();
  for (const link of links) {
    if (link === current) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  current?.scrollIntoView({ block: 'nearest' });
}

/** The way that a reader scrolls until it counts, in pixels: a finger trembles. */
const TURN = 12;

/**
 * Brings the contents back for a reader who scrolls up, but not over the first screen. Where the page has changed its
 * height, the browser scrolls to keep its place.
 * @param {HTMLElement} contents
 */
function comeBack(contents) {
  const { documentElement: root } = document;
  let last = { y: scrollY, height: root.scrollHeight };
  const follow = () => {
    const now = { y: scrollY, height: root.scrollHeight };
    const isTurn = now.height === last.height;
    if (isTurn && Math.abs(now.y - last.y) < TURN) return;
    if (isTurn) contents.classList.toggle('back', now.y < last.y && now.y > innerHeight / 2);
    last = now;
  };
  addEventListener('scroll', follow, { passive: true });
}

export function keepContentsAtHand() {
  /** @type {HTMLDetailsElement | null} */
  const contents = document.querySelector('.at-hand');
  if (!contents) return;
  comeBack(contents);
  contents.addEventListener('toggle', () => contents.open && markSection(contents));
  document.addEventListener('click', (event) => {
    const { target } = event;
    const isInside = target instanceof Element && contents.contains(target);
    if (!isInside || target.closest('a')) contents.open = false;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !contents.open) return;
    contents.open = false;
    contents.querySelector('summary')?.focus();
  });
}
