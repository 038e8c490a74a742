import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect, shared, type WAYS } from './support/clients.js';
import { createWorkplace, type Finished, ROOT } from './support/workplace.js';

const contract = join(ROOT, 'packages/plugin/dist/index.js');
const plugin = `const { fail, notSecret, secret } = require(${JSON.stringify(contract)});
module.exports.register = (api) => {
  const tool = (name, run, more = {}) => api.registerTool({ name, description: name, inputSchema: { type: 'object' }, run, ...more });
  tool('echo', (input) => input);
  tool('slow', (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('late words'))), { timeoutMs: 1000 });
  tool('aware', (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('Stopped', {
    code: 'OPERATION_CANCELLED', data: { command: 'do it', exitCode: -1 }, structured: { done: 3 },
    lockInfo: { lockScope: 'project', lockKey: '/p' },
  })))), { timeoutMs: 1000 });
  tool('endless', (_, { signal, logger }) => {
    logger.info('endless runs');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(fail('Stopped', {
      code: 'OPERATION_CANCELLED', structured: { done: 3 }, lockInfo: { lockScope: 'project', lockKey: '/p' },
      errors: [{ code: 'OPERATION_CANCELLED', message: 'Stopped', category: 'Cancellation', rawOutput: 'half of it, ' + api.getConfig('api_key'),
        data: { command: 'do it', exitCode: -1 } }],
    }))));
  });
  tool('secret', () => 'api_key=' + api.getConfig('api_key') + ' and ' + api.getConfig('api_key').split('').join(''));
  const code = () => 'const password = "hunter2-is-long"; // ' + api.getConfig('api_key');
  tool('code', () => ({ content: code(), metadata: { password: 'hunter2-is-long' } }), { redaction: 'values-only' });
  tool('shows', code);
  tool('marked', (_, { logger }) => {
    logger.info('token: ' + notSecret('hunter2-is-long'), { token: notSecret('hunter2-is-long') });
    const content = 'token=' + notSecret('hunter2-is-long ' + api.getConfig('api_key') + secret('x')) + ' pwd=hunter2-is-long';
    return { content, metadata: { token: notSecret('page-2'), password: 'hunter2-is-long' } };
  });
  tool('big', () => 'line\\n'.repeat(1_000_000));
  tool('typed', ({ wrong }) => ({ content: 'n', metadata: { n: wrong ? 'x' : 1 } }), {
    outputSchema: { type: 'object', properties: { n: { $ref: '#/$defs/number' } }, required: ['n'], $defs: { number: { type: 'number' } } },
  });
  tool('declares', (input) => String(input.machineReadable), {
    inputSchema: { type: 'object', properties: { machineReadable: { type: 'string' } } },
  });
  tool('act', ({ action }) => action, {
    inputSchema: { type: 'object', properties: { action: { type: 'string', enum: ['Start', 'Stop'] } }, required: ['action'] },
  });
};`;

const settings = { Plugins: { Directory: 'plugins', Config: { api_key: 'Xy12-secret-value' } } };
export const makeCallWorkplace = (finished: Finished) =>
  createWorkplace({ 'plugins/tools.cjs': plugin }, settings, finished);
const textOf = (result: { content: unknown[] }) =>
  result.content.map((block) => (block as { text?: string }).text ?? '').join('\n');
const errorOf = (result: { structuredContent?: unknown }) =>
  (result.structuredContent as { errors: { code: string; message: string; rawOutput: string; data?: object }[] })
    .errors[0]!;

