import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, result, run } from './page.js';

const MANY = `
export function register(api) {
  for (let n = 0; n < 1000; n++) {
    api.registerTool({ name: 'many.tool' + n, title: 'Tool ' + n, description: 'The tool number ' + n, inputSchema: { type: 'object', properties: {} }, run: () => ({ content: 'ok' }) });
  }
}`;
/** A screen of rows with what is kept above and below it. */
const MAX_ROWS = 80;
const MAX_ELEMENTS = 1_500;

/** How long a frame takes depends on the machine (bench/page.mjs measures it): what is drawn for it does not. */
describe.skipIf(noBrowser)('much on the page', () => {
  const open = shared((finished) => {
    const Plugins = {
      Directory: 'plugins',
      StartWaitMs: 60_000,
      Limits: { MessageBytes: 16_777_216, MessageValues: 200_000 },
    };
    const settings = { Output: { MaxResultBytes: 10_485_760 }, Plugins };
    return openPage(finished, settings, ({ write }) => void write('plugins/many.mjs', MANY));
  });
  const elements = async () => Number(await open().page.evaluate("document.querySelectorAll('*').length"));

  test('1,000 tools scroll and search, and only the visible ones are drawn', async () => {
    const { page } = open();
    await page.getByRole('link', { name: /^Tools 10\d\d/ }).waitFor();
    const list = page.locator('.tool-list');
    // The elements that come in each step.
    await page.evaluate(`
      globalThis.added = [];
      new MutationObserver((records) => added.push(records.flatMap(({ addedNodes }) => [...addedNodes]).length))
        .observe(document.querySelector('.tool-list'), { childList: true, subtree: true });`);
    for (let step = 1; step <= 20; step += 1) {
      await list.evaluate((element, top) => element.scrollTo(0, top), step * 2_000);
      await expect.poll(() => list.getByRole('link').count()).toBeLessThan(MAX_ROWS);
    }
    await page.getByRole('searchbox', { name: 'Search the tools' }).pressSequentially('tool 99');
    await page.getByRole('link', { name: /^Tool 999/ }).waitFor();
    expect(Number(await page.evaluate('Math.max(...added)'))).toBeLessThan(2 * MAX_ROWS);
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
  });

  test.each([5_000_000, 10_000_000])('a result of %i bytes is shown in parts, in every view', async (bytes) => {
    const { page } = open();
    await openTool(page, 'Large');
    await page.getByRole('textbox', { name: /^bytes/ }).fill(String(bytes));
    await run(page);
    const region = await result(page);
    await region.getByRole('tab', { name: 'Data' }).click();
    const tree = region.getByRole('group', { name: 'Structured content' });
    await tree.getByText(`${bytes / 250} items`).click();
    await tree.getByText('3 members').first().waitFor();
    await tree.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await tree
      .getByText(String(bytes / 250 - 1), { exact: true })
      .first()
      .waitFor();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    await region.getByRole('tab', { name: 'As a model sees it' }).click();
    await region.getByRole('radio', { name: /Data only/ }).check();
    await region
      .getByRole('group', { name: 'What the model sees' })
      .getByText(/"row 0"/)
      .waitFor();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
    await region.getByRole('tab', { name: 'Exchange' }).click();
    await region.getByRole('button', { name: /received result/ }).click();
    await region.getByRole('group', { name: 'result' }).getByText('"jsonrpc": "2.0"').waitFor();
    expect(await elements()).toBeLessThan(MAX_ELEMENTS);
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
