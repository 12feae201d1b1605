import { testEngine } from './tests-of-engine.js';

testEngine('WebKitGTK');
