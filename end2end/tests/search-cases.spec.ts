// The table of cases for the search, in the browser (docs/spec/behavior.md 6). `cargo test -p config` runs it for the server.

import { readFileSync } from 'node:fs';

import { parse, stringify } from 'yaml';

import { expect, open, test } from '../fixtures.ts';

interface Case {
  about: string;
  sections: unknown[];
  searches: { text: string; tiles: string[]; first?: string }[];
}

const TABLE = new URL('../../config/src/tests/search/cases.yml', import.meta.url);

for (const { about, sections, searches } of parse(readFileSync(TABLE, 'utf8')) as Case[]) {
  test.describe(about, () => {
    test.use({ text: stringify({ sections }) });

    test('is found in the browser', async ({ page }) => {
      await open(page);
      const shown = page.locator('#content :is(.item .tile-title, .group-title)').filter({ visible: true });
      const first = page.locator('#content [data-first] .tile-title');
      for (const search of searches) {
        await page.getByRole('searchbox').fill(search.text);
        await expect(shown, search.text).toHaveText(search.tiles);
        if (search.first === '') await expect(first, search.text).toHaveCount(0);
        else if (search.first !== undefined) await expect(first, search.text).toHaveText(search.first);
      }
    });
  });
}
