import { testFaults } from './tests-of-engine.js';

testFaults('Firefox');
