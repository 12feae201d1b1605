// Content security policies of the pages and embeds.
import { createHash } from 'node:crypto';

/**
 * How a policy names an inline script or style: by its hash.
 * @param {string} text
 */
export const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * A policy that allows nothing but what is named here and what no page goes without.
 * @param {{ script: string, style: string, font?: string, img?: string }} sources
 * @returns {string}
 */
export const policy = ({ script, style, font = "'none'", img = 'data: blob:' }) =>
  [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `font-src ${font}`,
    `img-src ${img}`, // blob: a picture that a reader downloads is drawn from one
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
