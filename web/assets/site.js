/**
 * Delivery by the site, for assets that the npm package leaves out: from the site that the page names, else from
 * the folder of the bundle that runs. The modules of the package know neither by themselves, and make no request.
 */

/** Returns the folder of the bundle that runs. @type {(() => URL) | undefined} */
let ofBundle;

/** Tells where the bundle that runs lies in a site (web/build/forms.js). @param {() => URL} folder */
export const nameSite = (folder) => {
  ofBundle = folder;
};

/**
 * Returns the root of the site that serves figures: the content of `<meta name="attention-lab">`, else the
 * bundle's folder.
 *
 * @returns {URL | undefined}
 */
export function siteFolder() {
  const { document } = globalThis;
  const named = document?.querySelector('meta[name="attention-lab"]')?.getAttribute('content');
  return named ? new URL(named, document.baseURI) : ofBundle?.();
}

/**
 * Delivers an asset.
 *
 * @param {string} name
 * @returns {Promise<any>} its module
 */
export async function deliver(name) {
  const folder = siteFolder();
  if (!folder) {
    throw new Error(
      'the npm package has no such file; <meta name="attention-lab" content="https://…/"> names a site that has',
    );
  }
  const { href } = new URL(`${name}.min.js`, folder);
  return import(/* @vite-ignore */ /* webpackIgnore: true */ href);
}
