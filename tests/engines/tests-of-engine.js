// All tests of an engine, in one browser: to launch Firefox takes more time than most of them.

import { describe } from 'node:test';
import { testArticle } from './article-tests.js';
import { testBits } from './bits-tests.js';
import { testDriver } from './driver-tests.js';
import { ENGINES, useBrowser } from './driver.js';
import { testFrames } from './frames-tests.js';

/** Declares the tests of an engine. @param {string} name */
export function testEngine(name) {
  const engine = ENGINES.find((each) => each.name === name);
  if (!engine) throw new Error(`there is no engine '${name}'`);
  describe(name, { skip: engine.missing }, () => {
    const browser = useBrowser(engine);
    testDriver(engine, browser);
    testBits(engine, browser);
    if (name !== 'Chromium') testArticle(engine, browser); // smoke.test.js does so in Chromium
    testFrames(engine, browser);
  });
}
