// Import it for its effect: it enables relaxed SIMD in Node 20, where that is behind a flag of V8.
import { setFlagsFromString } from 'node:v8';

if (parseInt(process.versions.node) < 22) {
  setFlagsFromString('--experimental-wasm-relaxed-simd');
}
