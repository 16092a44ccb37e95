// First visits in headless Chromium: an empty cache, nothing stored, one page.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

import { NEEDLE } from './dashboard.mjs';
import { EMPTY, startBare } from './processes.mjs';
import { median, repeat } from './statistics.mjs';

const VISIT_TIMEOUT = 60_000;
const SEARCH_TIMEOUT = 5000;
const QUIET_TIME = 500;
// A new window also loads pages of the browser's own interface, which must not be measured.
const WINDOW_TIME = 1500;
// The part of a task beyond this many milliseconds counts as blocking.
const SHORT_TASK = 50;
const TILES = '#content .items > *';

function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (!found) throw new Error('chromium is missing; install it, or name it: CHROMIUM=/path/to/chromium');
  return found;
}

export const openBrowser = () => chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

const blocking = (durations) => durations.reduce((sum, time) => sum + Math.max(0, time - SHORT_TASK), 0);

// Runs `action` with a page in a fresh browser context.
export async function fresh(browser, action) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(VISIT_TIMEOUT);
    await page.waitForTimeout(WINDOW_TIME);
    return await action(page, context);
  } finally {
    await context.close();
  }
}

// Waits until the page is hydrated and has sent no requests for a while.
async function settle(page, traffic) {
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  let last = performance.now();
  let count = traffic.events;
  while (performance.now() - last < QUIET_TIME || traffic.open.size > 0) {
    await page.waitForTimeout(50);
    if (traffic.events !== count) {
      count = traffic.events;
      last = performance.now();
    }
  }
}

// Counts the bytes that a page transfers, headers and compressed bodies.
async function watchTraffic(context, page) {
  const traffic = { events: 0, open: new Set(), bytes: new Map(), urls: new Map(), failed: [] };
  const session = await context.newCDPSession(page);
  const note = (event, action) => session.on(event, (details) => {
    traffic.events += 1;
    action(details);
  });
  note('Network.requestWillBeSent', ({ requestId, request, type }) => {
    // An event stream never ends.
    if (request.url.startsWith('data:') || type === 'EventSource') return;
    traffic.open.add(requestId);
    traffic.urls.set(requestId, request.url);
  });
  note('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (traffic.open.delete(requestId)) traffic.bytes.set(requestId, encodedDataLength);
  });
  note('Network.loadingFailed', ({ requestId, errorText }) => {
    if (traffic.open.delete(requestId)) traffic.failed.push(`${traffic.urls.get(requestId)}: ${errorText}`);
  });
  await session.send('Network.enable');
  return traffic;
}

function observeLongTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) window.longTasks.push(task.duration);
  }).observe({ type: 'longtask', buffered: true });
}

// A visit with observers only: bytes, blocking time, time until the page is hydrated. `foreign` holds the responses of other
// origins, by origin; their bytes do not count.
export const visit = (browser, url, foreign = {}) => fresh(browser, async (page, context) => {
  for (const [origin, body] of Object.entries(foreign)) {
    await context.route(`${origin}/**`, (route) => route.fulfill({ json: body, headers: { 'access-control-allow-origin': '*' } }));
  }
  const traffic = await watchTraffic(context, page);
  await page.addInitScript(observeLongTasks);
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (document.documentElement?.hasAttribute('data-ready')) {
        window.readyAt = performance.now();
        observer.disconnect();
      }
    }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-ready'] });
  });
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  await settle(page, traffic);
  const seen = await page.evaluate(() => ({
    ready: window.readyAt,
    longTasks: window.longTasks,
    elements: document.querySelectorAll('*').length,
    blockingUrls: performance.getEntriesByType('resource')
      .filter((entry) => entry.renderBlockingStatus === 'blocking')
      .map((entry) => entry.name),
  }));
  if (traffic.failed.length > 0) throw new Error(`requests failed: ${traffic.failed.join(', ')}`);
  const beforePaint = new Set([url, ...seen.blockingUrls]);
  const transferred = [...traffic.bytes].map(([id, bytes]) => ({ url: traffic.urls.get(id), bytes }))
    .filter((entry) => entry.url.startsWith(url));
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  return {
    ready: seen.ready,
    blockingTime: blocking(seen.longTasks),
    longestTask: Math.max(0, ...seen.longTasks),
    elements: seen.elements,
    requests: transferred.length,
    bytesBeforePaint: sum(transferred.filter((entry) => beforePaint.has(entry.url))),
    bytes: sum(transferred),
    document: sum(transferred.filter((entry) => entry.url === url)),
    transferred,
  };
});

