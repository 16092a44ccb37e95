// The editor in the page: the time until a page can be edited, the delay of keys in a form, and the size of the bundle.

import { join } from 'node:path';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { medianOf, quantile, repeat } from './statistics.mjs';
import { emptyPaint, fresh } from './visit.mjs';

// Ratios to the first paint of an empty page. On the machine of the benchmark, where that takes 50 ms, they are 400 and 1,500 ms
// for entering, and 16 ms for a key.
const BUDGETS = { 200: { enter: { maxRatio: 8 }, key: { maxRatio: 0.32 } }, 2000: { enter: { maxRatio: 30 } } };
const MAX_BUNDLE = 372_000;
const TEXT = 'Harbour of all ships';

const ready = async (page, url) => {
  await page.goto(url, { waitUntil: 'load' });
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
};

// Milliseconds from the click on the pencil to the frame in which the page can be edited, including loading the editor.
const enter = (browser, url) => fresh(browser, async (page) => {
  await ready(page, url);
  return page.evaluate(() => new Promise((resolve) => {
    const began = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector('.edit-bar') || !document.querySelector('[data-edit="add-section"]')) return;
      observer.disconnect();
      // The frame after the one that draws it.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.querySelector('.edit-button').click();
  }));
});

// The fields of an item into which the benchmark types.
const FIELDS = ['title', 'description', 'url'];

// Milliseconds for each key in a field of an item: of its script, and until the tile on the page shows the typed text, with
// layout. Also from the last key until the server has drawn the page with it.
const keys = (browser, url, field) => fresh(browser, async (page) => {
  await ready(page, url);
  await page.click('.edit-button');
  await page.waitForSelector('[data-edit="add-section"]');
  await page.click('#i-0-0');
  await page.waitForSelector(`#edit-${field}`);
  return page.evaluate(async ({ text, field }) => {
    const input = document.querySelector(`#edit-${field}`);
    const tile = () => document.querySelector('#i-0-0');
    const shown = {
      title: () => tile().querySelector('.tile-title').textContent,
      description: () => tile().querySelector('.tile-description').textContent,
      url: () => tile().getAttribute('href').replace('http://', ''),
    }[field];
    const channel = new MessageChannel();
    const task = () => new Promise((resolve) => {
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    const pause = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    let drawn = 0;
    document.addEventListener('portico:changed', () => { drawn = performance.now(); });
    const script = [];
    const toPage = [];
    let last = 0;
    for (let end = 1; end <= text.length; end += 1) {
      await pause();
      last = performance.now();
      input.value = text.slice(0, end);
      input.dispatchEvent(new Event('input', { bubbles: true }));
      // The handlers of the event run in microtasks, before this task.
      await task();
      script.push(performance.now() - last);
      document.body.getBoundingClientRect();
      if (shown() !== input.value.trim()) throw new Error(`the tile says ${shown()}, the form ${input.value}`);
      toPage.push(performance.now() - last);
    }
    while (drawn < last) await pause();
    // The pending response may be that to an earlier key; at most one more follows.
    const settled = () => new Promise((resolve) => setTimeout(resolve, 500));
    await settled();
    return { script, toPage, drawn: drawn - last };
  }, { text: TEXT, field });
});

// The compressed bytes of the editor's bundle, and of the script that starts it.
async function bundleSize(url) {
  const page = await (await fetch(url)).text();
  const module = new URL(/data-module="([^"]*\/edit-[^"]*)"/.exec(page)[1], url);
  const names = [...(await (await fetch(module)).text()).matchAll(/editor-[0-9a-f]{16}(?:_bg\.wasm|\.js)/g)].map(([name]) => name);
  const sizes = await Promise.all([module, ...new Set(names)].map(async (name) => {
    const response = await fetch(new URL(name, module), { headers: { 'accept-encoding': 'br' } });
    return Number(response.headers.get('content-length'));
  }));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export async function measureEditor(report, programs, browser, folder, runs) {
  const reference = await emptyPaint(programs, browser, folder, runs);
  for (const [items, budget] of Object.entries(BUDGETS)) {
    const { server } = await startPortico(programs.portico, join(folder, `editor-${items}`), dashboard(Number(items)));
    try {
      if (items === '200') report.add('editor', 'bundle, compressed', 'KB', await bundleSize(server.url), { max: MAX_BUNDLE });
      // The very first one also starts parts of the browser.
      await enter(browser, server.url);
      const entered = await repeat(runs.visits, () => enter(browser, server.url));
      report.add('editor', `click on the pencil to the page that can be edited, ${items} items`, 'ms', medianOf(entered, (time) => time), { reference, ...budget.enter });
      for (const field of FIELDS) {
        const typed = await repeat(runs.traces, () => keys(browser, server.url, field));
        const all = (of) => typed.flatMap(of);
        report.add('editor', `key in the field ${field}, p95 of its script, ${items} items`, 'ms', quantile(all((run) => run.script), 0.95));
        report.add('editor', `key in the field ${field} to the tile with layout, p95, ${items} items`, 'ms', quantile(all((run) => run.toPage), 0.95), { reference, ...budget.key });
        report.add('editor', `last key to the page as the server draws it, ${items} items`, 'ms', medianOf(typed, (run) => run.drawn));
      }
    } finally {
      await server.stop();
    }
  }
}
