import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { ROOT } from '../support/workplace.js';
import { expect, openPage, openTool, result, run } from './page.js';

const HAS_FASTMCP = existsSync(join(ROOT, 'bench/node_modules/fastmcp'));
const mount = (name: string) => ({
  command: process.execPath,
  args: [join(ROOT, `test/mounted-servers/${name}.mjs`)],
});

describe.skipIf(noBrowser)('mounted servers on the page', () => {
  const open = shared((finished) => {
    const McpServers = { official: mount('official'), ...(HAS_FASTMCP && { fast: mount('fastmcp') }) };
    return openPage(finished, { Plugins: { Directory: 'plugins', McpServers, StartWaitMs: 60_000 } });
  });
  const list = () => open().page.getByRole('region', { name: 'All tools' });

  test('are groups of their own, beside the plugins', async () => {
    await list()
      .getByRole('heading', { name: /^mcp\.official/ })
      .waitFor();
    if (HAS_FASTMCP)
      await list()
        .getByRole('heading', { name: /^mcp\.fast/ })
        .waitFor();
  });

  test('official: a tool with numbers, badges and data that fits its output schema', async () => {
    const { page } = open();
    await openTool(page, 'mcp_official_add');
    await page.getByRole('region', { name: 'Tool', exact: true }).getByText('read-only', { exact: true }).waitFor();
    await page.getByRole('textbox', { name: /^a/ }).fill('0.1');
    await page.getByRole('textbox', { name: /^b/ }).fill('2');
    await run(page);
    const region = await result(page);
    await region.getByRole('tab', { name: 'Data' }).click();
    await region.getByText('The data matches the output schema.').waitFor();
    await region.getByRole('group', { name: 'Structured content' }).getByText('2.1').waitFor();
  });

  test('official: a question, log lines, an error, and a secret that is not shown', async () => {
    const { page } = open();
    await openTool(page, 'mcp_official_ask');
    await run(page);
    const question = page.getByRole('form', { name: 'Question of the tool' });
    await question.getByRole('textbox', { name: /^name/ }).fill('Ada');
    await question.getByRole('button', { name: 'Answer' }).click();
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe('Hello Ada');
    await openTool(page, 'mcp_official_log');
    await run(page);
    const region = await result(page);
    await region.getByRole('tab', { name: /^Log/ }).click();
    await region.getByText(/a line of the mounted server/).waitFor();
    await openTool(page, 'mcp_official_fail');
    await run(page);
    await (await result(page, 'Error')).getByText('The disk is full').first().waitFor();
    await openTool(page, 'mcp_official_secret');
    await run(page);
    expect(await (await result(page)).textContent()).not.toContain('hunter2');
  });

  test('official: a resource that is followed, one of a template, and a prompt', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/resources/${encodeURIComponent('note://today')}`);
    await page.getByLabel('note://today').getByText(/^rain/).waitFor();
    await page.goto(`${origin}/#/resources`);
    await page.getByRole('link', { name: /^day/ }).click();
    await page.getByRole('combobox', { name: 'day' }).fill('friday');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByLabel('note://day/friday').getByText('on friday').waitFor();
    await page.goto(`${origin}/#/prompts`);
    await page.getByRole('link', { name: /greet/ }).click();
    await page.getByRole('combobox', { name: /^name/ }).fill('Alan');
    await page.getByRole('button', { name: 'Get the messages' }).click();
    await page.getByRole('article', { name: 'Message of the user' }).getByText('Greet Alan').waitFor();
  });

  test.skipIf(!HAS_FASTMCP)('fastmcp: a tool with progress, a prompt and a resource', async () => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/tools`);
    await openTool(page, 'mcp_fast_echo');
    await page.getByRole('textbox', { name: /^text/ }).fill('from the page');
    await run(page);
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe('from the page');
    await page.goto(`${origin}/#/prompts`);
    await page.getByRole('link', { name: /hello/ }).click();
    await page.getByRole('button', { name: 'Get the messages' }).click();
    await page.getByRole('article', { name: 'Message of the user' }).getByText('Hello!').waitFor();
    await page.goto(`${origin}/#/resources`);
    await page.getByRole('link', { name: /^One/ }).click();
    await page.getByLabel('fast://one').getByText('one', { exact: true }).waitFor();
  });

  test('report no error', () => expect(open().complaints).toEqual([]));
});
