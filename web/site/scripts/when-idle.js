/** Resolves when the browser has nothing more urgent to do, after a second at the latest. */
export const whenIdle = () =>
  new Promise((resolve) => {
    // Safari has no idle callbacks.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1000 });
    else setTimeout(resolve, 50);
  });
