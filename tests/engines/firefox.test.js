import { testEngine } from './tests-of-engine.js';

testEngine('Firefox');
testEngine('Firefox without WebAssembly');
