// What the figures say of themselves (`facts` of their words.js), by name.
import { ELEMENTS } from '../figures/list.js';

/** @import { ElementFacts } from '../figures/kit/spec.js' */

/** @type {Record<string, ElementFacts>} */
export const FACTS = Object.fromEntries(
  await Promise.all(
    ELEMENTS.map(async (name) => [name, (await import(`../figures/${name}/words.js`)).facts]),
  ),
);
