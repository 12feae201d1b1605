// Content security policies of the pages and embeds.
import { createHash } from 'node:crypto';

/**
 * Returns the hash by which a policy names an inline script or style.
 * @param {string} text
 */
export const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns a policy that allows only the given sources and those that every page needs. Trusted Types
 * keep text from becoming markup or a program; the one policy that figures need is that of lit's
 * templates.
 * @param {{ script: string, style: string, font?: string, img?: string, types?: string }} sources
 * @returns {string}
 */
export const policy = ({
  script,
  style,
  font = "'none'",
  img = 'data: blob:',
  types = 'lit-html',
}) =>
  [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `font-src ${font}`,
    `img-src ${img}`, // blob: a picture that a reader downloads is drawn from one
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${types}`,
  ].join('; ');
