import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connect } from './support/clients.js';
import { createWorkplace } from './support/workplace.js';

const GOOD = `module.exports.register = (api) => api.registerTool({
  name: 'good', description: 'good', inputSchema: { type: 'object' }, run: () => 'good' });`;

/** Offers too much of everything, and returns too much. */
const LARGE = `module.exports.register = (api) => {
  const tool = (name, more) =>
    api.registerTool({ name, description: name, inputSchema: { type: 'object' }, run: () => 'x', ...more });
  tool('first');
  tool('large_schema', { inputSchema: { type: 'object', description: 'x'.repeat(1e6) } });
  tool('large_description', { description: 'x'.repeat(1e6) });
  const text = (length) => ({ type: 'text', text: 'x'.repeat(length) });
  tool('blocks', { run: () => ({ content: Array.from({ length: 1e5 }, () => text(1)) }) });
  tool('text', { run: () => 'x'.repeat(9e6) });
  tool('values', { run: () => ({ content: 'x', metadata: { list: Array(300000).fill(0) } }) });
  tool('meta', { run: () => ({ content: [{ ...text(1), _meta: { x: 'x'.repeat(100000) } }] }) });
  tool('screenshot', { run: () => ({ content: [{ type: 'image', data: 'iVBO'.repeat(1.25e6), mimeType: 'image/png' }] }) });
  tool('churn', { run: async () => {
    for (let index = 0; index < 500; index++) {
      api.registerTool({ name: 'again', description: String(index), inputSchema: { type: 'object' }, run: () => 'x' }).remove();
      if (index % 50 === 0) await new Promise(setImmediate);
    }
    return 'churned';
  } });
  for (let index = 0; index < 5000; index++) tool('t' + index);
  api.registerResource({ uri: 'large://text', name: 'large', read: () => 'x'.repeat(6e6) });
  api.registerPrompt({ name: 'large', get: () => 'x'.repeat(6e6) });
};`;

async function call(client: Client, name: string) {
  const { content, structuredContent } = await client.callTool({ name, arguments: {} });
  const { errors } = (structuredContent ?? {}) as { errors?: { code: string; message: string }[] };
  const [block] = content as { text: string }[];
  return errors?.[0] ? `${errors[0].code}: ${errors[0].message}` : block!.text;
}

async function problemsOf(client: Client) {
  const { contents } = await client.readResource({ uri: 'mortise://plugins' });
  const plugins = JSON.parse((contents[0] as { text: string }).text) as {
    name: string;
    problems: { code: string; message: string }[];
  }[];
  const found = plugins.flatMap(({ name, problems }) =>
    problems.flatMap(({ code, message }) => (code === 'LIMIT_EXCEEDED' ? [`${name}: ${message}`] : [])),
  );
  return found.join('\n');
}

describe('a plugin that offers and returns too much', () => {
  it('is told which limit, keeps what is within, and holds no one up', async () => {
    const workplace = createWorkplace(
      { 'plugins/good.cjs': GOOD, 'plugins/large.cjs': LARGE, 'plugins/huge.mjs': '', 'plugins/dll.dll': 'MZ' },
      { Plugins: { Directory: 'plugins', MaxMemoryMb: 2000, LoadTimeoutMs: 60_000 } },
    );
    for (const file of ['huge.mjs', 'dll.dll']) truncateSync(join(workplace.folder, 'plugins', file), 9e9);
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['good', 'first', 'churn']));
    expect(tools.length).toBeLessThan(1100);
    const problems = await problemsOf(client);
    for (const value of [
      /large: The plugin has 5,009 tools; Plugins\.Limits\.Tools allows 1,000/,
      /large: 'large_schema' has more than 262,144 bytes; Plugins\.Limits\.EntryBytes/,
      /large: 'large_description' has more than 262,144 bytes; Plugins\.Limits\.EntryBytes/,
      /huge: The file '.*huge\.mjs' has 9,000,000,000 bytes; Plugins\.Limits\.ModuleBytes allows 67,108,864/,
      /dll: The file '.*dll\.dll' has 9,000,000,000 bytes; Plugins\.Limits\.ModuleBytes/,
    ])
      expect.soft(problems).toMatch(value);

    expect.soft(await call(client, 'blocks')).toMatch(/^TOOL_INVALID_RESULT: The result has 100,000 blocks/);
    expect
      .soft(await call(client, 'text'))
      .toMatch(
        /^TOOL_INVALID_RESULT: The message to the server has [\d,]+ bytes; Plugins\.Limits\.MessageBytes allows 8,388,608/,
      );
    expect
      .soft(await call(client, 'values'))
      .toMatch(/^TOOL_INVALID_RESULT: The message to the server has [\d,]+ values; .* allows 100,000/);
    expect.soft(await call(client, 'meta')).toMatch(/^TOOL_INVALID_RESULT: _meta of the result has more than 65,536/);
    const screenshot = await client.callTool({ name: 'screenshot', arguments: {} });
    expect.soft(screenshot.content).toMatchObject([{ type: 'image', data: expect.stringMatching(/^.{5000000}$/) }]);
    expect.soft(await call(client, 'churn')).toBe('churned');
    expect.soft(await call(client, 'first')).toBe('x');
    expect.soft(await call(client, 'good')).toBe('good');
    await expect.soft(client.readResource({ uri: 'large://text' })).rejects.toThrow(/more than 5,242,880 bytes/);
    await expect.soft(client.getPrompt({ name: 'large' })).rejects.toThrow(/more than 5,242,880 bytes/);
  });
});
