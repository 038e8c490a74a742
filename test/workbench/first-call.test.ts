import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, result, run } from './page.js';

/** docs/spec/protocol.md#page */
describe.skipIf(noBrowser)(`the workbench page${noBrowser ? ` (skipped: ${noBrowser})` : ''}`, () => {
  const open = shared((finished) => openPage(finished));

  test('lists the tools of the server under their plugins', async () => {
    const { page } = open();
    const list = page.getByRole('region', { name: 'All tools' });
    await list.getByRole('heading', { name: /^countdown/ }).waitFor();
    // Its title, whether it changes anything, the size of its definition in tokens, its name and description.
    await list.getByRole('link', { name: /^Count down read-only ≈ \d+ countdown Counts down/ }).waitFor();
  });

  test('calls a tool by a form of its schema, and shows the result', async () => {
    const { page } = open();
    await openTool(page, 'Temperature');
    await page.getByRole('textbox', { name: /^city/ }).fill('London');
    await run(page);
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe(
      'London: 19 °C, overcast, humidity 62 %',
    );
  });

  test.each([360, 1440])('moves nothing while it loads, %i pixels wide', async (width) => {
    const { page, origin } = open();
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(`
      globalThis.moved = 0;
      new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (moved += value)))
        .observe({ type: 'layout-shift', buffered: true });`);
    await page.goto(`${origin}/#/tools/weather_temperature`);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Plugins \d/ })
      .waitFor();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
    expect(await page.evaluate('moved')).toBeLessThan(0.002);
  });

  test('keeps to its policy, and reports no error', () => {
    expect(open().complaints).toEqual([]);
  });
});
