import { readFileSync } from 'node:fs';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, result, run } from './page.js';

describe.skipIf(noBrowser)('the history of calls', () => {
  const open = shared(async (finished) => {
    const opened = await openPage(finished);
    for (const [title, field, value] of [
      ['Temperature', 'city', 'London'],
      ['Echo', 'text', 'first'],
      ['Temperature', 'city', 'Atlantis'],
    ] as const) {
      await openTool(opened.page, title);
      await opened.page.getByRole('textbox', { name: new RegExp(`^${field}`) }).fill(value);
      await run(opened.page);
      await opened.page
        .getByRole('region', { name: 'Result' })
        .getByRole('heading', { name: /^(Done|Error)$/ })
        .waitFor();
    }
    return opened;
  });
  const show = async () => {
    await open().page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'History' }).click();
    await open().page.getByRole('heading', { name: 'History' }).waitFor();
  };
  const entries = () => open().page.getByRole('region', { name: 'History' }).getByRole('listitem');
  const entryWith = (text: string) => entries().filter({ hasText: text });

  test('lists the calls with their arguments, outcome and time, the latest first', async () => {
    await show();
    await expect.poll(() => entries().count()).toBe(3);
    const [latest] = await entries().allTextContents();
    expect(latest).toMatch(/weather_temperature.*error.*ms.*Atlantis/s);
    await entryWith('"London"').getByText('success').waitFor();
  });

  test('has the latest of them on the start view, which also says what is served', async () => {
    const { page } = open();
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Tools/ })
      .click();
    const last = page.getByRole('region', { name: 'Latest calls' }).getByRole('listitem');
    await expect.poll(() => last.count()).toBe(3);
    expect(await last.first().textContent()).toMatch(/weather_temperature.*error/s);
    const served = page.getByRole('region', { name: 'Available plugins' }).getByRole('listitem');
    await served.filter({ hasText: 'weather_temperature' }).getByRole('link', { name: 'weather' }).click();
    await page.getByRole('textbox', { name: /^city/ }).waitFor();
    await show();
  });

  test('filters them by tool, arguments and result', async () => {
    const filter = open().page.getByRole('searchbox', { name: 'Filter the calls' });
    await filter.fill('shapes_echo');
    await expect.poll(() => entries().count()).toBe(1);
    await filter.fill('"CITY":"London');
    await expect.poll(() => entries().count()).toBe(1);
    await filter.fill('nowhere');
    await open().page.getByText('No call matches.').waitFor();
    await filter.fill('');
    await expect.poll(() => entries().count()).toBe(3);
  });

  test('pins, names and removes them; what is kept stays when the others are cleared', async () => {
    const { page } = open();
    await entryWith('"London"').getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByRole('heading', { name: 'Saved and pinned' }).waitFor();
    await entryWith('"London"').getByRole('button', { name: 'Unpin' }).waitFor();
    await entryWith('first').getByRole('button', { name: 'Save as …' }).click();
    await page.getByRole('textbox', { name: 'Name of the call' }).fill('The first');
    await page.keyboard.press('Enter');
    await page.getByRole('listitem', { name: 'The first' }).waitFor();
    await page.getByRole('button', { name: 'Clear recent' }).click();
    await expect.poll(() => entries().count()).toBe(2);
    await entryWith('"London"').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => entries().count()).toBe(1);
  });

  test('keeps them over a reload, and fills in and runs one again', async () => {
    const { page } = open();
    await page.reload();
    const saved = page.getByRole('listitem', { name: 'The first' });
    await saved.getByRole('button', { name: 'Fill in' }).click();
    expect(await page.getByRole('textbox', { name: /^text/ }).inputValue()).toBe('first');
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0);
    await show();
    await saved.getByRole('button', { name: 'Run again' }).click();
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe('Echo: {"text":"first"}');
  });

  test('exports them as JSON, and imports them in another browser', async () => {
    const { page } = open();
    await show();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const file = await download.path();
    const { calls } = JSON.parse(readFileSync(file, 'utf8'));
    expect(calls.map(({ name, args }: { name?: string; args: object }) => [name, args])).toContainEqual([
      'The first',
      { text: 'first' },
    ]);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.getByText('There are no calls yet.').waitFor();
    await page.getByLabel('Import').setInputFiles(file);
    await page.getByText('2 calls were added.').waitFor();
    await page.getByRole('listitem', { name: 'The first' }).waitFor();
    const text =
      '{"calls":[{"id":"x","tool":"shapes_echo","at":1,"summary":"","args":{"text":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}}]}';
    await page
      .getByLabel('Import')
      .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await page.getByText('One call was added.').waitFor();
    expect(await page.evaluate("localStorage.getItem('mortise.history')")).not.toContain('ghp_0123');
    await page
      .getByLabel('Import')
      .setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: Buffer.from('[]') });
    await page.getByText('This file is not an export of calls.').waitFor();
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
