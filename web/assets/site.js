/**
 * Delivery by the site, for assets that the npm package leaves out: from the site that the page names, else from
 * the folder of the bundle that runs. The modules of the package know neither by themselves, and make no request.
 */

/** The bundle that runs, and the way from it to the root of its site. @type {{ address: string, up: string } | undefined} */
let bundle;

/** Tells which bundle runs (web/build/forms.js). @param {string} address @param {'./' | '../'} up to the root of its site */
export const nameBundle = (address, up) => {
  bundle = { address, up };
};

/** Returns the address of the bundle that runs, of which a program of the package knows none. */
export const bundleAddress = () => bundle?.address;

/**
 * Returns the root of the site that the page names by `<meta name="attention-lab">`.
 * @returns {URL | undefined}
 */
export function namedSite() {
  const { document } = globalThis;
  const named = document?.querySelector('meta[name="attention-lab"]')?.getAttribute('content');
  return named ? new URL(named, document.baseURI) : undefined;
}

/**
 * Returns the root of the site that serves figures: the one that the page names, else the bundle's folder.
 * @returns {URL | undefined}
 */
export const siteFolder = () => namedSite() ?? (bundle && new URL(bundle.up, bundle.address));

/** Delivers an asset. @param {string} name @returns {Promise<any>} its module */
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
