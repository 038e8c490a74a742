import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, result, run } from './page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds that is serious or critical: its rule and the places. */
async function findings(page: Page): Promise<string[]> {
  // The policy of the page forbids scripts of others: the browser runs this one beside it.
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; impact: string; nodes: { target: string[] }[] }[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

describe.skipIf(noBrowser)('the page for everyone', () => {
  const open = shared((finished) => openPage(finished));

  test.each(['light', 'dark'])('has no serious finding of axe, %s', async (scheme) => {
    const { page, origin } = open();
    await page.getByRole('combobox', { name: 'Colours' }).selectOption(scheme);
    for (const view of ['tools', 'resources', 'prompts', 'plugins', 'history', 'connect']) {
      await page.goto(`${origin}/#/${view}`);
      await page.getByRole('navigation', { name: 'Views' }).waitFor();
      await page.locator('main h1, main .notice').first().waitFor();
      expect(await findings(page), view).toEqual([]);
    }
    await page.goto(`${origin}/#/tools`);
    await openTool(page, 'Echo');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Add owner' }).click();
    await run(page);
    expect(await findings(page), 'a form with problems').toEqual([]);
    await openTool(page, 'Broken build');
    await run(page);
    await result(page, 'Error');
    expect(await findings(page), 'an error').toEqual([]);
    await page.getByRole('tab', { name: 'Data' }).click();
    expect(await findings(page), 'a tree').toEqual([]);
  });

  test('works with the keyboard alone', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/tools`);
    await page.reload();
    await page.getByRole('link', { name: /^Count down/ }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    await page.keyboard.type('temperature');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Temperature', level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Form' }).focus();
    for (let steps = 0; steps < 10; steps += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.id')) === 'field/city') break;
    }
    await page.keyboard.type('Tokyo');
    await page.keyboard.press('Control+Enter');
    await result(page);
  });

  test('has no place that is wider than a screen of 360 pixels', async () => {
    const { page, origin } = open();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const view of ['tools', 'tools/shapes_echo', 'plugins', 'resources', 'history', 'connect']) {
      await page.goto(`${origin}/#/${view}`);
      await page.locator('main h1:visible, main .tool-row:visible, main .notice:visible').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(360);
    }
  });
});
