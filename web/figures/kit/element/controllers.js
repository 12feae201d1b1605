// Observers of a figure while it is on the page: a removed figure leaves none behind.

import { drawnParent } from './page-colours.js';

/** @import { ReactiveControllerHost } from 'lit' */
/** @typedef {ReactiveControllerHost & HTMLElement} Host */

/** The distance from the viewport at which a figure begins to work. */
const NEAR = '400px 0px';

/** The width of a figure in CSS pixels where nothing is laid out. */
const ASSUMED_WIDTH = 720;

/**
 * Returns whether the host's document is laid out. Those of jsdom and happy-dom are not: the first has no
 * observers, the second has some that never call back, and neither has fonts.
 * @param {Host} host
 */
const isLaidOut = ({ ownerDocument }) =>
  'fonts' in ownerDocument &&
  typeof IntersectionObserver === 'function' &&
  typeof ResizeObserver === 'function';

/**
 * Watches something from each connection of the host to its removal.
 * @param {Host} host
 * @param {() => () => void} watch begins to watch, and returns the function that ends it
 */
function whileConnected(host, watch) {
  let end = () => {};
  host.addController({
    hostConnected() {
      end = watch();
    },
    hostDisconnected() {
      end();
    },
  });
}

/**
 * Listens to events.
 * @param {EventTarget | undefined} target
 * @param {string} type
 * @param {(event: Event) => void} onEvent
 * @param {boolean} [capture]
 * @returns {() => void} a function that ends it
 */
function listen(target, type, onEvent, capture) {
  target?.addEventListener(type, onEvent, capture);
  return () => target?.removeEventListener(type, onEvent, capture);
}

/**
 * Calls back when the host comes near the viewport, and when it leaves it; without layout it is near.
 * @param {Host} host
 * @param {(isNear: boolean) => void} onChange
 */
export const watchVisibility = (host, onChange) =>
  whileConnected(host, () => {
    if (!isLaidOut(host)) {
      onChange(true);
      return () => {};
    }
    const observer = new IntersectionObserver(
      (entries) => onChange(entries[entries.length - 1].isIntersecting),
      { rootMargin: NEAR },
    );
    observer.observe(host);
    return () => observer.disconnect();
  });

/**
 * Calls back with the width of the host, in whole CSS pixels, once it has one; without layout, with a
 * usual one.
 * @param {Host} host
 * @param {(width: number) => void} onChange
 */
export const watchWidth = (host, onChange) =>
  whileConnected(host, () => {
    if (!isLaidOut(host)) {
      onChange(ASSUMED_WIDTH);
      return () => {};
    }
    let frame = 0;
    const observer = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width < 1) return;
      cancelAnimationFrame(frame);
      // What a figure draws for a width may move its own box within the frame, which engines report as an error.
      frame = requestAnimationFrame(() => onChange(Math.floor(contentRect.width)));
    });
    observer.observe(host);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  });

/** Redraws the host when a `lang` changes anywhere in the document. @param {Host} host */
export const watchLanguage = (host) =>
  whileConnected(host, () => {
    const observer = new MutationObserver(() => host.requestUpdate());
    const options = { attributes: true, attributeFilter: ['lang'], subtree: true };
    observer.observe(host.ownerDocument.documentElement, options);
    return () => observer.disconnect();
  });

/** The attributes of the host that choose its colours. */
const OWN = { attributes: true, attributeFilter: ['theme', 'slot'] };

/**
 * Calls back in the frame after the host has come, and after any change from which the page may have other
 * colours: an attribute of the host's ancestors, the end of a transition of theirs, the reader's preference, or
 * a style sheet that has loaded, is new in the head, has changed or is gone. To ask for colours at once would style the page anew for each of its figures.
 * @param {Host} host
 * @param {() => void} onChange
 */
export const watchColours = (host, onChange) =>
  whileConnected(host, () => {
    if (!isLaidOut(host)) return () => {};
    let frame = 0;
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(onChange);
    };
    const observer = new MutationObserver(soon);
    observer.observe(host, OWN);
    for (let at = drawnParent(host); at; at = drawnParent(at)) {
      observer.observe(at, { attributes: true });
    }
    const { head } = host.ownerDocument;
    if (head) observer.observe(head, { attributes: true, childList: true, subtree: true });
    const onLoad = (/** @type {Event} */ { target }) =>
      /** @type {Element} */ (target).localName === 'link' && soon();
    const onTransition = (/** @type {Event} */ event) =>
      /color$/.test(/** @type {TransitionEvent} */ (event).propertyName) && soon();
    const ends = [
      listen(host.ownerDocument, 'load', onLoad, true),
      listen(window, 'transitionend', onTransition),
      listen(globalThis.matchMedia?.('(prefers-color-scheme: dark)'), 'change', soon),
    ];
    soon();
    return () => {
      observer.disconnect();
      for (const end of ends) end();
      cancelAnimationFrame(frame);
    };
  });

/**
 * Calls back at an event of the window.
 * @param {Host} host
 * @param {string} type
 * @param {() => void} onEvent
 */
export const watchWindow = (host, type, onEvent) =>
  whileConnected(host, () => listen(window, type, onEvent));
