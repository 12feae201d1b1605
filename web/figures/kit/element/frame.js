/**
 * Calls back before the next picture is drawn, or soon where nothing is drawn (jsdom).
 * @param {() => void} callback
 * @returns {() => void} calls it off
 */
export function beforeNextFrame(callback) {
  if (typeof requestAnimationFrame !== 'function') {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(frame);
}
