// Content security policies of the pages and embeds.
import { createHash } from 'node:crypto';

/** Returns the hash by which a policy names an inline script or style. @param {string} text */
export const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * Returns a policy that allows only the given sources and those that every page needs. Trusted Types
 * keep text from becoming markup or a program; figures need the policies of lit's templates and of
 * workers.
 * @param {{ script: string, style: string, font?: string, img?: string, types?: string }} sources
 */
export const policy = ({ script, style, font = "'none'", img = 'data: blob:', types = '' }) =>
  [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `font-src ${font}`,
    'worker-src blob:', // models are trained in workers of our own text
    `img-src ${img}`, // blob: a picture that a reader downloads is drawn from one
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types lit-html attention-lab-worker ${types}`.trim(),
  ].join('; ');
