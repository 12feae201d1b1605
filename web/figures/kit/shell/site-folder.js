/**
 * Returns the folder of a site's bundles and embeds, for pages that do not name it: the one above the
 * page. The site's bundles know their folder and have another module in place of this one
 * (web/build/bundles.js).
 */
export const siteFolder = () => new URL('../', document.baseURI);
