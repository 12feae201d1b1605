// The static server behind `./build.sh serve`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { serve } from '../../../web/build/serve.js';

const PROGRAM = fileURLToPath(new URL('../../../web/build/serve.js', import.meta.url));

/**
 * Requests a path exactly as it is written; fetch would resolve the dots.
 * @param {string} base
 * @param {string} path
 * @param {string} [method]
 * @returns {Promise<{ status?: number, type?: string, location?: string, body: string }>}
 */
async function ask(base, path, method = 'GET') {
  const { hostname, port } = new URL(base);
  const asked = request({ hostname, port, path, method }).end();
  const [response] = await once(asked, 'response');
  let body = '';
  for await (const part of response) body += part;
  const { 'content-type': type, location } = response.headers;
  return { status: response.statusCode, type, location, body };
}

describe('serve', () => {
  /** @type {Awaited<ReturnType<typeof serve>>} */
  let server;
  /** @type {string} */
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attention-lab-'));
    const site = join(folder, 'site');
    await mkdir(join(site, 'en'), { recursive: true });
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await mkdir(join(folder, 'site-beside'));
    await writeFile(join(folder, 'site-beside', 'secret.txt'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(site, 'link.txt'));
    await writeFile(join(site, 'en', 'index.html'), '<p>page');
    for (const name of ['a.js', 'a.css', 'a.svg', 'a.woff2']) await writeFile(join(site, name), '');
    server = await serve({ site });
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  test('gives each file its type', async () => {
    const types = [];
    for (const name of ['en/', 'a.js', 'a.css', 'a.svg', 'a.woff2']) {
      types.push((await ask(server.url, `/${name}`)).type);
    }
    assert.deepEqual(types, [
      'text/html; charset=utf-8',
      'text/javascript; charset=utf-8',
      'text/css; charset=utf-8',
      'image/svg+xml; charset=utf-8',
      'font/woff2',
    ]);
  });

  test('answers a folder with its page, and adds a missing slash', async () => {
    assert.equal((await ask(server.url, '/en/?d-k=3')).body, '<p>page');
    const { status, location } = await ask(server.url, '/en');
    assert.deepEqual([status, location], [308, '/en/']);
  });

  test('serves no file outside of its folder', async () => {
    for (const path of [
      '/../secret.txt',
      '/en/../../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/../site-beside/secret.txt',
      '/link.txt',
      '/%00',
      '/%',
      '//example.org',
      '//en', // a folder: sent on to `//en/`, a browser would look for a host of that name
    ]) {
      const { status, location, body } = await ask(server.url, path);
      assert.deepEqual([status, location], [404, undefined], path);
      assert.ok(!body.includes('secret'), path);
    }
  });

  test('only reads', async () => {
    assert.equal((await ask(server.url, '/en/', 'POST')).status, 405);
    const { status, body } = await ask(server.url, '/en/', 'HEAD');
    assert.deepEqual([status, body], [200, '']);
  });
});

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  test(`as a program it prints its address and ends on ${signal}`, async () => {
    const program = spawn('node', [PROGRAM], { env: { ...process.env, PORT: '0' } });
    const [line] = await once(program.stdout, 'data');
    assert.match(String(line), /^http:\/\/localhost:\d+\n$/);
    await ask(String(line).trim(), '/');
    program.kill(signal);
    const [code] = await once(program, 'exit');
    assert.equal(code, 0);
  });
}

test('as a program it reports a port that is taken, or is none', async () => {
  const { url, close } = await serve();
  try {
    for (const [PORT, said] of [
      [new URL(url).port, /^listen EADDRINUSE.*; choose a port: PORT=8080 .*\n$/],
      ['x', /port.*; choose a port: PORT=8080 .*\n$/],
    ]) {
      const { status, stdout, stderr } = spawnSync('node', [PROGRAM], {
        encoding: 'utf8',
        env: { ...process.env, PORT: String(PORT) },
      });
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, /** @type {RegExp} */ (said));
    }
  } finally {
    close();
  }
});