// The first contentful paint of a visit without other measurements: watching the traffic, or running a script at the start,
// takes time of the same processors.
export const firstPaint = (browser, url) => fresh(browser, async (page) => {
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  const paint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  await page.waitForFunction(paint);
  return page.evaluate(paint);
});

// The first contentful paint and the largest one of a visit, in milliseconds.
export const paints = (browser, url) => fresh(browser, (page) => paintsOn(page, url));

// The same in a browser process of its own, which has compiled nothing and started none of its services yet, and how long its
// main thread was blocked.
export async function coldVisit(url) {
  const browser = await openBrowser();
  try {
    return await fresh(browser, async (page) => {
      await page.addInitScript(observeLongTasks);
      const painted = await paintsOn(page, url);
      return { ...painted, blockingTime: blocking(await page.evaluate(() => window.longTasks)) };
    });
  } finally {
    await browser.close();
  }
}

async function paintsOn(page, url) {
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  // A font or a picture may still replace the largest element by a larger one.
  await page.waitForTimeout(QUIET_TIME);
  return page.evaluate(async () => {
    const largest = await new Promise((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true });
    });
    return { first: performance.getEntriesByName('first-contentful-paint')[0].startTime, largest };
  });
}

// Milliseconds of the first paint of an empty page, the reference for times in this browser on this machine.
export async function emptyPaint(programs, browser, folder, runs) {
  const { server } = await startBare(programs.bare, join(folder, 'empty'), [{ ...EMPTY, path: '/' }]);
  try {
    await firstPaint(browser, server.url);
    return median(await repeat(runs.visits, () => firstPaint(browser, server.url)));
  } finally {
    await server.stop();
  }
}

// A returning visitor: the browser has its cache, and with `hasWorker` a worker with copies. `paint` returns the first
// contentful paint of another visit, for which the browser has to start the worker again.
export async function returningVisitor(browser, url, hasWorker) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 768 } });
  // Keeps the window open between two visits.
  const rest = await context.newPage();
  const session = await context.newCDPSession(rest);
  await session.send('ServiceWorker.enable');
  const open = async (action) => {
    const page = await context.newPage();
    try {
      page.setDefaultTimeout(VISIT_TIMEOUT);
      await page.waitForTimeout(WINDOW_TIME);
      await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
      return await action(page);
    } finally {
      await page.close();
    }
  };
  await open(async (page) => {
    await page.waitForSelector('html[data-ready]', { state: 'attached' });
    if (!hasWorker) return;
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    // Pictures are copied in the order in which the page has loaded them, after the page itself.
    await page.waitForFunction(async () => Boolean(await caches.match(location.href, { ignoreVary: true })));
    await settle(page, { events: 0, open: new Set() });
  });
  return {
    async paint() {
      await session.send('ServiceWorker.stopAllWorkers');
      return open(async (page) => {
        const paint = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
        await page.waitForFunction(paint);
        if (hasWorker !== await page.evaluate(() => Boolean(navigator.serviceWorker.controller))) {
          throw new Error(`the page ${hasWorker ? 'has no' : 'has a'} worker`);
        }
        return page.evaluate(paint);
      });
    },
    close: () => context.close(),
  };
}

// A visit with tracing, which also includes tasks that observers in the page cannot see.
export async function tracedVisit(browser, url) {
  const session = await browser.newBrowserCDPSession();
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] },
  });
  await fresh(browser, async (page, context) => {
    const traffic = await watchTraffic(context, page);
    await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
    await settle(page, traffic);
  });
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  const { stream } = await complete;
  let text = '';
  for (let end = false; !end;) {
    const part = await session.send('IO.read', { handle: stream, size: 1 << 20 });
    text += part.base64Encoded ? Buffer.from(part.data, 'base64').toString() : part.data;
    end = part.eof;
  }
  await session.send('IO.close', { handle: stream });
  await session.detach();
  const events = JSON.parse(text).traceEvents;
  const begin = events.find((event) => event.name === 'navigationStart' && event.args?.data?.documentLoaderURL === url);
  if (!begin) throw new Error('the trace has no navigation');
  const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && event.ph === 'X'
    && event.pid === begin.pid && event.tid === begin.tid && event.ts + event.dur > begin.ts);
  const durations = tasks.map((task) => task.dur / 1000);
  return { blockingTime: blocking(durations), longestTask: Math.max(0, ...durations) };
}

