// To be imported for its effect: relaxed SIMD in Node 20, where it is behind a flag of V8.
import { setFlagsFromString } from 'node:v8';

if (parseInt(process.versions.node) < 22) {
  setFlagsFromString('--experimental-wasm-relaxed-simd');
}
