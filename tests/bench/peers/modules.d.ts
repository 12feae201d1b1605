// The peers are installed by `./build.sh bench` only, so nothing is known of their types elsewhere.
declare module '@tensorflow/tfjs-backend-wasm';
declare module '@tensorflow/tfjs-core';
declare module 'flatbuffers';
declare module 'onnxruntime-web/wasm';
declare module 'protobufjs';
