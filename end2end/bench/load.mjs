// Recording responses as they are sent, and putting a server under load.

import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { promisify } from 'node:util';

const run = promisify(execFile);

// Headers that the HTTP library of the reference adds itself.
const OF_THE_CONNECTION = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']);

// A response with its compressed body.
export function record(url) {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip, deflate, br, zstd' };
    get(url, { headers, agent: false }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const pairs = [];
        for (let at = 0; at < response.rawHeaders.length; at += 2) {
          if (!OF_THE_CONNECTION.has(response.rawHeaders[at].toLowerCase())) {
            pairs.push([response.rawHeaders[at], response.rawHeaders[at + 1]]);
          }
        }
        resolve({ path: new URL(url).pathname, status: response.statusCode, headers: pairs, body: Buffer.concat(parts) });
      });
    }).on('error', reject);
  });
}

// Puts load on one path of a server. Adds the server's processor time per request to the figures of the generator, because
// generator and server share the cores.
export async function load(program, server, { path = '/', connections = 32, warmUp, duration }) {
  const before = server.processorTime();
  const { stdout } = await run(program, [
    server.address, '--path', path, '--connections', String(connections), '--warm-up', String(warmUp), '--duration', String(duration),
  ]);
  const summary = JSON.parse(stdout);
  const spent = server.processorTime() - before;
  return { ...summary, processorMicroseconds: (spent / Math.max(1, summary.allRequests)) * 1e6 };
}
