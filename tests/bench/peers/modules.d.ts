// The peers are installed by `./build.sh bench` only, so their types are unknown elsewhere.
declare module '@tensorflow/tfjs-backend-wasm';
declare module '@tensorflow/tfjs-core';
declare module '@tensorflow/tfjs-core/dist/register_all_gradients.js';
declare module 'flatbuffers';
declare module 'onnxruntime-web/wasm';
declare module 'protobufjs';
