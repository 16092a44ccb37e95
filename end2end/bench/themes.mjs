// The cost of each theme in a first visit: bytes before the first paint and in total, and the first paint compared with that of
// the default theme.

import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { dashboard } from './dashboard.mjs';
import { startPortico } from './processes.mjs';
import { medianOf, repeat } from './statistics.mjs';
import { firstPaint, visit } from './visit.mjs';

const ITEMS = 200;
const THEMES = resolve(import.meta.dirname, '../../style/themes');
// Sixty themes take a while, and a few runs show whether a theme delays the first paint.
const PAINTS = 5;
const BUDGETS = { bytesBeforePaint: { max: 60_000 }, bytes: { max: 200_000 }, paint: { maxRatio: 1.5 } };

const names = () => readdirSync(THEMES).filter((file) => file.endsWith('.toml')).map((file) => file.replace('.toml', ''));

export async function measureThemes(report, programs, browser, folder) {
  const start = (theme) => {
    const config = dashboard(ITEMS).replace('appConfig:\n', `appConfig:\n  theme: ${theme}\n`);
    return startPortico(programs.portico, join(folder, `theme-${theme}`), config);
  };
  const { server: plain } = await start('default');
  try {
    await visit(browser, plain.url);
    for (const theme of names().filter((name) => name !== 'default')) {
      const { server: own } = await start(theme);
      try {
        const seen = await visit(browser, own.url);
        report.add('themes', `${theme}: before paint`, 'KB', seen.bytesBeforePaint, BUDGETS.bytesBeforePaint);
        report.add('themes', `${theme}: first visit, in total`, 'KB', seen.bytes, BUDGETS.bytes);
        // Alternating, so that a disturbance of the machine affects both.
        const paints = await repeat(PAINTS, async () => ({
          own: await firstPaint(browser, own.url),
          plain: await firstPaint(browser, plain.url),
        }));
        report.add('themes', `${theme}: first contentful paint (reference: the default theme)`, 'ms', medianOf(paints, (run) => run.own), {
          reference: medianOf(paints, (run) => run.plain), ...BUDGETS.paint,
        });
      } finally {
        await own.stop();
      }
    }
  } finally {
    await plain.stop();
  }
}
