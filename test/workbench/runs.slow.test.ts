import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { expect, openPage, openTool, readClipboard, result, run } from './page.js';

describe.skipIf(noBrowser)('a call on the page', () => {
  const open = shared((finished) => openPage(finished));

  test('shows its progress, and can be cancelled', async () => {
    const { page } = open();
    await openTool(page, 'Count down');
    await page.getByRole('textbox', { name: /^from/ }).fill('100');
    await run(page);
    await page.getByText(/^\d+ to go$/).waitFor();
    await page.getByRole('progressbar', { name: 'Progress of the call' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await result(page, 'Cancelled');
  });

  test('asks what the tool asks, in a form, and continues with the answer', async () => {
    const { page } = open();
    await openTool(page, 'Ask');
    await page.getByRole('textbox', { name: /^topic/ }).fill('lunch');
    await run(page);
    const question = page.getByRole('form', { name: 'Question of the tool' });
    await question.getByText('What about lunch?').waitFor();
    expect(await question.getByRole('textbox', { name: /^when/ }).inputValue()).toBe('noon');
    await question.getByRole('button', { name: 'Answer' }).click();
    await question.getByText('This value is required.').waitFor();
    await question.getByRole('combobox', { name: /^answer/ }).selectOption('yes');
    await question.getByRole('button', { name: 'Answer' }).click();
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe(
      'accept: {"when":"noon","answer":"yes"}',
    );
  });

  test('declines a question', async () => {
    const { page } = open();
    await run(page);
    await page.getByRole('button', { name: 'Decline' }).click();
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe('decline: {}');
  });

  test('shows the address of a page before it is opened', async () => {
    const { page } = open();
    await openTool(page, 'Visit');
    await run(page);
    await page.getByText('https://example.invalid/sign-in').waitFor();
    const link = page.getByRole('link', { name: 'Open the page' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    await page.getByRole('button', { name: 'Decline' }).click();
    expect(await (await result(page)).getByLabel('Text', { exact: true }).textContent()).toBe('decline');
  });
});

describe.skipIf(noBrowser)('a result on the page', () => {
  const open = shared((finished) => openPage(finished));

  test('shows text, images, resources and links, and never HTML', async () => {
    const { page, complaints } = open();
    await openTool(page, 'Blocks');
    await run(page);
    const region = await result(page);
    await region.getByText('<b>not bold</b> <script>alert(1)</script>').waitFor();
    const image = region.getByRole('img', { name: /image\/png/ });
    await expect
      .poll(() => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(10);
    await region.getByText('An embedded note.').waitFor();
    await region.getByRole('link', { name: 'Plugins' }).click();
    await page.getByRole('heading', { name: 'Plugins', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('shows an error with what to do, and fills in the recommended action', async () => {
    const { page } = open();
    await page.getByRole('link', { name: /^Tools/ }).click();
    await openTool(page, 'Broken build');
    await run(page);
    const card = (await result(page, 'Error')).getByRole('group', { name: 'Error' });
    await card.getByText('CS0103').waitFor();
    await card.getByText('Declare it, or correct the name.').waitFor();
    await card.getByText('Declare the variable x').waitFor();
    await page.getByRole('region', { name: 'Diagnostics Shop.csproj' }).getByText('Cart.cs:7,9').waitFor();
    await page.getByRole('img', { name: '5 passed, 1 failed, 2 skipped' }).waitFor();
    await page.getByText('Expected 2, but got 3').waitFor();
    await card.getByRole('button', { name: 'Fill in: echo the name' }).click();
    await page.getByRole('heading', { name: 'Echo', level: 1 }).waitFor();
    expect(await page.getByRole('textbox', { name: /^text/ }).inputValue()).toBe('from the error');
  });

  test('shows what a model sees, and the messages with their times', async () => {
    const { page } = open();
    await run(page);
    const region = await result(page);
    await region.getByRole('tab', { name: 'As a model sees it' }).click();
    await region.getByRole('radio', { name: /Data only/ }).check();
    expect(await region.getByLabel('What the model sees').textContent()).toBe('{"text":"from the error"}');
    await region.getByRole('tab', { name: 'Exchange' }).click();
    await region.getByRole('button', { name: /received/ }).click();
    await region.getByText('"jsonrpc": "2.0"').waitFor();
  });

  test('copies the call as a line for a shell and as curl', async () => {
    const { page, origin } = open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    const copied = async (name: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const text = await readClipboard(page);
      await page.getByRole('button', { name }).waitFor();
      return text;
    };
    expect(await copied('Copy as mortise call')).toBe("mortise call shapes_echo --arg 'text=from the error'");
    expect(await copied('Copy as curl')).toContain('mcp-name: shapes_echo');
    expect(JSON.parse(await copied('Copy as JSON')).structuredContent).toEqual({ text: 'from the error' });
  });

  test('shows data as a tree, with the verdict of the output schema', async () => {
    const { page } = open();
    await openTool(page, 'Off schema');
    await run(page);
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByText('The data matches the output schema.').waitFor();
    await page.getByRole('group', { name: 'Structured content' }).getByText('total').waitFor();
  });

  test('comes into view where the form takes all of the screen', async () => {
    const { page, origin } = open();
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 360, height: 600 });
    await page.goto(`${origin}/#/tools/countdown`);
    await page.getByRole('textbox', { name: /^from/ }).fill('1');
    await run(page);
    const region = await result(page);
    await expect.poll(async () => (await region.boundingBox())!.y).toBeLessThan(600 * 0.6);
    await page.setViewportSize(size);
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
