import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { connect } from '../support/clients.js';
import { pluginsOf } from '../support/observe.js';
import { BIN, createWorkplace } from '../support/workplace.js';

const run = promisify(execFile);

const PLUGIN = `
export function register(api) {
  api.registerTool({ name: 'add', description: 'Adds.', inputSchema: { type: 'object' }, run: () => 'ok' });
  api.registerTool({
    name: 'mul',
    description: 'Multiplies.\\u{e0049}\\u{e0067}\\u200b',
    inputSchema: { type: 'object' },
    run: () => 'ok',
  });
}`;

it('a tool with hidden text is left out with OnChange refuse, until a user has seen and accepted it', async () => {
  const workplace = createWorkplace({ 'plugins/sums.mjs': PLUGIN }, { Plugins: { OnChange: 'refuse' } });
  const mortise = async (...args: string[]) => {
    const { stdout } = await run(process.execPath, [BIN, ...args, '--config', workplace.config], {
      env: workplace.env,
    });
    return stdout;
  };
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).not.toContain('mul');
  expect(await names()).toContain('add');
  const problems = (await pluginsOf(client)).flatMap((plugin) => plugin.problems);
  expect(problems.map(({ code }) => code)).toContain('HIDDEN_TEXT_REFUSED');

  const listed = await mortise('list');
  expect(listed).toContain('Multiplies.\\u{e0049}\\u{e0067}\\u{200b}');
  expect(listed).not.toContain('\u200b');
  expect(await mortise('trust', 'sums')).toContain('Multiplies.\\u{e0049}\\u{e0067}\\u{200b}');
  await expect.poll(names, { timeout: 30_000 }).toContain('mul');
  expect(await mortise('list')).toContain('Multiplies.\\udb40\\udc49\\udb40\\udc67\\u200b');
});
