// A server on a free port of this machine, for one test file.
import { createServer } from 'node:http';

/**
 * @param {import('node:http').RequestListener} answer
 * @returns {Promise<{ port: number, origin: string, close: () => Promise<void> }>} by the name that
 *   browsers trust, `http://localhost`; closing also ends connections that are kept
 */
export async function listen(answer) {
  const server = createServer(answer);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () =>
    /** @type {Promise<void>} */ (
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      })
    );
  return { port, origin: `http://localhost:${port}`, close };
}
