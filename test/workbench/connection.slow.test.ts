import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, onTestFinished, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.js';
import { shared, startHttp, stop } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { expect, openPage, openTool, run } from './page.js';

const KEY = 'a-long-access-key-for-the-tests-of-the-page';

describe.skipIf(noBrowser)('the connection of the page', () => {
  test('ends and comes back with the server; what was entered stays', async () => {
    const workplace = createWorkplace({ 'plugins/hi.mjs': SLOW });
    const first = await startHttp(workplace);
    const { origin, port } = new URL(first.url);
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(origin);
    await openTool(page, 'wait');
    await page.getByRole('textbox', { name: /^name/ }).fill('Ada');
    await run(page);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    first.process.kill('SIGKILL');
    await page.getByText('There is no response.').waitFor();
    await page.getByText('The server is not connected.').waitFor();
    const second = await startHttp(workplace, ['--port', port]);
    expect(new URL(second.url).port).toBe(port);
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: /^name/ }).inputValue()).toBe('Ada');
    await stop(second.process);
  });

  test('survives a reload in the middle of a call', async () => {
    const { page } = await openPage(onTestFinished);
    await openTool(page, 'Count down');
    await page.getByRole('textbox', { name: /^from/ }).fill('100');
    await run(page);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Count down', level: 1 }).waitFor();
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0);
  });

  test('asks for a key where the server needs one, and says that a wrong one is wrong', async () => {
    const { page } = await openPage(onTestFinished, { Auth: { Keys: [{ Name: 'me', Key: KEY }] } });
    await page.getByRole('heading', { name: 'Access key' }).waitFor();
    await page.getByLabel('Key', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('The access key is missing or not valid. Enter a key that the server has').waitFor();
    expect(await page.getByText('Authorization: Bearer').count()).toBe(0);
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.getByRole('button', { name: 'Connect' }).click();
    await openTool(page, 'Temperature');
    await page.reload();
    await page.getByRole('heading', { name: 'Temperature', level: 1 }).waitFor();
    expect(await page.evaluate("localStorage.getItem('mortise.key')")).toBeNull();
  });

  test('asks for a key again when the one it has is not valid any more; what was entered stays', async () => {
    const settings = (Key: string) => ({ Auth: { Keys: [{ Name: 'me', Key }] } });
    const workplace = createWorkplace({ 'plugins/hi.mjs': SLOW }, settings(KEY));
    const { url, process: server } = await startHttp(workplace);
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(new URL(url).origin);
    const enter = async (key: string) => {
      await page.getByRole('heading', { name: 'Access key' }).waitFor();
      await page.getByLabel('Key', { exact: true }).fill(key);
      await page.getByRole('button', { name: 'Connect' }).click();
    };
    await enter(KEY);
    await openTool(page, 'wait');
    await page.getByRole('textbox', { name: /^name/ }).fill('Ada');
    const next = `${KEY}-of-tomorrow`;
    workplace.write('appsettings.json', readFileSync(workplace.config, 'utf8').replace(KEY, next));
    server.kill('SIGHUP');
    await enter(next);
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await page.getByRole('textbox', { name: /^name/ }).inputValue()).toBe('Ada');
  });

  test('stays when the server refuses a further stream; the lists are still read, and the page asks again', async () => {
    const Auth = { Keys: [{ Name: 'me', Key: KEY, Limits: { Streams: 1 } }] };
    const workplace = createWorkplace({ 'plugins/hi.mjs': SLOW }, { Auth });
    const { url, process: server } = await startHttp(workplace);
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const open = async () => {
      const page = await browser.context.newPage();
      await page.goto(new URL(url).origin);
      await page.getByLabel('Key', { exact: true }).fill(KEY);
      await page.getByRole('button', { name: 'Connect' }).click();
      await page.getByText('Connected', { exact: true }).waitFor();
      await page.getByRole('link', { name: /^wait/ }).waitFor();
      return page;
    };
    const first = await open();
    const second = await open();
    const notice = second.getByText('The server does not announce its changes to this page.');
    await notice.waitFor();
    expect(await first.getByText('The server does not announce its changes to this page.').count()).toBe(0);
    workplace.write('plugins/hi.mjs', SLOW.replace("name: 'wait', title: 'wait'", "name: 'later', title: 'later'"));
    server.kill('SIGHUP');
    await second.getByRole('link', { name: /^later/ }).waitFor();
    expect(await notice.isVisible()).toBe(true);
    expect(await second.getByRole('heading', { name: 'Access key' }).count()).toBe(0);
    await first.close();
    await notice.waitFor({ state: 'detached' });
    await second.getByText('Connected', { exact: true }).waitFor();
  });

  test('takes no access key from an address, and asks for one when the token in it cannot be read', async () => {
    const { page, origin } = await openPage(onTestFinished, { Auth: { Keys: [{ Name: 'me', Key: KEY }] } });
    for (const token of [KEY, '%', 'a%0d%0ab']) {
      await page.goto('about:blank');
      await page.goto(`${origin}/#token=${token}`);
      await page.getByRole('heading', { name: 'Access key' }).waitFor();
      expect(page.url()).toBe(`${origin}/`);
      expect(await page.evaluate("sessionStorage.getItem('mortise.key')")).toBeNull();
    }
    await page.getByLabel('Key', { exact: true }).fill('ключ');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText(/An access key has only ASCII letters/).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('mortise.key')")).toBeNull();
  });

  test('is not reachable through its window from a page of another origin that opens it', async () => {
    const { page, origin } = await openPage(onTestFinished);
    const other = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end('<title>Other</title>'),
    );
    onTestFinished(() => void other.close());
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(`void (globalThis.opened = open(${JSON.stringify(origin)}))`),
    ]);
    await opened.getByText('Connected', { exact: true }).waitFor();
    expect(await page.evaluate('opened.closed')).toBe(true);
    expect(await opened.evaluate('opener')).toBeNull();
  });
});

