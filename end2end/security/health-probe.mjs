// Requests `/healthz` of two programs in turn, ten times a second, and prints how long the responses took: a line of JSON each time.
// `watch.mjs` runs it.

import { get } from 'node:http';

const [attacked, quiet] = process.argv.slice(2).map(Number);

/** How long a response takes, in milliseconds, and what is wrong with it. */
function ask(port) {
  const before = performance.now();
  return new Promise((done) => {
    const end = (failure) => done({ time: performance.now() - before, failure });
    const request = get({ port, host: '127.0.0.1', path: '/healthz', localAddress: '127.9.9.9', agent: false, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => end(response.statusCode === 200 ? undefined : `/healthz answers ${response.statusCode}`));
    });
    request.once('timeout', () => request.destroy(new Error('/healthz does not answer')));
    request.once('error', (error) => end(error.message));
  });
}

for (;;) {
  const reference = await ask(quiet);
  const { time, failure } = await ask(attacked);
  console.log(JSON.stringify({ time, failure, quiet: reference.time }));
  await new Promise((done) => setTimeout(done, 100));
}
