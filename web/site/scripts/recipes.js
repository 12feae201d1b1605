// The script of the recipes: makes their figure live and writes the address of this site into them.
import { AttnSaturation } from '../../figures/saturation/element.js';
import { startLookUp } from './look-up.js';

const site = new URL('../../', location.href).href;
for (const element of document.querySelectorAll('[data-site]')) element.textContent = site;
startLookUp();
customElements.define('attn-saturation', AttnSaturation);
