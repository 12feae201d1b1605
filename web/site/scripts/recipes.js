// The script of the recipes: makes their figure live and writes the address of this site into them.
import { AttnSaturation } from '../../figures/saturation/element.js';
import { linkOtherLanguages } from './other-language.js';

const site = new URL('../../', location.href).href;
for (const element of document.querySelectorAll('[data-site]')) element.textContent = site;
linkOtherLanguages();
customElements.define('attn-saturation', AttnSaturation);
