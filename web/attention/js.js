/**
 * The entry `attention-lab/js`: the same functions, whose only backend is the C compiled to JavaScript, in the
 * file itself. Service workers allow no dynamic import, and some policies no WebAssembly.
 */
import * as fallback from './kernel/generated/fallback.js';
import { include } from './kernel/backends.js';

include(fallback);

export * from './index.js';
