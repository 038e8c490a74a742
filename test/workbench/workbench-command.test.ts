import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, onTestFinished, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.js';
import { stop } from '../support/clients.js';
import { BIN, createWorkplace } from '../support/workplace.js';
import { expect } from './page.js';

/** The address that `mortise workbench` prints. */
async function startWorkbench(...args: string[]): Promise<string> {
  const { config, env, folder } = createWorkplace({ 'plugins/broken.mjs': 'export function register(api) {\n' });
  const child = spawn(process.execPath, [BIN, 'workbench', '--no-open', '--port', '0', '--config', config, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => stop(child));
  return new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
}

/** docs/spec/access.md#page-key */
describe('mortise workbench', () => {
  test.skipIf(noBrowser)('prints an address whose token has the rights of an operator in one tab', async () => {
    const address = await startWorkbench();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=mortise-page-[\w-]{32}$/);
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(address);
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(page.url()).not.toContain('token');
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Plugins/ })
      .click();
    await page.getByText('PLUGIN_SYNTAX_ERROR').waitFor();
    await page.getByRole('button', { name: 'Reload what changed' }).click();
    await page.getByText(/Nothing has changed|failed: broken/).waitFor();
    await page.reload();
    await page.getByText('PLUGIN_SYNTAX_ERROR').waitFor();

    const other = await browser.context.newPage();
    await other.goto(address);
    await other.getByText(/belongs to another tab/).waitFor();
  });

  test('refuses a token that is wrong, and one without a secret of a tab', async () => {
    const address = new URL(await startWorkbench());
    const token = address.hash.slice('#token='.length);
    for (const key of [token, 'mortise-page-wrong.secret', `${token}x.secret`]) {
      const response = await fetch(new URL('/mcp', address), {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      });
      expect(response.status, key).toBe(401);
    }
  });
});
