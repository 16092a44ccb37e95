// The widget of the Usenet downloader (SABnzbd), with a job in its queue that waits.

import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { freePort, temporaryDirectory, writeFiles } from '../security/harness.mjs';
import { ask, confirm, hasBetween, numbers, program, Service, showThrough, texts } from './services.mjs';

const KEY = '0123456789abcdef0123456789abcdef';
const JOB = 'A film of a holiday';
/** The number of the job's parts, and the size of each in bytes. */
const [PIECES, SIZE] = [50, 6 * 2 ** 20];

/** A job as an indexer describes it. */
const nzb = () => `<?xml version="1.0" encoding="UTF-8"?>
<nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
  <file poster="anna@example.org" date="${Math.floor(Date.now() / 1000)}" subject="&quot;film.bin&quot; yEnc (1/1)">
    <groups><group>alt.binaries.test</group></groups>
    <segments>${Array.from({ length: PIECES }, (_, at) => `<segment bytes="${SIZE}" number="${at + 1}">part${at}@example.org</segment>`).join('')}</segments>
  </file>
</nzb>`;

async function start() {
  const port = await freePort();
  const folder = temporaryDirectory();
  const settings = join(folder, 'sabnzbd.ini');
  writeFiles(folder, { 'sabnzbd.ini': `__version__ = 19\n[misc]\napi_key = ${KEY}\npre_check = 0\n` });
  const path = program('sabnzbdplus');
  const parameters = ['-OO', path, '-f', settings, '-s', `127.0.0.1:${port}`, '-b', '0', '-p', '--disable-file-log'];
  const environment = { HOME: folder, PYTHONPATH: join(dirname(path), '../share/sabnzbdplus') };
  const service = new Service(program('sabnzbd/bin/python'), parameters, environment);
  const url = `http://127.0.0.1:${port}`;
  const read = () => ask(`${url}/sabnzbd/api?mode=queue&output=json&apikey=${KEY}`).then((response) => response.queue);
  await service.ready('SABnzbd', async () => (await read()).slots.length === 0);
  const form = new FormData();
  for (const [name, value] of Object.entries({ mode: 'addfile', output: 'json', apikey: KEY, nzbname: JOB })) form.set(name, value);
  form.set('name', new Blob([nzb()]), 'film.nzb');
  await fetch(`${url}/sabnzbd/api`, { method: 'POST', body: form });
  await service.ready('the job in the queue', async () => (await read()).slots.length === 1);
  return { service, url, read };
}

test('SABnzbd', async (t) => {
  const { service, url, read } = await start();
  const options = { sabnzbdUrl: url, apiKey: KEY };
  await t.test('the queue is that of the downloader', () =>
    confirm('usenet-downloads', options, read, (panel, before) => {
      const left = Number(before.mbleft) * 2 ** 20;
      assert.ok(left > 0, 'something is left to download');
      hasBetween(numbers(panel), left, left, 2 ** 20, 'size left');
      hasBetween(numbers(panel), before.noofslots, before.noofslots, 0, 'length of the queue');
      assert.ok(texts(panel).includes(before.slots[0].filename), `${before.slots[0].filename} is shown`);
    }),
  );
  await t.test('panel, a wrong key, and the downloader stopped', () => {
    const wrong = { type: 'usenet-downloads', options: { ...options, apiKey: KEY.replace('0', '1') } };
    return showThrough([{ type: 'usenet-downloads', options }], wrong, () => service.stop());
  });
});
