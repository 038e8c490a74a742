import { spawnSync } from 'node:child_process';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, stdioTransport } from '../support/clients.js';
import { logOf } from '../support/observe.js';
import { BIN, linkContract, makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';

const NO_CHECK = { sent() {}, received() {}, violations: [] };
/** Plugins and tools that are named as secrets are: what the server says of them is not taken for their value. */
const NAMES = ['password', 'token', 'api_key', 'client_secret'];
const workplace: Workplace = makeWorkplace(
  {
    'plugins/password.cjs': `
      const inputSchema = { type: 'object', properties: { how: { enum: ['ok', 'throw', 'crash', 'hang'] } }, required: ['how'] };
      module.exports.register = (api) => {
        for (const name of ${JSON.stringify(NAMES)}) api.registerTool({ name, description: 'Sets it', inputSchema, timeoutMs: 2000,
          async run({ how }, { logger }) {
            logger.info('called', { tool: name });
            if (how === 'throw') throw new Error('There is no such user');
            if (how === 'crash') process.exit(3);
            if (how === 'hang') await new Promise((resolve) => setTimeout(resolve, 60_000));
            return { changed: true };
          } });
      };`,
    'plugins/token.cjs': "throw new Error('the database is closed');",
    'plugins/secret.cjs': `module.exports.register = (api) =>
      api.registerTool({ name: 'a', description: 'd', inputSchema: { type: 'array' }, run: () => 'ok' });`,
  },
  { Plugins: { Directory: 'plugins' } },
);
linkContract(workplace);
afterAll(() => removeWorkplace(workplace));

let client: Client;
beforeAll(async () => {
  client = createClient('2025-11-25');
  await client.connect(stdioTransport(workplace, [], NO_CHECK));
});
afterAll(() => client.close());

const call = (name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args }).catch(({ message, data }) => ({ message, data }));

it.each(NAMES)('a tool named %s: results, errors and the log', async (name) => {
  const log = logOf(client);
  const outcomes = [
    await call(name, { how: 'ok' }),
    await call(name, { how: 'throw' }),
    await call(name, { how: 'x' }),
  ];
  outcomes.push(await call(name, {}), await call(`${name}s`, {}));
  expect(JSON.stringify(outcomes)).toContain('There is no such user');
  expect(JSON.stringify(outcomes)).not.toContain('REDACTED');
  expect(log()).not.toContain('REDACTED');
});

it('a tool named so that does not end, and one that crashes', async () => {
  const outcomes = [await call('password', { how: 'hang' }), await call('token', { how: 'crash' })];
  expect(JSON.stringify(outcomes)).toContain('PLUGIN_CRASHED');
  expect(JSON.stringify(outcomes)).not.toContain('REDACTED');
});

it('a plugin named so: what the server lists', async () => {
  const list = (action: string) => client.callTool({ name: 'builtin.plugins', arguments: { action } });
  const said = JSON.stringify([await list('List'), await list('Status'), await client.listTools()]);
  expect(said).toContain('the database is closed');
  expect(said).toContain('password (loaded)');
  expect(said).not.toContain('REDACTED');
});

it.each([['list'], ['validate'], ['doctor'], ['doctor', '--json']])('a plugin named so: mortise %s %s', (...args) => {
  const { stdout, stderr } = spawnSync(process.execPath, [BIN, ...args, '--config', workplace.config], {
    cwd: workplace.folder,
    env: workplace.env,
    encoding: 'utf8',
  });
  expect(stdout + stderr).toContain('secret');
  expect(stdout + stderr).not.toContain('REDACTED');
});
