import { AttnSaturation } from 'attention-lab/figures/saturation.js';

globalThis.customElements?.define('attn-saturation', AttnSaturation);