const SLOW = `
export function register(api) {
  api.registerTool({ name: 'wait', title: 'wait', description: 'Waits.', inputSchema: { type: 'object', properties: { name: { type: 'string' } } }, run: () => new Promise(() => {}) });
}`;

/** docs/spec/protocol.md#page */
describe('the files of the page', () => {
  const open = shared(
    async (finished) => new URL((await startHttp(createWorkplace({}, {}, finished), [], finished)).url),
  );

  test('have a policy without inline scripts, and assets that are cached by their hash', async () => {
    const response = await fetch(open().origin);
    const html = await response.text();
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
    for (const [, path] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const asset = await fetch(new URL(path!, open()));
      expect(asset.status).toBe(200);
      expect(asset.headers.get('cache-control')).toContain('immutable');
    }
  });

  test('say that the server has no keys until one is configured', async () => {
    const workplace = createWorkplace();
    const { url, process: server } = await startHttp(workplace);
    const html = async () => (await fetch(new URL(url).origin)).text();
    expect(await html()).toContain('<html data-keys="none" ');
    const settings = JSON.parse(readFileSync(workplace.config, 'utf8'));
    workplace.write('appsettings.json', JSON.stringify({ ...settings, Auth: { Keys: [{ Name: 'me', Key: KEY }] } }));
    server.kill('SIGHUP');
    await expect.poll(html).not.toContain('data-keys');
  });

  test('have at most 120 KB of script at the first load, gzipped', async () => {
    const html = await (await fetch(open().origin)).text();
    const scripts = [...html.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)];
    const sizes = await Promise.all(
      scripts.map(async ([, path]) => gzipSync(await (await fetch(new URL(path!, open()))).text()).length),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120 * 1024);
  });

  test.each([
    '/assets/../package.json',
    '/assets/%2e%2e/index.html',
    '/../settings.schema.json',
    '/index.html',
    '//etc/passwd',
    '/assets/',
  ])('are all that is served: %s is 404', async (path) => {
    // fetch() would normalise the path.
    const status = await new Promise((resolve) =>
      get({ host: open().hostname, port: open().port, path }, (res) => resolve(res.resume().statusCode)),
    );
    expect(status).toBe(404);
  });

  test('are not served to a page of another host', async () => {
    const status = await new Promise((resolve) =>
      get({ host: open().hostname, port: open().port, path: '/', headers: { host: 'evil.example' } }, (res) =>
        resolve(res.resume().statusCode),
      ),
    );
    expect(status).toBe(403);
  });
});
