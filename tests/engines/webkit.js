// WebKitGTK's MiniBrowser, driven through WebKitWebDriver on a virtual screen. It has the engine of Safari, but not
// Apple's system around it.
//
// Its driver reports nothing of the console. Pages come through a proxy, which puts a script before all others that
// keeps the document's complaints.

import { spawn } from 'node:child_process';
import { request as forward } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Builder, Capabilities, Key } from 'selenium-webdriver';
import { listen } from '../listen.js';
import { waitUntil } from '../wait.js';
import { evaluator, PATIENCE, until } from './evaluate.js';

/** @import { IncomingMessage, ServerResponse } from 'node:http' */
/** @import { Actions } from 'selenium-webdriver' */
/** @import { Browser, Page } from './driver.js' */

/** The time that a session has to begin or to end, in milliseconds. */
const LIMIT = 30_000;
const ATTEMPTS = 3;

/** Waits for a promise as long as LIMIT, then for nothing. @template T @param {Promise<T>} promise */
const inTime = (promise) => Promise.race([promise, sleep(LIMIT, undefined, { ref: false })]);

/**
 * Opens a virtual screen and a proxy for pages of WebKitGTK.
 * @param {string} program  WebKitWebDriver
 * @returns {Promise<Browser>}
 */
export async function openWebKit(program) {
  const screen = await openScreen();
  const proxy = await openProxy();
  /** @type {(() => void)[]} */
  const drivers = [];
  // Each page has its driver: one that has just ended a session may never begin the next. Even the first may never
  // begin, or end, and its driver waits for ever.
  const newPage = async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const driver = await openDriver(program, screen.display);
      drivers.push(driver.close);
      const page = await inTime(openPage(driver.address, proxy.host));
      if (page) return { ...page, close: () => inTime(page.close()).finally(driver.close) };
      driver.close();
    }
    throw new Error(`WebKitWebDriver began no session in ${ATTEMPTS} × ${LIMIT} ms`);
  };
  const close = async () => {
    await proxy.close();
    for (const end of drivers) end();
    screen.close();
  };
  return { newPage, close };
}

/** Starts a process that ends with this one. @param {Parameters<typeof spawn>} args */
function start(...args) {
  const child = spawn(...args);
  const end = () => child.kill();
  process.once('exit', end);
  const close = () => {
    process.removeListener('exit', end);
    end();
  };
  return { child, close };
}

