// Stands for the types of @litertjs/core (tsconfig.json), which change Float32Array for everybody.
export const loadAndCompile: any;
export const loadLiteRt: any;
export const Tensor: any;
