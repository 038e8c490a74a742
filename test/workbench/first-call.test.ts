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
    await list.getByRole('link', { name: /^Count down/ }).waitFor();
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

  test('keeps to its policy, and reports no error', () => {
    expect(open().complaints).toEqual([]);
  });
});
