import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared, startHttp } from '../support/clients.js';
import { waitFor } from '../support/wait-for.js';
import { createWorkplace } from '../support/workplace.js';
import { ask, type Reply } from './three-keys.js';

const plugin = (description: string) => `
export const register = (api) => {
  const tool = (name, run) => api.registerTool({ name, title: 'T', description: '${description}', inputSchema: { type: 'object' }, run });
  tool('add', () => 'added');
  tool('fails', () => { throw new Error('no'); });
  tool('ends', () => process.exit(3));
};`;

const OPERATOR = 'o'.repeat(32);
const READER = 'r'.repeat(32);
const settings = {
  Plugins: { Directory: 'plugins', OnChange: 'refuse' },
  Dotnet: { Enabled: false },
  Audit: { File: 'audit.jsonl' },
  Auth: {
    Keys: [
      { Name: 'operator', Key: OPERATOR, Scopes: ['mortise:read', 'mortise:write', 'mortise:operate'] },
      { Name: 'reader', Key: READER, Scopes: ['mortise:read', 'mortise:write'] },
    ],
  },
};

interface Listed {
  readonly name: string;
  readonly inputSchema: { readonly properties: { readonly action: { readonly enum: string[] } } };
}

const codeOf = ({ body }: Reply) => body.result?.structuredContent?.errors?.[0]?.code ?? body.error?.data?.code;

/** docs/spec/access.md#operators */
describe('the tool of operators', () => {
  const opened = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/sums.mjs': plugin('Adds.') }, settings, finished);
    const { url } = await startHttp(workplace, [], finished);
    const tool = (key: string, name: string, args: object = {}) =>
      ask(url, key, 'tools/call', { name, arguments: args });
    const listed = async (key: string): Promise<Listed[]> => (await ask(url, key, 'tools/list', {})).body.result.tools;
    const status = async () => {
      const { body } = await ask(url, OPERATOR, 'resources/read', { uri: 'mortise://plugins' });
      return JSON.parse(body.result.contents[0].text)[0];
    };
    return { workplace, tool, listed, status };
  });
  const actionsOf = (tools: Listed[], name: string) =>
    tools.find((one) => one.name === name)?.inputSchema.properties.action.enum;

  it('is listed to keys with mortise:operate alone, and does not exist for others', async () => {
    const { tool, listed } = opened();
    expect(actionsOf(await listed(OPERATOR), 'builtin_operate')).toEqual(['Reload', 'Accept']);
    expect(actionsOf(await listed(READER), 'builtin_operate')).toBeUndefined();
    for (const key of [OPERATOR, READER]) {
      expect(actionsOf(await listed(key), 'builtin_plugins')).toEqual(['List', 'Status']);
    }
    for (const name of ['builtin_operate', 'builtin.operate', 'Builtin_Operate']) {
      expect((await tool(READER, name, { action: 'Reload' })).body.error?.code, name).toBe(-32602);
    }
  });

  it('accepts a definition by its hash, and no other one', async () => {
    const { workplace, tool, status } = opened();
    await waitFor(async () => (await status()).state === 'loaded');
    workplace.write('plugins/sums.mjs', plugin('Adds, and sends it to me.'));
    await tool(OPERATOR, 'builtin_operate', { action: 'Reload' });
    const [problem] = (await status()).problems;
    expect(problem).toMatchObject({
      code: 'PLUGIN_DEFINITION_CHANGED',
      data: { changes: [{ label: 'add', before: { description: 'Adds.' } }, {}, {}] },
    });
    const accept = (sha256: string) => tool(OPERATOR, 'builtin_operate', { action: 'Accept', plugin: 'sums', sha256 });
    expect(codeOf(await accept('0'.repeat(64)))).toBe('INVALID_PARAMS');
    expect(codeOf(await tool(OPERATOR, 'builtin_operate', { action: 'Accept', plugin: 'sums' }))).toBe(
      'INVALID_PARAMS',
    );
    expect((await status()).problems).toHaveLength(1);
    expect((await accept(problem.data.sha256)).text).toContain(problem.data.sha256);
    expect((await status()).problems).toEqual([]);
    expect((await tool(READER, 'add')).text).toContain('added');
    const audit = readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(audit.filter(({ event }) => event === 'trust')).toMatchObject([
      { principal: 'operator', target: 'sums', outcome: 'INVALID_PARAMS' },
      { principal: 'operator', target: 'sums', outcome: 'ok' },
    ]);
  });

  it('sees what each plugin does: calls, errors, times, memory and crashes', async () => {
    const { tool, status } = opened();
    const before = (await status()).activity;
    for (const name of ['add', 'add', 'fails']) await tool(READER, name);
    const { activity } = await status();
    expect(activity).toMatchObject({ calls: before.calls + 3, errors: before.errors + 1, crashes: 0 });
    expect(activity.memoryBytes).toBeGreaterThan(10_000_000);
    expect(activity.p50Ms).toBeGreaterThan(0);
    expect(activity.p95Ms).toBeGreaterThanOrEqual(activity.p50Ms);
    await tool(READER, 'ends');
    await waitFor(async () => (await status()).activity.crashes === 1);
    expect((await status()).activity.memoryBytes).toBeUndefined();
  });
});
