import { testEngine } from './tests-of-engine.js';

testEngine('Chromium without WebAssembly');
