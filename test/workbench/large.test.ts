import type { Page } from 'playwright-core';
import { describe, onTestFinished, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { expect, openPage, openTool, result, run } from './page.js';

const MANY = `
export function register(api) {
  for (let n = 0; n < 1000; n++) {
    api.registerTool({ name: 'many.tool' + n, title: 'Tool ' + n, description: 'The tool number ' + n, inputSchema: { type: 'object', properties: {} }, run: () => ({ content: 'ok' }) });
  }
}`;

/** The longest time in milliseconds in which the page drew nothing while something was done. */
async function longestPause(page: Page, action: () => Promise<void>): Promise<number> {
  await page.evaluate(`
    globalThis.pauses = [];
    globalThis.observer = new PerformanceObserver((list) => pauses.push(...list.getEntries().map((entry) => entry.duration)));
    observer.observe({ type: 'longtask' });`);
  await action();
  return Number(
    await page.evaluate(
      'new Promise((resolve) => setTimeout(() => { observer.disconnect(); resolve(Math.max(0, ...pauses)); }, 100))',
    ),
  );
}

describe.skipIf(noBrowser)('much on the page', () => {
  test('1,000 tools scroll and search, and only the visible ones are drawn', async () => {
    const { page } = await openPage(onTestFinished, {}, ({ write }) => void write('plugins/many.mjs', MANY));
    await page.getByRole('link', { name: /^Tools 10\d\d/ }).waitFor();
    const list = page.locator('.tool-list');
    const pause = await longestPause(page, async () => {
      for (let step = 1; step <= 20; step += 1)
        await list.evaluate(
          (element, top) => ((element as unknown as { scrollTop: number }).scrollTop = top),
          step * 2000,
        );
      await page.getByRole('searchbox', { name: 'Search the tools' }).pressSequentially('tool 99');
    });
    expect(await list.locator('.tool-row').count()).toBeLessThan(80);
    await page.getByRole('link', { name: /^Tool 999/ }).waitFor();
    // A frame may take 50 ms on a machine that does nothing else: bench/page.mjs measures that.
    expect(pause).toBeLessThan(500);
  });

  test('a result of 5 MB is shown while the page stays usable', async () => {
    const { page } = await openPage(onTestFinished, {
      Output: { MaxResultBytes: 10_485_760 },
      Plugins: { Directory: 'plugins', Limits: { MessageBytes: 16_777_216 } },
    });
    await openTool(page, 'Large');
    await page.getByRole('textbox', { name: /^bytes/ }).fill('5000000');
    await run(page);
    await result(page);
    await page.getByRole('tab', { name: 'Data' }).click();
    const tree = page.getByRole('group', { name: 'Structured content' });
    await tree.getByText('20000 items').click();
    await tree.getByText('3 members').first().waitFor();
    expect(await tree.locator('.tree-row').count()).toBeLessThan(80);
    await page.getByRole('tab', { name: 'As a model sees it' }).click();
    await page.getByRole('radio', { name: /Data only/ }).check();
    expect(await page.getByRole('group', { name: 'What the model sees' }).locator('.text-line').count()).toBeLessThan(
      80,
    );
  });
});
