// What a newcomer relies on: each figure once in a real browser, in both languages, and in every engine the bits of the
// package and an article that opens with a live figure. The other folders have the rest.

import { describe } from 'node:test';
import { testArticle } from './engines/article-tests.js';
import { testBits } from './engines/bits-tests.js';
import { ENGINES, useBrowser } from './engines/driver.js';

describe('the main job', { concurrency: true }, () => {
  for (const name of ['Chromium', 'Firefox', 'WebKitGTK']) {
    const engine = ENGINES.find((each) => each.name === name);
    if (!engine) throw new Error(`there is no engine '${name}'`);
    describe(`in ${name}`, { skip: engine.missing, concurrency: 1 }, () => {
      const browser = useBrowser(engine);
      testBits(engine, browser, 'few');
      testArticle(engine, browser, name !== 'Chromium');
    });
  }
});
