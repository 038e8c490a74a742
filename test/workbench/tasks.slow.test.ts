import { join } from 'node:path';
import { describe, test } from 'vitest';
import { noBrowser, openBrowser } from '../support/browser.js';
import { shared, startHttp, stop } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';
import { expect, openPage, openTool, result, run } from './page.js';

/** Each tool waits until the test makes a file. */
const PLUGIN = `
import { existsSync } from 'node:fs';
const file = { type: 'object', properties: { file: { type: 'string' }, pin: { type: 'string', format: 'password' } }, required: ['file'] };
export function register(api) {
  const tool = (name, title, run) => api.registerTool({ name, title, description: 'd', inputSchema: file, run: async (args, context) => {
    context.progress.report({ done: 1, total: 4, message: 'begun' });
    while (!existsSync(args.file) && !context.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 20));
    return run(context);
  } });
  tool('slow', 'Wait', ({ signal }) => {
    if (signal.aborted) throw new Error('It was stopped');
    return 'It is done.';
  });
  tool('slow_ask', 'Slow question', async ({ input }) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { action, content } = await input.elicit('name', { message: 'Whose is it?', schema });
    return action + ' ' + content?.name;
  });
}`;

const SETTINGS = { Tasks: { AfterMs: 50 } };

/** docs/workbench.md */
describe.skipIf(noBrowser)('a long call on the page', () => {
  const open = shared((finished) =>
    openPage(finished, SETTINGS, ({ write }) => void write('plugins/slow.mjs', PLUGIN)),
  );
  const start = async (title: string, file: string) => {
    const { page, origin } = open();
    await page.goto(`${origin}/#/tools`);
    await openTool(page, title);
    await page.getByRole('textbox', { name: /^file/ }).fill(join(open().workplace.folder, file));
    await run(page);
    await page.getByRole('heading', { name: 'Running as a task' }).waitFor();
    await page.getByText('begun').waitFor();
  };
  const showTasks = () =>
    open()
      .page.getByRole('navigation', { name: 'Views' })
      .getByRole('link', { name: /^Tasks/ })
      .click();

  test('runs as a task, is left, and has its result when one comes back', async () => {
    const { page, workplace } = open();
    await start('Wait', 'first');
    await showTasks();
    const entry = page.getByRole('listitem', { name: 'slow', exact: true });
    await entry.getByText('Running as a task').waitFor();
    expect(await entry.getByRole('progressbar').evaluate((bar) => (bar as unknown as { value: number }).value)).toBe(
      0.25,
    );
    workplace.write('first', '');
    await entry.getByText('Done').waitFor();
    await entry.getByRole('button', { name: 'Open' }).click();
    await (await result(page)).getByText('It is done.').waitFor();
  });

  test('is found again after a reload of the page, without its secrets', async () => {
    const { page, workplace } = open();
    await start('Wait', 'second');
    await page.locator('input[type=password]').fill('hunter2-hunter2');
    await run(page);
    await expect.poll(() => page.evaluate("JSON.parse(sessionStorage.getItem('mortise.tasks')).length")).toBe(3);
    await page.reload();
    await page.getByRole('heading', { name: 'Running as a task' }).waitFor();
    expect(await page.evaluate("sessionStorage.getItem('mortise.tasks')")).not.toContain('hunter2');
    workplace.write('second', '');
    await (await result(page)).getByText('It is done.').waitFor();
    await page.reload();
    await (await result(page)).getByText('It is done.').waitFor();
    await showTasks();
    await page.getByRole('button', { name: 'Remove ended tasks' }).click();
    await page.getByText('There is no task.').waitFor();
  });

  test('asks in a form, also after a reload, and continues with the answer', async () => {
    const { page, workplace } = open();
    await start('Slow question', 'third');
    workplace.write('third', '');
    const question = page.getByRole('form', { name: 'Question of the tool' });
    await question.getByText('Whose is it?').waitFor();
    await page.reload();
    await showTasks();
    await page.getByRole('listitem', { name: 'slow_ask' }).getByRole('button', { name: 'Answer' }).click();
    await question.getByRole('textbox', { name: /^name/ }).fill('Ada');
    await question.getByRole('button', { name: 'Answer' }).click();
    await (await result(page)).getByText('accept Ada').waitFor();
  });

  test('goes on, with a message, if the server does not cancel it', async () => {
    const { page, workplace } = open();
    await start('Wait', 'goes-on');
    await page.route('**/mcp', async (route) => {
      const { id, method } = route.request().postDataJSON();
      if (method !== 'tasks/cancel') return route.fallback();
      const error = { code: -32603, message: 'The store cannot be reached.' };
      await route.fulfill({ json: { jsonrpc: '2.0', id, error } });
    });
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The task was not cancelled.').waitFor();
    await page.getByText('The store cannot be reached.').waitFor();
    await page.unroute('**/mcp');
    await page.getByRole('button', { name: 'Cancel', disabled: false }).waitFor();
    workplace.write('goes-on', '');
    await (await result(page)).getByText('It is done.').waitFor();
  });

  test('is cancelled', async () => {
    const { page } = open();
    await start('Wait', 'fourth');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await result(page, 'Cancelled');
    await showTasks();
    await page.getByRole('listitem', { name: 'slow', exact: true }).getByText('Cancelled').waitFor();
  });

  test('reports no error', () => expect(open().complaints).toEqual([]));
});

describe.skipIf(noBrowser)('a task of a server that is restarted', () => {
  const open = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/slow.mjs': PLUGIN }, SETTINGS, finished);
    const server = await startHttp(workplace, [], finished);
    const browser = await openBrowser();
    finished(() => browser.close());
    return { workplace, server, page: await browser.context.newPage() };
  });

  test('is reported as lost, and says that the call may have had an effect', async () => {
    const { page, server, workplace } = open();
    const { origin, port } = new URL(server.url);
    await page.goto(origin);
    await openTool(page, 'Wait');
    await page.getByRole('textbox', { name: /^file/ }).fill(join(workplace.folder, 'never'));
    await run(page);
    await page.getByRole('heading', { name: 'Running as a task' }).waitFor();
    server.process.kill('SIGKILL');
    await page.getByText('The server is not connected.').waitFor();
    await page.getByRole('heading', { name: 'Running as a task' }).waitFor();
    const second = await startHttp(workplace, ['--port', port]);
    await result(page, 'Failed');
    await page.getByText(/no longer has this task: .* may still have had an effect/).waitFor();
    await stop(second.process);
  });
});