// Milliseconds from the start of the navigation to the first frame in which typed text filters the page. The text is entered
// repeatedly from the start, so only the page decides when it reacts.
export const searchReacts = (browser, url) => fresh(browser, async (page) => {
  await page.addInitScript(({ needle, tiles }) => {
    const timer = setInterval(() => {
      const box = document.querySelector('#search');
      const tile = document.querySelector(tiles);
      if (!box || !tile) return;
      if (tile.closest('[hidden]')) {
        clearInterval(timer);
        requestAnimationFrame(() => { window.searchReacted = performance.now(); });
        return;
      }
      box.value = needle;
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }, 4);
  }, { needle: NEEDLE, tiles: TILES });
  await page.goto(url, { waitUntil: 'commit', timeout: VISIT_TIMEOUT });
  await page.waitForFunction(() => window.searchReacted);
  return page.evaluate(() => window.searchReacted);
});

// Typical searches: names, two words, typos, words without results. Each letter is a keystroke.
const TYPED = ['nextcloud', 'media attic', 'grafna', 'backup family', 'kitchen', 'zzzz', 'proxmox replica', 'vpn', 'home assistent', NEEDLE];

// Milliseconds of script for each keystroke of a search, from the event to the changed page; and the same including style and
// layout.
export const keystrokes = (browser, url) => fresh(browser, async (page) => {
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  return page.evaluate(async (typed) => {
    const box = document.querySelector('#search');
    const script = [];
    const withLayout = [];
    const task = () => scheduler.postTask(() => {}, { priority: 'user-blocking' });
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const type = async (text) => {
      await frame();
      const began = performance.now();
      box.value = text;
      box.dispatchEvent(new Event('input', { bubbles: true }));
      // The handlers of the event run in microtasks, before this task, which precedes the frames that show slices of an
      // earlier result.
      await task();
      script.push(performance.now() - began);
      document.body.getBoundingClientRect();
      withLayout.push(performance.now() - began);
    };
    // The first key collects the texts of the page.
    await type('e');
    while (!document.querySelector('#page.searching')) await frame();
    await type('');
    script.length = 0;
    withLayout.length = 0;
    for (const text of typed) {
      for (let end = 1; end <= text.length; end += 1) await type(text.slice(0, end));
      for (let end = text.length - 1; end >= 0; end -= 1) await type(text.slice(0, end));
    }
    return { script, withLayout };
  }, TYPED);
});

// Uses a page as a person would: types, checks the result, clears the search, scrolls. Returns the milliseconds from the last
// key to the frame that shows the result, and the longest gap between two frames while scrolling; throws if the page behaves
// incorrectly.
export const use = (browser, url, items) => fresh(browser, async (page) => {
  await page.goto(url, { waitUntil: 'load', timeout: VISIT_TIMEOUT });
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  const shown = () => page.locator(`${TILES} >> visible=true`).count();
  const all = await page.locator(TILES).count();
  if (all !== items) throw new Error(`the page has ${all} tiles of ${items}`);
  await page.locator('#search').focus();
  await page.keyboard.type(NEEDLE.slice(0, -1));
  await page.evaluate(({ last, tiles }) => {
    const box = document.querySelector('#search');
    box.addEventListener('keydown', ({ key }) => {
      if (key !== last) return;
      const pressed = performance.now();
      const look = () => {
        const shows = !document.querySelector(tiles).closest('[hidden]');
        requestAnimationFrame(shows ? look : () => { window.keyToFrame = performance.now() - pressed; });
      };
      requestAnimationFrame(look);
    }, { capture: true });
  }, { last: NEEDLE.at(-1), tiles: TILES });
  await page.keyboard.press(NEEDLE.at(-1));
  await page.waitForFunction(() => window.keyToFrame);
  // The tiles change in slices.
  const deadline = Date.now() + SEARCH_TIMEOUT;
  for (let found; (found = await shown()) !== 1;) {
    if (Date.now() > deadline) throw new Error(`the search shows ${found} tiles instead of 1`);
  }
  const keyToFrame = await page.evaluate(() => window.keyToFrame);
  await page.keyboard.press('Escape');
  await page.waitForFunction((tiles) => !document.querySelector(tiles).closest('[hidden]'), TILES);

  await page.evaluate(() => {
    window.frames = [];
    const frame = (time) => {
      window.frames.push(time);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 5000);
  await page.waitForTimeout(1000);
  const { top, frames } = await page.evaluate(() => ({ top: scrollY, frames: window.frames }));
  const isLong = await page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 100);
  if (isLong && top < 100) throw new Error('the page does not scroll');
  const gaps = frames.slice(1).map((time, number) => time - frames[number]);
  return { keyToFrame, longestFrame: Math.max(...gaps) };
});
