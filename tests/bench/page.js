// What a page of the benchmark runs: measurements, when the engine of engines.js asks.
import { measure } from './measure/index.js';

Object.assign(globalThis, { measure });
