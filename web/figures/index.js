// The figures as element classes. Importing this registers nothing: see define.js.

export { AttnClaims } from './claims/element.js';
export { AttnWalk } from './walk/element.js';
export { AttnCost } from './cost/element.js';
export { AttnGradient } from './gradient/element.js';
export { AttnRoles } from './roles/element.js';
export { AttnSaturation } from './saturation/element.js';
export { AttnPrecision } from './precision/element.js';
export { AttnScale } from './scale/element.js';
export { AttnScales } from './scales/element.js';
export { AttnTraining } from './training/element.js';
export { AttnValues } from './values/element.js';
export { AttnAsymmetry } from './asymmetry/element.js';
export { AttnFlow } from './flow/element.js';
export { AttnHeads } from './heads/element.js';
export { AttnView } from '../inspector/view/element.js';
export { AttnLanguage } from './language/element.js';
export { AttnWords } from './words/element.js';
