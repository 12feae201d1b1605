// The script of a page of the benchmark: it runs measurements at the request of engines.js.
import { measure } from './measure/index.js';

Object.assign(globalThis, { measure });
