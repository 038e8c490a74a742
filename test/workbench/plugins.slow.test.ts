import type { Page, Request } from 'playwright-core';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, run } from './page.js';

const OPERATOR = 'a-long-access-key-for-the-operator-of-the-page';
const WRITER = 'a-long-access-key-for-a-user-of-the-page-xxxx';
const BROKEN = 'export function register(api) { api.registerTool({ name: "x" })\n';
const sums = (description: string, more = '') => `
export function register(api) {
  const inputSchema = { type: 'object', properties: { a: { type: 'number' }${more} } };
  const tool = (name, title, run) => api.registerTool({ name, title, description: '${description}', inputSchema, run });
  tool('sums.add', 'Add', () => 'added');
  tool('sums.crash', 'Crash', () => process.exit(3));
  tool('sums.wait', 'Wait', () => new Promise(() => {}));
}`;

/** The page receives the answers to calls with this action only after `release`. */
async function holdAnswer(page: Page, action: string): Promise<{ release(): void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isHeld = (request: Request) => request.postData()?.includes(`"action":"${action}"`) ?? false;
  await page.route('**/mcp', async (route) => {
    if (!isHeld(route.request())) return route.continue();
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  return { release };
}

/** docs/workbench.md */
describe.skipIf(noBrowser)('plugins on the page, for an operator', () => {
  const open = shared(async (finished) => {
    const keys = [
      { Name: 'operator', Key: OPERATOR, Scopes: ['mortise:read', 'mortise:write', 'mortise:operate'] },
      { Name: 'writer', Key: WRITER },
    ];
    // Each call would be a task soon, if the page wanted that.
    const settings = {
      Auth: { Keys: keys },
      Tools: { NameStyle: 'exact' },
      Tasks: { AfterMs: 1 },
      Plugins: { Directory: 'plugins', OnChange: 'refuse' },
    };
    const opened = await openPage(finished, settings, ({ write }) => {
      write('plugins/broken.mjs', BROKEN);
      write('plugins/sums.mjs', sums('Adds numbers.'));
    });
    await opened.page.getByLabel('Key', { exact: true }).fill(OPERATOR);
    await opened.page.getByRole('button', { name: 'Connect' }).click();
    await opened.page.getByText('Connected', { exact: true }).waitFor();
    return opened;
  });
  const show = (name: string) =>
    open()
      .page.getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .click();
  const card = (name: string) => open().page.getByRole('article', { name, exact: true });
  /** A figure of a plugin by its title. */
  const figure = (plugin: string, title: string) =>
    card(plugin)
      .locator('div', { has: open().page.locator('dt', { hasText: title }) })
      .locator('dd')
      .last();

  test('that do not load are on the start view, with what to do', async () => {
    const broken = open().page.getByRole('region', { name: 'Plugins that do not load' });
    await broken.getByText('broken', { exact: true }).waitFor();
    expect(await broken.textContent()).toMatch(/broken\.mjs/);
  });

  test('show their calls, times, memory and restarts, as they are now', async () => {
    const { page } = open();
    await openTool(page, 'Add');
    for (const _ of [1, 2]) {
      await run(page);
      await page.getByRole('region', { name: 'Result' }).getByText('added', { exact: true }).waitFor();
    }
    await show('Plugins');
    await expect.poll(() => figure('sums', 'Calls').textContent()).toBe('2');
    expect(await figure('sums', 'p95').textContent()).toMatch(/^[\d.,]+ m?s$/);
    expect(await figure('sums', 'Memory').textContent()).toMatch(/^[\d.]+ MB$/);
    expect(await figure('sums', 'Restarts').textContent()).toBe('0');
    expect(await figure('sums', 'Loaded in').textContent()).toMatch(/ms|s$/);
    await show('Tools');
    await openTool(page, 'Crash');
    await run(page);
    await page.getByRole('region', { name: 'Result' }).getByText('PLUGIN_CRASHED').first().waitFor();
    await show('Plugins');
    await expect.poll(() => figure('sums', 'Restarts').textContent()).toBe('1');
    await expect.poll(() => figure('sums', 'Memory').textContent()).toBe('no process');
  });

  test('show what is wrong, with file and line and what to do', async () => {
    await card('broken').getByText('PLUGIN_SYNTAX_ERROR').waitFor();
    await card('broken')
      .getByText(/broken\.mjs:2/)
      .waitFor();
  });

  test('show what came of Reload, however long it takes', async () => {
    const { page } = open();
    await show('Plugins');
    await page.getByRole('button', { name: 'Reload changed plugins' }).click();
    await page.getByRole('status').getByText('failed: broken').waitFor();
    await page.getByText(/^1 of \d+ plugins has problems\.$/).waitFor();
  });

  test('a changed definition is shown line by line, and accepted once its hash is confirmed', async () => {
    const { page, workplace } = open();
    workplace.write('plugins/sums.mjs', sums('Adds numbers, and sends them to me.', ', key: { type: "string" }'));
    const reload = await holdAnswer(page, 'Reload');
    await page.getByRole('button', { name: 'Reload sums' }).click();
    const changed = card('sums');
    await changed.getByText('Its tools are not what was pinned: 3 changed', { exact: true }).waitFor();
    const difference = changed.getByRole('list', { name: 'Difference of sums.add' });
    await difference.getByText('"description": "Adds numbers.",').waitFor();
    const added = difference.locator('.diff-added');
    expect((await added.allTextContents()).join('\n')).toContain(
      '"description": "Adds numbers, and sends them to me."',
    );
    expect(await changed.getByText('failed', { exact: true }).count()).toBe(1);
    await changed.getByRole('button', { name: 'Accept …' }).click();
    const question = page.getByRole('dialog', { name: 'Accept the definition of sums?' });
    const hash = await question.locator('code').textContent();
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    await question.getByRole('button', { name: 'Not now' }).click();
    await changed.getByRole('button', { name: 'Accept …' }).click();
    await question.getByRole('button', { name: 'Accept this definition' }).click();
    await page.getByText(`Accepted: sums, definition ${hash}`).waitFor();
    await changed.getByText('loaded', { exact: true }).waitFor();
    expect(await changed.getByRole('button', { name: 'Accept …' }).count()).toBe(0);

    // Reload began before Accept and ends after it. The person still reads what came of Accept.
    expect(await page.getByRole('button', { name: 'Reload sums' }).isEnabled()).toBe(false);
    reload.release();
    await expect.poll(() => page.getByRole('button', { name: 'Reload sums' }).isEnabled()).toBe(true);
    expect(await page.getByText(`Accepted: sums, definition ${hash}`).isVisible()).toBe(true);
  });

  test('a changed definition is named on the start view, without its lines', async () => {
    const { page, workplace } = open();
    workplace.write('plugins/sums.mjs', sums('Adds numbers again.'));
    await page.getByRole('button', { name: 'Reload sums' }).click();
    await card('sums').getByRole('list', { name: 'Difference of sums.add' }).waitFor();
    await show('Tools');
    const broken = page.getByRole('region', { name: 'Plugins that do not load' });
    await broken.getByText('Its tools are not what was pinned: 3 changed', { exact: true }).waitFor();
    expect(await broken.getByRole('list').count()).toBe(0);
    await broken.getByRole('link', { name: 'See the plugins' }).click();
    await card('sums').getByRole('button', { name: 'Accept …' }).waitFor();
  });

  test('another key sees neither Reload nor Accept, nor the tool behind them', async () => {
    const { page, origin } = open();
    await page.evaluate(`sessionStorage.setItem('mortise.key', '${WRITER}')`);
    await page.goto(`${origin}/#/plugins`);
    await page.reload();
    await page.getByText('You see only a summary of the plugins.').waitFor();
    await page.getByText(/Open this page in a new tab and enter a key/).waitFor();
    expect(await page.getByRole('button', { name: /Reload|Accept/ }).count()).toBe(0);
    await page.goto(`${origin}/#/tools/builtin.operate`);
    await page.getByText('There is no tool builtin.operate.').waitFor();
  });

  test('reports no error', () => expect(open().complaints.filter((text) => !text.includes('401'))).toEqual([]));
});