/** The tests of every step of a call, through a client that is connected in this way. */
export function testPipeline(way: (typeof WAYS)[number]): void {
  const opened = shared((finished) => connect(makeCallWorkplace(finished), way, undefined, undefined, [], finished));

  it('hides configured values alone of a tool that shows code', async () => {
    const client = opened();
    const { content, structuredContent } = await client.callTool({ name: 'code', arguments: {} });
    expect(textOf({ content })).toBe('const password = "hunter2-is-long"; // [REDACTED]');
    expect(structuredContent).toMatchObject({ metadata: { password: 'hunter2-is-long' } });
    expect(textOf(await client.callTool({ name: 'shows', arguments: {} }))).not.toContain('hunter2');
  });

  it('shows what a plugin marked as not secret, apart from what is configured or marked as secret', async () => {
    const { content, structuredContent } = await opened().callTool({ name: 'marked', arguments: {} });
    const shown = 'token=hunter2-is-long [REDACTED][REDACTED] pwd=[REDACTED]';
    expect(textOf({ content })).toBe(shown);
    expect(structuredContent).toEqual({ content: shown, metadata: { token: 'page-2', password: '[REDACTED]' } });
  });

  it('takes machineReadable out of the arguments of every tool, and answers with one envelope', async () => {
    const client = opened();
    const { content, structuredContent } = await client.callTool({
      name: 'echo',
      arguments: { a: 1, machineReadable: true },
    });
    expect(content).toHaveLength(1);
    expect(JSON.parse(textOf({ content }))).toEqual({
      success: true,
      output: '{\n  "a": 1\n}',
      exitCode: 0,
      metadata: { a: '1' },
    });
    expect(structuredContent).toEqual({ content: '{\n  "a": 1\n}', metadata: { a: 1 } });
    const error = await client.callTool({ name: 'act', arguments: { action: 'start', machineReadable: true } });
    expect(JSON.parse(textOf(error))).toEqual(error.structuredContent);
    expect(await client.callTool({ name: 'echo', arguments: { machineReadable: 'yes' } })).toMatchObject({
      isError: true,
      structuredContent: { errors: [{ code: 'INVALID_PARAMS' }] },
    });
    expect(textOf(await client.callTool({ name: 'declares', arguments: { machineReadable: 'mine' } }))).toBe('mine');
  });

  it('keeps what a tool knows that answers for itself when its time is over', async () => {
    const client = opened();
    await client.callTool({ name: 'echo', arguments: {} });
    const result = await client.callTool({ name: 'aware', arguments: {} });
    expect(result.structuredContent).toMatchObject({
      done: 3,
      errors: [
        { code: 'OPERATION_TIMEOUT', data: { command: 'do it' }, hint: expect.stringContaining('Tools.TimeoutMs') },
      ],
      lockInfo: { lockScope: 'project' },
    });
  });

  it('refuses unsafeOutput where the operator did not allow it, and hides configured values', async () => {
    const client = opened();
    expect(textOf(await client.callTool({ name: 'secret', arguments: {} }))).toBe('api_key=[REDACTED] and [REDACTED]');
    const refused = await client.callTool({ name: 'secret', arguments: { unsafeOutput: true } });
    expect(errorOf(refused)).toMatchObject({
      code: 'CAPABILITY_NOT_AVAILABLE',
      data: { additionalData: { feature: 'unsafeOutput' } },
    });
  });

  it('ends at its deadline, with what the tool still said', async () => {
    const client = opened();
    // The start of the plugin's process counts too: it is over when the deadline is tried.
    await client.callTool({ name: 'echo', arguments: {} });
    const result = await client.callTool({ name: 'slow', arguments: {} });
    expect(errorOf(result)).toMatchObject({
      code: 'OPERATION_TIMEOUT',
      category: 'Cancellation',
      mcpErrorCode: -32603,
      rawOutput: 'late words',
      message: 'The operation did not end within 1000 ms',
    });
    expect(textOf(result)).toMatch(
      /^Error: The operation did not end within 1000 ms\nCode: OPERATION_TIMEOUT\nHint: .*Tools\.TimeoutMs/,
    );
  });

  it('cuts what is too long, and gives the rest page by page', async () => {
    const client = opened();
    const { content } = await client.callTool({ name: 'big', arguments: {} });
    const link = content.at(-1) as { type: string; uri: string };
    expect(link.type).toBe('resource_link');
    const { contents } = await client.readResource({ uri: `${link.uri}?offset=4999990` });
    expect(contents).toEqual([{ uri: `${link.uri}?offset=4999990`, mimeType: 'text/plain', text: 'line\nline\n' }]);
  });

  it('checks results against the outputSchema that it advertises together with ErrorResponse', async () => {
    const client = opened();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'typed')?.outputSchema).toMatchObject({
      type: 'object',
      anyOf: [{ required: ['n'] }, {}],
    });
    expect(await client.callTool({ name: 'typed', arguments: {} })).toMatchObject({ structuredContent: { n: 1 } });
    const wrong = await client.callTool({ name: 'typed', arguments: { wrong: true } });
    expect(errorOf(wrong)).toMatchObject({ code: 'TOOL_INVALID_RESULT', rawOutput: 'n' });
  });

  it('refuses arguments that are bad in every way, and continues', async () => {
    const client = opened();
    const deep = JSON.parse(`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`);
    const bad: [unknown, RegExp][] = [
      [{}, /'action' is required/],
      [{ action: null }, /Invalid action 'null'/],
      [{ action: 7 }, /Invalid action '7'/],
      [{ action: 'stop' }, /Invalid action 'stop' is not supported. Allowed values: Start, Stop/],
      [{ action: 'Stop', ...deep }, /nested deeper than 64 levels/],
      [JSON.parse('{"action": "Stop", "__proto__": {"x": 1}}'), /'__proto__' is not allowed/],
    ];
    for (const [args, words] of bad) {
      const result = await client.callTool({ name: 'act', arguments: args as Record<string, unknown> });
      expect(errorOf(result).code).toBe('INVALID_PARAMS');
      expect(textOf(result)).toMatch(words);
    }
    const long = 'x'.repeat(5_000_000);
    const echoed = await client.callTool({ name: 'act', arguments: { action: long } });
    expect(errorOf(echoed).message.length).toBeLessThan(1000);
    expect(textOf(await client.callTool({ name: 'act', arguments: { action: 'Stop' } }))).toBe('Stop');
  });

  it('names the nearest for an unknown tool', async () => {
    const client = opened();
    await expect(client.callTool({ name: 'ecko', arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: ecko'),
    });
  });
}
