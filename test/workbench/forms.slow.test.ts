import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, readClipboard, result, run, sentArguments } from './page.js';

describe.skipIf(noBrowser)('the form of a tool', () => {
  const open = shared((finished) => openPage(finished));

  test('sends each value as it is entered, and nothing that is not', async () => {
    const { page } = open();
    await openTool(page, 'Echo');
    await page.getByRole('textbox', { name: /^text/ }).fill('two\nlines');
    await page.getByRole('textbox', { name: /^count/ }).fill('9007199254740993');
    await page.getByRole('textbox', { name: /^ratio/ }).fill('0.25');
    await page.getByRole('radiogroup', { name: 'loud' }).getByRole('radio', { name: 'false' }).check();
    await page.getByRole('combobox', { name: /^colour/ }).selectOption({ label: 'Green (g)' });
    await page.getByRole('button', { name: 'Send null: note' }).click();
    await run(page);
    await result(page);
    expect(await sentArguments(page)).toEqual(
      '{"text":"two\\nlines","count":9007199254740993,"ratio":0.25,"loud":false,"colour":"g","note":null}',
    );
  });

  test('adds, moves and removes items, members and nested objects', async () => {
    const { page } = open();
    await openTool(page, 'Echo');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('textbox', { name: /^text/ }).fill('x');
    await page.getByRole('button', { name: 'Add tags' }).click();
    for (const [index, tag] of ['one', 'two', 'three'].entries()) {
      await page.getByRole('button', { name: 'Add an item to tags' }).click();
      await page.getByRole('textbox', { name: `Item ${index + 1}` }).fill(tag);
    }
    await page.getByRole('button', { name: 'Move Item 3 of tags up' }).click();
    await page.getByRole('button', { name: 'Remove Item 1 of tags' }).click();
    await page.getByRole('button', { name: 'Add owner' }).click();
    await page.getByRole('group', { name: 'owner' }).getByRole('textbox', { name: /^name/ }).fill('Ada');
    await page.getByRole('button', { name: 'Add labels' }).click();
    await page.getByRole('textbox', { name: 'Name of a new member of labels' }).fill('env');
    await page.getByRole('button', { name: 'Add a member' }).click();
    await page.getByRole('textbox', { name: 'env', exact: true }).fill('test');
    await page.getByRole('button', { name: 'Add target' }).click();
    await page.getByRole('combobox', { name: 'Kind of target' }).selectOption('By path');
    await page.getByRole('textbox', { name: /^path/ }).fill('/a');
    await run(page);
    await result(page);
    expect(await sentArguments(page)).toBe(
      '{"text":"x","tags":["three","two"],"owner":{"name":"Ada"},"labels":{"env":"test"},"target":{"path":"/a"}}',
    );
  });

  test('offers a choice at the root', async () => {
    const { page } = open();
    await openTool(page, 'Either');
    await page.getByRole('combobox', { name: 'Kind of Arguments' }).selectOption('A position');
    await page.getByRole('textbox', { name: /^lat/ }).fill('52.5');
    await page.getByRole('textbox', { name: /^lon/ }).fill('-13.25');
    await run(page);
    await result(page);
    expect(await sentArguments(page)).toBe('{"lat":52.5,"lon":-13.25}');
  });

  test('reports what is missing next to the field, and calls nothing', async () => {
    const { page } = open();
    await openTool(page, 'Convert units');
    await page.getByRole('textbox', { name: /^value/ }).fill('ten');
    await run(page);
    await page.getByText('3 values are invalid.').waitFor();
    await page.getByText('This must be a number.', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Result' }).count()).toBe(0);
  });

  test('shows the words of the server next to the field', async () => {
    const { page } = open();
    await page.getByRole('button', { name: 'Run anyway' }).click();
    await result(page, 'Error');
    await page
      .getByText(/^The server: .*value/)
      .first()
      .waitFor();
  });

  test('keeps the JSON editor in step, both ways', async () => {
    const { page } = open();
    await openTool(page, 'Temperature');
    await page.getByRole('textbox', { name: /^city/ }).fill('Oslo');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const editor = page.getByRole('textbox', { name: 'Arguments as JSON' });
    expect(JSON.parse(await editor.inputValue())).toEqual({ city: 'Oslo' });
    await editor.fill('{"city": "Tokyo", }');
    await page.getByText(/line 1, column 19/).waitFor();
    await editor.fill('{"city": "Tokyo"}');
    await page.getByRole('tab', { name: 'Form' }).click();
    expect(await page.getByRole('textbox', { name: /^city/ }).inputValue()).toBe('Tokyo');
  });

  test('opens a link with its arguments, without secrets, and runs nothing', async () => {
    const { page, origin } = open();
    await openTool(page, 'Echo');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('textbox', { name: /^text/ }).fill('shared');
    await page.getByLabel('password', { exact: false }).and(page.locator('input')).fill('hunter2-hunter2');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await readClipboard(page);
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByText('These arguments come from a link.').waitFor();
    expect(await other.getByRole('textbox', { name: /^text/ }).inputValue()).toBe('shared');
    expect(await other.locator('input[type=password]').inputValue()).toBe('');
    expect(await other.getByRole('region', { name: 'Result' }).count()).toBe(0);
    expect(other.url()).not.toContain(link.split('/').at(-1));
    await other.close();
  });

  test('names what some hosts reject in a schema', async () => {
    const { page } = open();
    await openTool(page, 'Either');
    await page.getByRole('tab', { name: /^Schema/ }).click();
    await page.getByText('The root has anyOf, oneOf or allOf: some model APIs reject the tool.').waitFor();
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
