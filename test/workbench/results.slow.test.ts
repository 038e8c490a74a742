import { execFileSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { noBrowser } from '../support/browser.js';
import { shared } from '../support/clients.js';
import { BIN } from '../support/workplace.js';
import { expect, openPage, openTool, readClipboard, result, run } from './page.js';

describe.skipIf(noBrowser)('what a call brings', () => {
  const open = shared((finished) => openPage(finished));
  const call = async (title: string, state?: 'Error') => {
    await openTool(open().page, title);
    await run(open().page);
    return result(open().page, state);
  };

  test('log lines, while the call runs and after it', async () => {
    const { page } = open();
    await openTool(page, 'Log');
    await page.getByRole('radiogroup', { name: 'ask' }).getByRole('radio', { name: 'true' }).check();
    await run(page);
    const lines = page.getByRole('list', { name: 'Log lines of the call' }).getByRole('listitem');
    await lines.filter({ hasText: 'opening the file' }).getByText('debug').waitFor();
    await page.getByRole('form', { name: 'Question of the tool' }).getByRole('button', { name: 'Answer' }).click();
    const region = await result(page);
    await region.getByRole('tab', { name: /^Log \(\d\)/ }).click();
    await lines.filter({ hasText: 'the file is <b>old</b>' }).getByText('warning').first().waitFor();
  });

  test('audio that can be played, files that can be saved, and an image that cannot be shown', async () => {
    const { page } = open();
    const region = await call('Media');
    const audio = region.getByLabel('Audio of the result');
    await expect
      .poll(() => audio.evaluate((element) => (element as { duration?: number }).duration ?? 0))
      .toBeCloseTo(0.1);
    await region.getByText('results://report.bin').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      region.getByRole('link', { name: 'Save report.bin (4 B)' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('report.bin');
    await region.getByText('This image cannot be shown (image/png).').waitFor();
  });

  test('links that open the resource', async () => {
    const { page } = open();
    await page.getByRole('link', { name: 'A note' }).click();
    await page.getByRole('heading', { name: 'A note', level: 1 }).waitFor();
    await page.getByLabel('results://note').getByText('The note itself.').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Media', level: 1 }).waitFor();
  });

  test('an error with its category, its fixes, its documentation, a command, and the lock', async () => {
    const region = await call('Locked', 'Error');
    const card = region.getByRole('group', { name: 'Error' });
    for (const text of [
      'CONCURRENCY_CONFLICT',
      'Concurrency',
      'Wait for it, or stop it.',
      'Stop the process 4711',
      'kill 4711',
    ])
      await card.getByText(text).first().waitFor();
    const documentation = card.getByRole('link', { name: 'Documentation' });
    expect(await documentation.getAttribute('href')).toBe('https://example.invalid/locks');
    expect(await documentation.getAttribute('rel')).toContain('noopener');
    await region.getByLabel('Lock').getByText('/src/Shop/Shop.csproj').waitFor();
    await region.getByLabel('Lock').getByText('1500').waitFor();
  });

  test('diagnostics of each project in a table of their own, with file, line and severity', async () => {
    const region = await call('Broken build', 'Error');
    const rows = async (name: RegExp | string) =>
      region.getByRole('region', { name, exact: true }).getByRole('row').allTextContents();
    expect(await rows('Diagnostics Shop.csproj')).toEqual([
      'SeverityCodeMessageFile',
      'warningCS0168The variable is never usedCart.cs:7,9',
    ]);
    expect(await rows('Diagnostics Api.csproj')).toHaveLength(2);
    const failure = region.getByRole('region', { name: 'Test results' }).getByRole('group');
    expect(await failure.evaluate((element) => (element as { open?: boolean }).open)).toBe(true);
    await failure.getByText('at Shop.Tests.CartTests.Adds() in CartTests.cs:line 12').waitFor();
  });

  test('a test run as bars, and its coverage as numbers', async () => {
    const region = await call('Test run');
    const tests = region.getByRole('region', { name: 'Test results' });
    await tests.getByRole('img', { name: '9 passed, 0 failed, 1 skipped' }).waitFor();
    await tests.getByText('Shop.Tests: 6 passed, 0 failed, 1 skipped').waitFor();
    const coverage = tests.getByRole('region', { name: 'Coverage', exact: true });
    await coverage.getByText('90 % (81 of 90)').waitFor();
    await coverage.getByText('62.5 % (5 of 8)').first().waitFor();
    await coverage.getByRole('row', { name: 'src/Cart.cs 25 % (1 of 4) –' }).waitFor();
  });

  test('the name of a file with little coverage on a line of its own, where the screen is narrow', async () => {
    const { page } = open();
    await page.setViewportSize({ width: 360, height: 740 });
    const row = page.getByRole('row', { name: 'src/Cart.cs 25 % (1 of 4) –' });
    const [name, lines] = await Promise.all(
      [row.getByText('src/Cart.cs'), row.getByText('25 % (1 of 4)')].map((part) => part.boundingBox()),
    );
    expect(name!.height).toBeLessThan(30);
    expect(lines!.y).toBeGreaterThanOrEqual(name!.y + name!.height);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('data that breaks the output schema: the words of the server, and the place where they come unchecked', async () => {
    const { page } = open();
    const region = await call('Mismatch', 'Error');
    await region
      .getByRole('group', { name: 'Error' })
      .getByText(/\/rows\/1\/total must be integer/)
      .waitFor();
    await region.getByRole('tab', { name: 'Data' }).click();
    await region.getByRole('group', { name: 'Structured content' }).waitFor();
    expect(await region.getByText(/the output schema\.$/).count()).toBe(0);
    // As a server that does not check what its tools return.
    await page.route('**/mcp', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll('"total":7', '"total":"seven"') });
    });
    await call('Off schema');
    await page.unroute('**/mcp');
    await region.getByRole('tab', { name: 'Data' }).click();
    await region.getByText('The data does not match the output schema.').waitFor();
    const place = region.getByRole('group', { name: 'Structured content' }).locator('.tree-row', { hasText: 'total' });
    await place.getByText(/integer/).waitFor();
  });

  test('what each kind of host passes on, with its size in tokens', async () => {
    const { page } = open();
    await openTool(page, 'Temperature');
    await page.getByRole('textbox', { name: /^city/ }).fill('London');
    await run(page);
    const region = await result(page);
    await region.getByRole('tab', { name: 'As a model sees it' }).click();
    const seen: Record<string, string | null> = {};
    for (const name of ['All text', 'Data only', 'Text and data', 'First text only']) {
      const radio = region.getByRole('radio', { name: new RegExp(`^${name} ≈ \\d+ tokens`) });
      await radio.check();
      seen[name] = await region.getByLabel('What the model sees').textContent();
    }
    const { 'All text': text, 'Data only': data } = seen;
    expect(text).toContain('London');
    expect(JSON.parse(data!)).toMatchObject({ metadata: { city: 'London', temperature: 19 } });
    expect(seen).toMatchObject({ 'Text and data': `${text}\n${data}`, 'First text only': text });
  });

  test('the exchange, message by message, with times and sizes', async () => {
    const region = open().page.getByRole('region', { name: 'Result' });
    await region.getByRole('tab', { name: 'Exchange' }).click();
    const request = region.getByRole('region', { name: 'Request 1' });
    await request.getByText(/tools\/call, .*HTTP 200/).waitFor();
    await request.getByRole('button', { name: /sent tools\/call .*ms, .*B/ }).click();
    const sent = JSON.parse((await request.getByLabel('tools/call').textContent())!);
    expect(sent).toMatchObject({ jsonrpc: '2.0', method: 'tools/call', params: { arguments: { city: 'London' } } });
  });

  test('the same call as lines for a shell, which bring the same', async () => {
    const { page, origin, workplace } = open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await openTool(page, 'Echo');
    await page.getByRole('tab', { name: 'JSON' }).click();
    const args = { text: `it's $HOME "quoted"\n%`, count: 3, tags: ['a b', '*'], note: null };
    await page.getByRole('textbox', { name: 'Arguments as JSON' }).fill(JSON.stringify(args));
    await run(page);
    const region = await result(page);
    const copied = async (name: string) => {
      await region.getByRole('button', { name }).click();
      await region.getByRole('button', { name: 'Copied' }).waitFor();
      const text = await readClipboard(page);
      await region.getByRole('button', { name }).waitFor();
      return text;
    };
    const { structuredContent } = JSON.parse(await copied('Copy as JSON'));
    expect(structuredContent).toEqual(args);
    const inShell = (line: string) =>
      JSON.parse(execFileSync('sh', ['-c', line], { env: workplace.env, cwd: workplace.folder, encoding: 'utf8' }));
    expect(inShell(await copied('Copy as curl')).result.structuredContent).toEqual(args);
    const line = (await copied('Copy as mortise call')).replace(/^mortise /, `"${process.execPath}" "${BIN}" `);
    expect(inShell(`${line} --structured --config '${workplace.config}'`)).toEqual(args);
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});
