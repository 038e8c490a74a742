import { describe, test } from 'vitest';
import { CLIENTS } from '../../packages/server/src/cli/shared/client-entries.js';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, readClipboard } from './page.js';

const LAUNCH = { command: 'npx', args: ['-y', 'mortise', 'serve', '--config', '/path/to/appsettings.json'] };

/** docs/workbench.md */
describe.skipIf(noBrowser)('Connect on the page', () => {
  const open = shared((finished) => openPage(finished));
  const entries = () =>
    open()
      .page.getByLabel(/^Entry for /)
      .allTextContents();

  test('has an entry over HTTP for each client, with this address', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/connect`);
    await page.getByRole('tab', { name: 'Over HTTP', selected: true }).waitFor();
    const titles = await page.getByRole('article').getByRole('heading').allTextContents();
    expect(titles).toEqual(Object.values(CLIENTS).map(({ title }) => title));
    const shown = await entries();
    expect(shown.length).toBe(titles.length - 1);
    for (const entry of shown) expect(entry).toContain(`${origin}/mcp`);
    await page.getByRole('article', { name: 'Claude Desktop' }).getByText('over stdio only').waitFor();
  });

  test('has the entries that mortise init prints, over stdio', async () => {
    const { page, origin } = open();
    await page.getByRole('tab', { name: 'Over stdio' }).click();
    await page.getByText('mortise init').waitFor();
    const shown = await entries();
    for (const [name, { entry }] of Object.entries(CLIENTS)) expect(shown, name).toContain(entry(LAUNCH));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('article', { name: 'Codex' }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await readClipboard(page)).toBe(CLIENTS.codex.entry(LAUNCH));
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
