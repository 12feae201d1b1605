// The paths of engines other than Chromium.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Returns the path of a program, or '' if it is missing: ./build.sh sets the variable, empty where it could not
 * install the engine.
 * @param {string} variable
 * @param {string} usual  the path where the variable is not set
 */
const programOf = (variable, usual) => process.env[variable] ?? (existsSync(usual) ? usual : '');

export const FIREFOX = programOf('FIREFOX', '/usr/bin/firefox-esr');
export const WEBKIT_DRIVER = programOf('WEBKIT_DRIVER', '/usr/bin/WebKitWebDriver');

/** The path of the Node that ./build.sh was called with, where the newest runs the tests. */
export const OLDER_NODE = process.env.OLDER_NODE || process.execPath;

/** The path of the newest Node, which an npm package brings. */
export const NEWEST_NODE = programOf(
  'NEWEST_NODE',
  fileURLToPath(
    new URL(`node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  ),
);
