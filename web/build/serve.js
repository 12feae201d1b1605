// A static server of dist/site, for looking at the page and for the browser tests.
//   PORT=4173 node web/build/serve.js
// PORT 0 takes a free port. Ends on SIGTERM and SIGINT.
//
// It is no library's, because sirv follows links out of its folder, does not redirect `/en` to
// `/en/`, which relative addresses need, and compresses no file, so that Lighthouse would measure
// three times the bytes.
import { readFile, realpath } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const SITE = fileURLToPath(new URL('../../dist/site', import.meta.url));

/** @type {Record<string, string>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};

const compress = promisify(brotliCompress);
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Files as they were last sent. @type {Map<string, { body: Buffer, compressed: Promise<Buffer> }>} */
const sent = new Map();

/** Compresses a file, once for each of its contents. @param {string} file @param {Buffer} body its content */
function compressed(file, body) {
  const known = sent.get(file);
  if (known?.body.equals(body)) return known.compressed;
  const fresh = { body, compressed: compress(body, quick) };
  sent.set(file, fresh);
  return fresh.compressed;
}

/**
 * Returns the file that a path of the site names, if any: decoded, resolved through links, and then
 * required to lie inside the site, so that no spelling of `..` leads out.
 * @param {string} site
 * @param {string} path
 */
async function fileOf(site, path) {
  try {
    const name = decodeURIComponent(path);
    const root = await realpath(site);
    const file = await realpath(join(root, name.endsWith('/') ? `${name}index.html` : name));
    return file.startsWith(root + sep) ? { file, body: await readFile(file) } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Answers a request.
 * @param {string} site
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function answer(site, request, response) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return response.writeHead(405, { Allow: 'GET, HEAD' }).end();
  }
  const path = (request.url ?? '/').replace(/[?#].*$/, '');
  const found = await fileOf(site, path);
  if (!found) {
    // A folder named without its slash would break the relative addresses of its page.
    const page = await fileOf(site, `${path}/`);
    if (page && /^\/[^/]/.test(path))
      return response.writeHead(308, { Location: `${path}/` }).end();
    return response.writeHead(404, { 'Content-Type': TYPES['.txt'] }).end('not found\n');
  }
  const type = TYPES[extname(found.file)] ?? 'application/octet-stream';
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Access-Control-Allow-Origin', '*'); // a module is read by pages elsewhere
  /** @type {Buffer} */
  let body = found.body;
  if (type.includes('charset') && /\bbr\b/.test(String(request.headers['accept-encoding']))) {
    response.setHeader('Content-Encoding', 'br');
    response.setHeader('Vary', 'Accept-Encoding');
    body = await compressed(found.file, body);
  }
  response.setHeader('Content-Length', body.length);
  return response.end(body); // which Node does not send for HEAD
}

/**
 * Serves a folder on a port of this machine.
 * @param {{ port?: number, site?: string }} [options] port 0 (default) is any free one
 * @returns {Promise<{ url: string, close: () => void }>}
 */
export function serve({ port = 0, site = SITE } = {}) {
  const server = createServer((request, response) => {
    answer(site, request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => {
      const address = /** @type {import('node:net').AddressInfo} */ (server.address());
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url: `http://localhost:${address.port}`, close });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { url, close } = await serve({ port: Number(process.env.PORT ?? 4173) });
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, close);
    console.log(url);
  } catch (error) {
    console.error(
      `${/** @type {Error} */ (error).message}; choose a port: PORT=8080 ./build.sh serve`,
    );
    process.exitCode = 1;
  }
}
