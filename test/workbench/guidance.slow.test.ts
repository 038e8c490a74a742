import { describe, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.js';
import { shared, startHttp } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { expect, openPage, openTool, result, run } from './page.js';

const NOTES = `export function register(api) {
  const properties = {
    title: { type: 'string', description: 'A short title', examples: ['Shopping', 'Travel'] },
    size: { type: 'integer', examples: [3], default: 1 },
  };
  api.registerTool({
    name: 'notes.add',
    title: 'Add a note',
    description: 'Keeps a note.',
    inputSchema: { type: 'object', properties, required: ['title'], additionalProperties: false },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
    run: ({ title, size }) => ({ content: title + ' ' + size }),
  });
}`;

describe.skipIf(noBrowser)('what the page says of a tool', () => {
  const open = shared((finished) => openPage(finished, {}, ({ write }) => void write('plugins/notes.mjs', NOTES)));

  test('whether it changes, deletes, repeats and reaches out, its plugin and the size of its definition', async () => {
    const { page } = open();
    await openTool(page, 'Add a note');
    const tool = page.getByRole('region', { name: 'Tool', exact: true });
    for (const badge of ['destructive', 'idempotent', 'open world', 'notes']) {
      await tool.getByText(badge, { exact: true }).waitFor();
    }
    expect(await tool.getByText('read-only').count()).toBe(0);
    await tool.getByText(/^≈ \d+ tokens$/).waitFor();
  });

  test('the description and the examples beside each field, which fill it in', async () => {
    const { page } = open();
    const field = page.getByRole('textbox', { name: /^title/ });
    expect(await field.getAttribute('aria-describedby')).not.toBeNull();
    await page.getByText('A short title').waitFor();
    await page.getByRole('button', { name: 'Travel' }).click();
    expect(await field.inputValue()).toBe('Travel');
    await page.getByRole('button', { name: '3', exact: true }).click();
    await run(page);
    await (await result(page)).getByText('Travel 3').first().waitFor();
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});

describe.skipIf(noBrowser)('a server without plugins', () => {
  test('says how to make one', async () => {
    const { url } = await startHttp(createWorkplace({}, { Dotnet: { Enabled: false } }));
    const browser = await openBrowser();
    try {
      const page = await browser.context.newPage();
      await page.goto(new URL(url).origin);
      await page.getByText('There are no tools yet.').waitFor();
      await page.getByText('mortise new hello').waitFor();
    } finally {
      await browser.close();
    }
  });
});