async function openScreen() {
  const { child, close } = start(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const number = new Promise((resolve, reject) => {
    child.stdio[3]?.once('data', (data) => resolve(String(data).trim()));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with ${code}`)));
  });
  const display = await inTime(number);
  if (!display) throw new Error(`Xvfb named no display in ${LIMIT} ms`);
  return { display: `:${display}`, close };
}

async function freePort() {
  const { port, close } = await listen(() => {});
  await close();
  return port;
}

/**
 * Starts WebKitWebDriver on a screen. Layers put together by OpenGL, which the processor does here, would take
 * up to a quarter of the time, and no test looks at pictures.
 * @param {string} program
 * @param {string} display
 */
async function openDriver(program, display) {
  const port = await freePort();
  const { child, close } = start(program, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    stdio: 'ignore',
  });
  const address = `http://127.0.0.1:${port}`;
  const status = () =>
    fetch(`${address}/status`, { signal: AbortSignal.timeout(LIMIT) }).catch(() => undefined);
  await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${child.exitCode}`);
    return (await status())?.ok;
  }, 'an answer of WebKitWebDriver');
  return { address, close };
}

/** Opens a page through the driver at an address. @param {string} driver @param {string} httpProxy @returns {Promise<Page>} */
async function openPage(driver, httpProxy) {
  const session = await new Builder()
    .usingServer(driver)
    .withCapabilities(
      new Capabilities({
        browserName: 'MiniBrowser',
        timeouts: { script: PATIENCE, pageLoad: PATIENCE },
        proxy: { proxyType: 'manual', httpProxy },
        'webkitgtk:browserOptions': { args: ['--automation'] },
      }),
    )
    .build();
  const run = async (/** @type {string} */ text) => {
    const { value, thrown } = await session.executeAsyncScript(
      `const done = arguments[arguments.length - 1];
       ${text}.then((value) => done({ value }), (error) => done({ thrown: String(error) }));`,
    );
    if (thrown !== undefined) throw new Error(thrown);
    return value;
  };
  const runInFrame = async (/** @type {string} */ text) => {
    await session.switchTo().frame(0);
    try {
      return await run(text);
    } finally {
      await session.switchTo().defaultContent();
    }
  };
  const [evaluate, evaluateInFrame] = [run, runInFrame].map(evaluator);
  return {
    version: `WebKitGTK ${(await session.getCapabilities()).get('browserVersion')}`,
    goto: async (address) => {
      await session.get(address); // may return before modules have run
      await until(evaluate, isLoaded, new URL(address).href.replace(/#.*/, ''));
    },
    evaluate,
    evaluateInFrame,
    press: (keys) => pressTogether(session.actions(), keys.split('+').map(keyOf)),
    complaints: async () => {
      const own = await evaluate(readComplaints);
      const framed = await evaluate(() => document.querySelector('iframe') !== null);
      return framed ? [...own, ...(await evaluateInFrame(readComplaints))] : own;
    },
    close: () => session.quit(),
  };
}

/** Runs in the page: returns whether it has this address, not that of the one before, and has loaded. @param {string} address */
const isLoaded = (address) =>
  location.href.replace(/#.*/, '') === address && document.readyState === 'complete';

/** Presses the last key while the others are held. @param {Actions} actions @param {string[]} keys */
function pressTogether(actions, keys) {
  const [key, ...held] = keys.reverse();
  for (const each of held) actions.keyDown(each);
  actions.sendKeys(key);
  for (const each of held) actions.keyUp(each);
  return actions.perform();
}

/** Returns Selenium's name of a key: Key.ARROW_RIGHT for 'ArrowRight'. @param {string} key */
const keyOf = (key) =>
  Reflect.get(Key, key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()) ?? key;

// ---- complaints -----------------------------------------------------------------------------

const SCRIPT = '/complaints-of-this-document.js';

/** Runs in the page, before all its scripts. */
function collectComplaints() {
  /** @type {string[]} */
  const complaints = [];
  Object.defineProperty(window, 'attnComplaints', { value: complaints });
  addEventListener('unhandledrejection', ({ reason }) => complaints.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    complaints.push(`${violatedDirective} forbids ${blockedURI}`),
  );
  addEventListener(
    'error',
    ({ message, target }) =>
      complaints.push(message ?? `failed: ${/** @type {any} */ (target)?.src}`),
    true,
  );
  for (const name of /** @type {const} */ (['error', 'warn'])) {
    const original = console[name];
    console[name] = (...args) => {
      complaints.push(args.join(' '));
      original(...args);
    };
  }
}

/** Runs in the page. @returns {string[]} */
const readComplaints = () =>
  Reflect.get(window, 'attnComplaints') ?? ['the script that keeps complaints did not run'];

/** Opens an HTTP proxy that puts the script into every document. */
async function openProxy() {
  const { port, close } = await listen((request, response) => {
    const { pathname, host, search } = new URL(request.url ?? '', `http://${request.headers.host}`);
    if (pathname === SCRIPT) {
      response.setHeader('Content-Type', 'text/javascript');
      return response.end(`(${collectComplaints})()`);
    }
    const headers = { ...request.headers, 'accept-encoding': 'identity' };
    const { method } = request;
    const origin = forward(`http://${host}${pathname}${search}`, { method, headers }, (answer) =>
      pass(answer, response),
    );
    origin.once('error', () => response.destroy());
    return request.pipe(origin);
  });
  return { host: `127.0.0.1:${port}`, close };
}

/** Passes an answer on, with the script if it is a document. @param {IncomingMessage} answer @param {ServerResponse} response */
async function pass(answer, response) {
  const headers = { ...answer.headers };
  delete headers['content-length']; // the script adds to it
  if (!String(headers['content-type']).startsWith('text/html')) {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    return answer.pipe(response);
  }
  let text = '';
  answer.setEncoding('utf8');
  for await (const chunk of answer) text += chunk;
  response.writeHead(answer.statusCode ?? 502, headers);
  const script = `<script src="${SCRIPT}"></script>`;
  return response.end(
    /<head[^>]*>/i.test(text)
      ? text.replace(/<head[^>]*>/i, (head) => head + script)
      : text.replace(/^(<!doctype[^>]*>)?/i, (doctype) => doctype + script),
  );
}
