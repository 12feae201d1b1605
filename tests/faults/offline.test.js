// A connection that ends after the page has come: what is there needs no server any more.
import { it } from 'node:test';
import { bundleFigures, serve } from '../browser/serve.js';
import { until } from '../engines/driver.js';
import { inEveryBrowser } from './browsers.js';

const PAGE = `<!doctype html><html lang="en"><head><title>figure</title><link rel="icon" href="data:,">
  <script type="module" src="/figures.js"></script></head><body><attn-saturation></attn-saturation></body>`;

/** Whether the figure has drawn and names this number in its claim. @param {number} dK */
const shows = (dK) => {
  const root = document.querySelector('attn-saturation')?.shadowRoot;
  const title = root?.querySelector('.title')?.textContent ?? '';
  return Boolean(root?.querySelector('.plot > svg text')) && title.includes(`= ${dK},`);
};

inEveryBrowser((open) => {
  it('a figure goes on computing when its server is gone', async () => {
    const server = await serve({ '/figure.html': PAGE, '/figures.js': await bundleFigures() });
    const { evaluate } = await open(`${server.origin}/figure.html`);
    await until(evaluate, shows, 64);
    await server.close();
    await evaluate(() => {
      Object.assign(document.querySelector('attn-saturation') ?? {}, { dK: 100, seed: 7 });
    });
    await until(evaluate, shows, 100);
  });
});
