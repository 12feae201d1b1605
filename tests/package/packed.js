// The parts that tests of the package share: the packed tarball, installed in an empty folder as a
// user would, and served to a browser.

import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../listen.js';

/** Its path. */
export const TARBALL = resolve(
  'dist',
  String(readdirSync('dist').find((name) => /^attention-lab-.*\.tgz$/.test(name))),
);

const remove = (/** @type {string} */ folder) => rmSync(folder, { recursive: true, force: true });

/** Installs the tarball in a new folder outside the checkout. @returns {Promise<string>} its path */
async function install() {
  const folder = mkdtempSync(join(tmpdir(), 'attention-lab-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  const options = ['--no-audit', '--no-fund', '--prefer-offline'];
  await promisify(execFile)('npm', ['install', ...options, TARBALL], { cwd: folder });
  return folder;
}

/** Installs the tarball for several files of tests, until this process ends. Returns a path for `INSTALLED_PACKAGE`. */
export async function share() {
  const folder = await install();
  process.once('exit', () => remove(folder));
  return folder;
}

/** Returns a new folder outside the checkout, with the package installed as a user would. */
export async function installPackage() {
  const installed = process.env.INSTALLED_PACKAGE;
  const folder = installed ? mkdtempSync(join(tmpdir(), 'attention-lab-')) : await install();
  if (installed) cpSync(installed, folder, { recursive: true });
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  return { folder, run, remove: () => remove(folder) };
}

const KINDS = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
});

/**
 * Serves a folder, and pages given as text, to any origin; remembers requests.
 * @param {string} folder
 * @param {Record<string, string>} [pages] by path
 * @returns {Promise<{ origin: string, requests: string[], close: () => Promise<void> }>}
 */
export async function serveFolder(folder, pages = {}) {
  /** @type {string[]} */
  const requests = [];
  const { port, close } = await listen((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(pathname);
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    response.setHeader('Content-Type', KINDS[extname(path)] ?? 'application/octet-stream');
    response.setHeader('Access-Control-Allow-Origin', '*');
    try {
      response.end(pages[pathname] ?? readFileSync(join(folder, path)));
    } catch {
      response.writeHead(404).end();
    }
  });
  return { origin: `http://127.0.0.1:${port}`, requests, close };
}
