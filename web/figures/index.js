// The figures as element classes. Importing this registers nothing: see define.js.

export { AttnClaims } from './claims.js';
export { AttnCost } from './cost.js';
export { AttnGradient } from './gradient.js';
export { AttnSaturation } from './saturation.js';
export { AttnPrecision } from './precision.js';
export { AttnScale } from './scale.js';
export { AttnTraining } from './training.js';
export { AttnValues } from './values.js';
export { AttnAsymmetry } from './asymmetry.js';
export { AttnFlow } from './flow.js';
export { AttnHeads } from './heads.js';
