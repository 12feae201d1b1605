// What a figure watches while it is on the page: a removed one leaves nothing behind.

/** @typedef {import('./element.js').LiveElement} Host */

/** How far outside the viewport a figure begins to work. */
const NEAR = '400px 0px';

/**
 * Tells when the host comes near the viewport, and when it leaves it.
 * @param {Host} host
 * @param {(near: boolean) => void} onChange
 */
export const watchVisibility = (host, onChange) =>
  host.whileConnected(() => {
    const observer = new IntersectionObserver(
      (entries) => onChange(entries[entries.length - 1].isIntersecting),
      { rootMargin: NEAR },
    );
    observer.observe(host);
    return () => observer.disconnect();
  });

/**
 * Tells the width in which the host may draw, in whole CSS pixels, once it has one.
 * @param {Host} host
 * @param {(width: number) => void} onChange
 */
export const watchWidth = (host, onChange) =>
  host.whileConnected(() => {
    const observer = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width >= 1) onChange(Math.floor(contentRect.width));
    });
    observer.observe(host);
    return () => observer.disconnect();
  });

/** Redraws the host when a `lang` changes anywhere above it in the document. @param {Host} host */
export const watchLanguage = (host) =>
  host.whileConnected(() => {
    const observer = new MutationObserver(() => host.requestUpdate());
    const options = { attributes: true, attributeFilter: ['lang'], subtree: true };
    observer.observe(host.ownerDocument.documentElement, options);
    return () => observer.disconnect();
  });

/**
 * Calls back at an event of the window.
 * @param {Host} host
 * @param {string} type
 * @param {() => void} onEvent
 */
export const watchWindow = (host, type, onEvent) =>
  host.whileConnected(() => {
    addEventListener(type, onEvent);
    return () => removeEventListener(type, onEvent);
  });
