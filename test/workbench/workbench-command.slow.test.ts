import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, onTestFinished, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.js';
import { stop } from '../support/clients.js';
import { BIN, createWorkplace } from '../support/workplace.js';
import { expect } from './page.js';

const DEFAULT_ARGS = ['--no-open'];

/** The address that `mortise workbench` prints. */
async function startWorkbench(args = DEFAULT_ARGS, path?: string): Promise<string> {
  const { config, env, folder } = createWorkplace({ 'plugins/broken.mjs': 'export function register(api) {\n' });
  const child = spawn(process.execPath, [BIN, 'workbench', '--port', '0', '--config', config, ...args], {
    cwd: folder,
    env: path === undefined ? env : { ...env, PATH: path },
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
    await page.getByRole('button', { name: 'Reload changed plugins' }).click();
    await page.getByText(/Nothing has changed|failed: broken/).waitFor();
    await page.reload();
    await page.getByText('PLUGIN_SYNTAX_ERROR').waitFor();

    const other = await browser.context.newPage();
    await other.goto(address);
    await other.getByText(/belongs to another tab/).waitFor();
  });

  test.skipIf(process.platform !== 'linux')('opens the browser with that address, and not with --no-open', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-opener-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const opened = join(folder, 'opened');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" >> ${opened}\n`, { mode: 0o755 });
    const path = `${folder}:${process.env.PATH}`;
    await startWorkbench(DEFAULT_ARGS, path);
    const address = await startWorkbench([], path);
    await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe(`${address}\n`);
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
