import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, readClipboard, result, run } from './page.js';

const KEY = 'a-long-access-key-for-the-tests-of-the-page';
const SCOPES = ['mortise:read', 'mortise:write', 'mortise:operate'];
const BROKEN = 'export function register(api) { api.registerTool({ name: "x" })\n';
const counter = (text: string) => `
let count = 0;
export function register(api) {
  api.registerTool({ name: 'counted', description: '${text}', inputSchema: { type: 'object', properties: {} }, run: () => ({ content: 'ok' }) });
  api.registerResource({ uri: 'counter://now', name: 'Counter', read: () => String(++count) });
}`;

describe.skipIf(noBrowser)('the views of the page', () => {
  const open = shared(async (finished) => {
    const settings = { Auth: { Keys: [{ Name: 'operator', Key: KEY, Scopes: SCOPES }] } };
    const opened = await openPage(finished, settings, ({ write }) => {
      write('plugins/broken.mjs', BROKEN);
      write('plugins/counter.mjs', counter('Counts.'));
    });
    await opened.page.getByLabel('Key', { exact: true }).fill(KEY);
    await opened.page.getByRole('button', { name: 'Connect' }).click();
    await opened.page.getByText('Connected', { exact: true }).waitFor();
    return opened;
  });
  const show = async (name: string) => {
    await open()
      .page.getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click();
  };

  test('plugins: where they come from, and what is wrong, with file and line', async () => {
    const { page } = open();
    await show('Plugins');
    const broken = page.getByRole('article', { name: 'broken' });
    await broken.getByText('PLUGIN_SYNTAX_ERROR').waitFor();
    await broken.getByText(/broken\.mjs:2/).waitFor();
    await page.getByRole('article', { name: 'weather' }).getByText('loaded', { exact: true }).waitFor();
  });

  test('plugins: a reload brings a changed tool, which is marked', async () => {
    const { page, workplace } = open();
    workplace.write('plugins/counter.mjs', counter('Counts, but differently.'));
    await page.getByRole('button', { name: 'Reload counter' }).click();
    await page.getByText('changed: counter').waitFor();
    await show('Tools');
    await page.getByRole('searchbox', { name: 'Search the tools' }).fill('counted');
    await page
      .getByRole('link', { name: /^counted/ })
      .getByText('changed')
      .waitFor();
  });

  test('resources: reads one, and one of a template with completed values', async () => {
    const { page } = open();
    await show('Resources');
    await page.getByRole('link', { name: /^Counter/ }).click();
    await page.getByLabel('counter://now').getByText('1').waitFor();
    await page.getByRole('button', { name: 'Read again' }).click();
    await page.getByLabel('counter://now').getByText('2').waitFor();
    await page.getByRole('link', { name: /Weather station/ }).click();
    const city = page.getByRole('combobox', { name: 'city' });
    await city.fill('To');
    await page.locator('datalist option[value=Tokyo]').waitFor({ state: 'attached' });
    await city.fill('Tokyo');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page
      .getByLabel('weather://stations/Tokyo')
      .getByText(/partly cloudy/)
      .waitFor();
  });

  test('resources: follows changes of one', async () => {
    const { page } = open();
    await page.goto(`${open().origin}/#/resources/${encodeURIComponent('counter://now')}`);
    await page.getByLabel('Follow changes').check();
    expect(await page.getByLabel('Follow changes').isChecked()).toBe(true);
  });

  test('prompts: fills one in, and gets its messages', async () => {
    const { page } = open();
    await show('Prompts');
    await page.getByRole('link', { name: /^Packing list/ }).click();
    await page.getByRole('combobox', { name: /^city/ }).fill('Nairobi');
    await page.getByRole('button', { name: 'Get the messages' }).click();
    await page
      .getByRole('article', { name: 'Message of the user' })
      .getByText(/Look up the weather in Nairobi/)
      .waitFor();
  });

  test('connect: an entry for each client, with this address', async () => {
    const { page, origin } = open();
    await show('Connect');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('article', { name: 'VS Code' }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(JSON.parse(await readClipboard(page))).toEqual({
      servers: { mortise: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: 'Bearer <key>' } } },
    });
  });

  test('history: keeps calls without secrets, and runs one again', async () => {
    const { page } = open();
    await show('Tools');
    await openTool(page, 'Echo');
    await page.getByRole('textbox', { name: /^text/ }).fill('token: ghp_0123456789abcdefghijABCDEFGHIJ012345');
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await run(page);
    await result(page);
    await show('History');
    const entry = page.getByRole('listitem', { name: 'shapes_echo' }).first();
    await entry.getByText('success').waitFor();
    const stored = String(await page.evaluate("localStorage.getItem('mortise.history')"));
    expect(stored).not.toMatch(/ghp_0123|hunter2/);
    expect(stored).toContain('[REDACTED]');
    await entry.getByRole('button', { name: 'Save as …' }).click();
    await page.getByRole('textbox', { name: 'Name of the call' }).fill('My echo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Saved and pinned' }).waitFor();
    await page.getByRole('listitem', { name: 'My echo' }).getByRole('button', { name: 'Run again' }).click();
    await result(page);
  });

  test('reports no error', () => expect(open().complaints.filter((text) => !text.includes('401'))).toEqual([]));
});

describe.skipIf(noBrowser)('the page without the scope mortise:operate', () => {
  const open = shared((finished) => openPage(finished));

  test('shows a summary of the plugins, and no Reload', async () => {
    const { page } = open();
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Plugins/ })
      .click();
    await page.getByText('You see only a summary of the plugins.').waitFor();
    await page.getByText(/Start the server with mortise workbench/).waitFor();
    await page.getByRole('article', { name: 'weather' }).getByText('loaded', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^Reload/ }).count()).toBe(0);
  });

  test('shows the error of a call that needs it, and stays connected', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/tools/builtin_plugins`);
    await page.getByRole('combobox', { name: /^action/ }).selectOption('Status');
    await run(page);
    await (await result(page, 'Error')).getByText('SCOPE_MISSING').first().waitFor();
    await page.getByText('Connected', { exact: true }).waitFor();
  });
});
