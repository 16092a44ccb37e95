// First visits to pages with widgets, with an empty cache.

import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';
import { visit } from './visit.mjs';

const ITEMS = 200;
// Bytes of a first visit, in total.
const BUDGET = 220_000;
// How long the server has to look up all panels.
const LOOKUPS = 1500;

// A number that looks like a measurement, and is the same in every run.
const wave = (at, from, to) => Math.round((from + ((Math.sin(at / 7) + Math.sin(at / 3)) / 4 + 0.5) * (to - from)) * 100) / 100;
const times = (count, make) => Array.from({ length: count }, (_, at) => make(at));

// The responses of the services, by path. Times are recent, because charts show the last hours.
function responses() {
  const now = Math.floor(Date.now() / 1000);
  const rows = (step, names, from, to) => ({
    labels: ['time', ...names],
    data: times(60, (at) => [now - at * step, ...names.map((_, name) => wave(at + name * 11, from, to))]),
  });
  const post = (at) => `<item><title>Post ${at}: ${['beans', 'rain', 'a new spade', 'frost', 'the well'][at % 5]} in week ${at}</title>
    <link>https://blog.example/posts/${at}</link><pubDate>${new Date((now - at * 40_000) * 1000).toUTCString()}</pubDate>
    <description>What happened in the garden in week ${at}, and what is to be done about it before the next one.</description></item>`;
  const host = (at) => ({ name: `host-${at}`, state: at % 4 ? 'running' : 'stopped', load: wave(at, 0, 4), bytes: at * 123_456_789 });
  return new Map(Object.entries({
    '/feed.xml': `<rss version="2.0"><channel><title>Garden</title><link>https://blog.example</link>${times(10, post).join('')}</channel></rss>`,
    '/list.json': times(8, (at) => ({
      link: { text: `tool-${at}`, url: `https://code.example/tool-${at}`, title: '' },
      value: { text: `v1.${at}`, title: '' },
      date: new Date((now - at * 90_000) * 1000).toISOString(),
    })),
    '/state.json': { name: 'Cellar', online: true, temperature: 11.5, humidity: 71, stored: 8_123_456_789, checked: now },
    '/hosts.json': { hosts: times(10, host) },
    '/cpu/api/v1/data': rows(10, ['user', 'system', 'iowait'], 0, 30),
    '/nas/api/v1/data': rows(10, ['user', 'system', 'softirq', 'iowait'], 0, 60),
    '/ads/api/auth': { session: { valid: true, sid: 'sid', validity: 1800 } },
    '/ads/api/dns/blocking': { blocking: 'enabled', timer: null },
    '/ads/api/stats/summary': {
      queries: { total: 61873, blocked: 9911, percent_blocked: 16.018, unique_domains: 7421, forwarded: 30144, cached: 21502 },
      clients: { active: 27, total: 43 }, gravity: { domains_being_blocked: 284119, last_update: now - 86_400 },
    },
    '/ads/api/history': {
      history: times(144, (at) => {
        const total = Math.round(wave(at, 100, 2000));
        return { timestamp: now - (144 - at) * 600, total, cached: Math.round(total / 3), blocked: Math.round(total / 6), forwarded: Math.round(total / 2) };
      }),
    },
    '/filter/control/stats': {
      time_units: 'hours', dns_queries: times(24, (at) => at * 10), blocked_filtering: times(24, (at) => at), num_dns_queries: 1236,
      num_blocked_filtering: 201, num_replaced_safebrowsing: 3, num_replaced_safesearch: 5, num_replaced_parental: 1, avg_processing_time: 0.0123,
    },
    '/cron/api/v3/checks/': {
      checks: times(8, (at) => ({
        name: `Job ${at}`, status: ['up', 'down', 'grace', 'new', 'paused'][at % 5], grace: 600, n_pings: at * 50,
        last_ping: new Date((now - at * 3000) * 1000).toISOString(), timeout: 3600,
      })),
    },
  }));
}

async function startServices() {
  const known = responses();
  const server = createServer((request, response) => {
    const answer = known.get(request.url.split('?')[0]);
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': typeof answer === 'string' ? 'application/rss+xml' : 'application/json' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

// A dozen widgets of many kinds that the server looks up, as entries of a section.
const dozen = (at) => [
  { type: 'rss-feed', label: 'Garden', options: { rssUrl: `${at}/feed.xml`, parseLocally: true } },
  { type: 'custom-list', label: 'Releases', options: { url: `${at}/list.json` } },
  { type: 'api-response', label: 'Cellar', options: { url: `${at}/state.json`, mappings: ['name', 'online', 'temperature', 'humidity'].map((field) => ({ field, label: field })) } },
  { type: 'api-response', label: 'Hosts', options: { url: `${at}/hosts.json`, display: 'dynamic-list', mappings: { items: 'hosts', name: 'name', label: 'state' } } },
  { type: 'system-info', label: 'Machine' },
  { type: 'metrics-cpu-history', label: 'Processor', options: { host: `${at}/cpu` } },
  { type: 'metrics-cpu-history', label: 'Storage', options: { host: `${at}/nas` } },
  { type: 'dns-sinkhole-stats-v6', label: 'Ads', options: { hostname: `${at}/ads`, apiKey: 'password' } },
  { type: 'dns-sinkhole-traffic-v6', label: 'Queries', options: { hostname: `${at}/ads`, apiKey: 'password' } },
  { type: 'dns-filter-stats', label: 'Filter', options: { hostname: `${at}/filter`, username: 'anna', password: 'password' } },
  { type: 'cron-checks', label: 'Jobs', options: { host: `${at}/cron`, apiKey: 'hcr_0123456789abcdef0123456789ab' } },
  { type: 'clock' },
];

// A widget that the browser looks up.
const ofBrowser = [{ type: 'public-ip', label: 'Address' }, { type: 'clock' }];
const ADDRESS = { ip: '203.0.113.7', org: 'AS64500 Example Net', city: 'Trondheim', region: 'Trøndelag', country: 'NO', loc: '63.4,10.4' };

const page = (widgets) => `${dashboard(ITEMS)}  - name: Panel\n    widgets: ${JSON.stringify(widgets)}\n`;

// Adds the bytes of first visits, once the server has all panels.
export async function measureWidgetVisits(report, programs, browser, folder, runs) {
  const services = await startServices();
  try {
    const all = [
      ['a dozen widgets of the server', dozen(services.url), {}],
      ['public-ip and clock', ofBrowser, { 'https://ipinfo.io': ADDRESS }],
    ];
    for (const [number, [what, widgets, foreign]] of all.entries()) {
      const { server: portico } = await startPortico(programs.portico, join(folder, `portico-widgets-${number}`), page(widgets));
      try {
        await fetch(portico.url);
        await sleep(LOOKUPS);
        const text = await (await fetch(portico.url)).text();
        const states = [...text.matchAll(/data-state="(\w+)"/g)].map((match) => match[1]);
        const failed = states.filter((state) => state !== 'content' && state !== 'loading');
        report.require(ITEMS, `${what}: panels are there`, failed.length > 0 || (states.includes('loading') && number === 0) ? states.join(', ') : undefined);
        await visit(browser, portico.url, foreign);
        const visits = await repeat(runs.visits, () => visit(browser, portico.url, foreign));
        report.add(ITEMS, `${what}: document`, 'KB', medianOf(visits, (run) => run.document));
        report.add(ITEMS, `${what}: first visit, in total`, 'KB', medianOf(visits, (run) => run.bytes), { max: BUDGET });
      } finally {
        await portico.stop();
      }
    }
  } finally {
    services.stop();
  }
}
