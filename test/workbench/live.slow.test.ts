import { join } from 'node:path';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, type OpenPage, openPage, openTool, reloadWithKey, result, run } from './page.js';

const KEY = 'a-long-access-key-for-the-operator-of-the-page';
const SCOPES = ['mortise:read', 'mortise:write', 'mortise:operate'];

/** The tool waits for a file; the resource is changed by a tool. */
const plugin = (version: string, tools = true) => `
import { existsSync } from 'node:fs';
let temperature = 20;
export function register(api) {
  api.registerResource({ uri: 'room://temperature', name: 'Temperature of the room', read: () => temperature + ' degrees' });
  api.registerTool({ name: 'warm', title: 'Warm', description: 'd', inputSchema: { type: 'object' }, run() {
    temperature += 1;
    api.resourceUpdated('room://temperature');
    return 'warmer';
  } });
  const inputSchema = { type: 'object', properties: { file: { type: 'string' } } };
  const run = async ({ file }) => {
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
    return 'by version ${version}';
  };
  if (${tools}) api.registerTool({ name: 'patient', title: 'Patient', description: 'Version ${version}', inputSchema, run });
}`;

/** A call of another client. */
async function call({ origin }: OpenPage, name: string, args: object = {}): Promise<void> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'another client', version: '1' },
  };
  const params = { name, arguments: args, _meta };
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  expect(response.status, await response.text()).toBe(200);
}

/** docs/workbench.md */
describe.skipIf(noBrowser)('what changes while the page is open', () => {
  const open = shared(async (finished) => {
    const settings = { Auth: { Keys: [{ Name: 'operator', Key: KEY, Scopes: SCOPES }] } };
    const opened = await openPage(finished, settings, ({ write }) => void write('plugins/room.mjs', plugin('one')));
    await reloadWithKey(opened, KEY);
    return opened;
  });
  const reload = async (source: string) => {
    open().workplace.write('plugins/room.mjs', source);
    await call(open(), 'builtin_operate', { action: 'Reload' });
  };
  const start = async (file: string) => {
    const { page, workplace } = open();
    await page
      .getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Tools/ })
      .click();
    await openTool(page, 'Patient');
    await page.getByRole('textbox', { name: /^file/ }).fill(join(workplace.folder, file));
    await run(page);
    await page.getByRole('heading', { name: 'Running' }).waitFor();
  };

  test('a followed resource shows its new content by itself', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/resources/${encodeURIComponent('room://temperature')}`);
    const content = page.getByLabel('room://temperature');
    await content.getByText('20 degrees').waitFor();
    await page.getByLabel('Follow changes').check();
    // The request that listens is renewed for it: a change before that is not announced.
    await expect
      .poll(async () => {
        await call(open(), 'warm');
        return content.textContent();
      })
      .not.toContain('20 degrees');
    const before = (await content.textContent())!;
    await call(open(), 'warm');
    await expect.poll(() => content.textContent()).not.toBe(before);
    await page.getByLabel('Follow changes').uncheck();
  });

  test('a call continues when its plugin is reloaded, and the page says on which code it ends', async () => {
    const { page, workplace } = open();
    await start('first');
    await reload(plugin('two'));
    await page.getByText('The definition of this tool has changed since the page was opened.').waitFor();
    await page.getByText('The running call continues with the old code.').waitFor();
    workplace.write('first', '');
    await (await result(page)).getByText('by version one').waitFor();
    await run(page);
    await (await result(page)).getByText('by version two').waitFor();
  });

  test('a call continues when its tool is gone, and its result is shown', async () => {
    const { page, workplace } = open();
    await start('second');
    await reload(plugin('three', false));
    await page.getByText('The tool patient was removed.').waitFor();
    await page.getByRole('heading', { name: 'Running' }).waitFor();
    workplace.write('second', '');
    await (await result(page)).getByText('by version two').waitFor();
  });

  test('reports no error', () => expect(open().complaints.filter((text) => !text.includes('401'))).toEqual([]));
});
