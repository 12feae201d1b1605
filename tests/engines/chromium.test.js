import { testEngine } from './tests-of-engine.js';

testEngine('Chromium');
testEngine('Chromium without SIMD');
