import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, result, run, sentArguments } from './page.js';

const PLUGIN = `
export function register(api) {
  const text = { type: 'string' };
  api.registerTool({
    name: 'shelf', title: 'Shelf', description: 'Books.',
    inputSchema: {
      type: 'object',
      properties: { action: { type: 'string', enum: ['Add', 'Remove', 'List'] }, title: text, author: text, id: text, note: text },
      required: ['action'],
    },
    actions: {
      Add: { required: ['title'], optional: ['author', 'note'] },
      Remove: { required: ['id'], optional: ['note'] },
      List: {},
    },
    run: (args) => JSON.stringify(args),
  });
}`;

/** docs/spec/plugin-api.md#tool-actions */
describe.skipIf(noBrowser)('a tool with actions on the page', () => {
  const open = shared((finished) =>
    openPage(finished, { Dotnet: { Enabled: true } }, ({ write }) => void write('plugins/shelf.mjs', PLUGIN)),
  );
  /** The names of the parameters that are not folded away, in their order. */
  const shown = () =>
    open()
      .page.getByRole('tabpanel', { name: 'Form' })
      .locator('.form-and-json > .fields > .fields > .field > .field-head .field-label')
      .allTextContents();
  const choose = (action: string) =>
    open()
      .page.getByRole('combobox', { name: /^action/ })
      .selectOption(action);

  test('shows what the chosen action takes, what it needs first', async () => {
    const { page } = open();
    await openTool(page, 'Shelf');
    expect(await shown()).toEqual(['action']);
    await page.getByText('Parameters of the actions (4)').waitFor();
    await choose('Add');
    expect(await shown()).toEqual(['action', 'title', 'author', 'note']);
    await page.getByText('Parameters of other actions (1)').waitFor();
    await choose('Remove');
    expect(await shown()).toEqual(['action', 'id', 'note']);
    await choose('List');
    expect(await shown()).toEqual(['action']);
  });

  test('says what the action needs, and keeps in sight what was entered', async () => {
    const { page } = open();
    await choose('Add');
    await run(page);
    await page.getByText('One value is invalid.').waitFor();
    await page.getByRole('textbox', { name: /^title/ }).fill('Emma');
    await run(page);
    await result(page);
    expect(await sentArguments(page)).toBe('{"action":"Add","title":"Emma"}');
    await choose('Remove');
    expect(await shown()).toEqual(['action', 'id', 'note', 'title']);
  });

  test('the .NET tools say it too', async () => {
    const { page } = open();
    await openTool(page, '.NET Project');
    await choose('Stop');
    expect(await shown()).toEqual(['action', 'sessionId', 'workingDirectory', 'timeoutSeconds']);
    await choose('SetProperty');
    expect((await shown()).slice(0, 3)).toEqual(['action', 'project', 'propertyName']);
    await choose('Build');
    const build = await shown();
    expect(build).toContain('configuration');
    expect(build).not.toContain('sessionId');
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
