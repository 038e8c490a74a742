import { encodeHeader, paramHeaders } from '@mortise/mcp';
import { describe, expect, it } from 'vitest';
import { mountedCandidates } from '../../../src/plugins/find/mounted-candidates.js';
import { toLogEntry } from '../../../src/run/mounted/log-entry.js';
import { readLists } from '../../../src/run/mounted/read-lists.js';
import { RpcError } from '../../../src/run/mounted/rpc-errors.js';
import { commandLine } from '../../../src/run/mounted/spawn-command.js';
import { failedOutcome, toolOutcome } from '../../../src/run/mounted/to-outcome.js';
import type { Settings } from '../../../src/settings/settings.js';

describe('a command line', () => {
  it('is the program and its arguments', () => {
    const env = { PATH: '/bin' };
    expect(commandLine('npx', ['-y', 'a b'], env, 'linux')).toEqual({
      file: 'npx',
      args: ['-y', 'a b'],
      env,
      options: {},
    });
  });

  it('goes through cmd.exe for a batch file of Windows', () => {
    const { file, args, options } = commandLine('C:\\n\\npx.cmd', ['a&b'], { COMSPEC: 'C:\\cmd.exe' }, 'win32');
    expect(file).toBe('C:\\cmd.exe');
    expect(args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
    expect(args[3]).toContain('^^^"a^^^&b^^^"');
    expect(options).toEqual({ windowsVerbatimArguments: true });
  });
});

describe('the candidates of mounted servers', () => {
  const candidates = (McpServers: object, Enabled = true) =>
    mountedCandidates({
      settings: { Plugins: { Enabled, McpServers } } as Settings,
      file: '/app/appsettings.json',
      unavailable: [],
    });

  it('are named after their entries, in order', () => {
    const found = candidates({ b: { command: 'b' }, 'a.1': { url: 'http://a' } });
    expect(found.map(({ name, path, entry }) => [name, path, entry])).toEqual([
      ['mcp.a.1', 'Plugins.McpServers.a.1', '/app/appsettings.json'],
      ['mcp.b', 'Plugins.McpServers.b', '/app/appsettings.json'],
    ]);
  });

  it('are none where plugins are switched off', () => {
    expect(candidates({ a: { command: 'a' } }, false)).toEqual([]);
  });

  it('have a name that tools can have, each another one, and are told of', () => {
    const command = { command: 'a' };
    const found = candidates({ 'my server': command, 'my/server': command, my_server: command, '': command });
    expect(found.map(({ name, path, problems }) => [name, path, problems.map(({ code }) => code)])).toEqual([
      ['mcp._', 'Plugins.McpServers.', ['SERVER_NAME_INVALID']],
      ['mcp.my_server_2', 'Plugins.McpServers.my server', ['SERVER_NAME_INVALID']],
      ['mcp.my_server_3', 'Plugins.McpServers.my/server', ['SERVER_NAME_INVALID']],
      ['mcp.my_server', 'Plugins.McpServers.my_server', []],
    ]);
    expect(found.every(({ entry }) => entry === '/app/appsettings.json')).toBe(true);
  });
});

describe('what a header repeats of arguments', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
    },
  } as const;

  it('is named by the schema', () => {
    const headers = paramHeaders(schema, { region: 'eu', deep: { count: 3 } });
    expect(headers.map(({ header, text }) => [header, text])).toEqual([
      ['Mcp-Param-Region', 'eu'],
      ['Mcp-Param-Count', '3'],
    ]);
    expect(paramHeaders(schema, {})).toEqual([]);
  });

  it.each([
    ['eu west', 'eu west'],
    ['', ''],
    ['Zürich', '=?base64?WsO8cmljaA==?='],
    [' x', '=?base64?IHg=?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
  ])('writes %j as %j', (text, encoded) => {
    expect(encodeHeader(text)).toBe(encoded);
  });
});

describe('the lists of a server', () => {
  const page = (chars: number, nextCursor?: string) => ({
    tools: [{ name: `t${nextCursor ?? ''}`, description: 'd', inputSchema: { type: 'object' } }],
    _meta: { padding: 'd'.repeat(chars) },
    ...(nextCursor && { nextCursor }),
  });
  const read = (pages: object[]) =>
    readLists(
      { rpc: { request: async () => pages.shift() } as never, capabilities: { tools: {} }, instructions: undefined },
      { file: 'f', prefix: 'm.', origin: 'mounted' },
    );

  it('are read to their last page', async () => {
    const { definition, failed } = await read([page(5_000_000, 'a'), page(1_000_000)]);
    expect([definition.tools.length, failed]).toEqual([2, []]);
  });

  it('may not be longer than every client can read', async () => {
    const { definition, failed } = await read([page(5_000_000, 'a'), page(5_000_000)]);
    expect([definition.tools.length, failed]).toEqual([1, []]);
    expect(definition.problems).toMatchObject([
      { code: 'SERVER_LIST_INCOMPLETE', message: expect.stringContaining('longer than 8000000 characters') },
    ]);
    expect((await read([page(9_000_000)])).failed).toEqual(['tools']);
  });
});

describe('what a server answers', () => {
  it('is a result by the rules for every tool', () => {
    expect(toolOutcome({ content: [{ type: 'text', text: 'a' }], _meta: { x: 1 }, resultType: 'complete' })).toEqual({
      kind: 'success',
      content: [{ type: 'text', text: 'a' }],
      contentIsText: false,
    });
    expect(toolOutcome({ content: [{ type: 'text', text: 'no' }], isError: true })).toMatchObject({
      kind: 'error',
      errors: [{ code: 'TOOL_ERROR', message: 'no' }],
    });
    expect(toolOutcome({})).toMatchObject({ kind: 'error', errors: [{ code: 'TOOL_INVALID_RESULT' }] });
  });

  it('says in text what it says in data alone', () => {
    const structured = { a: 1 };
    expect(toolOutcome({ content: [], structuredContent: structured })).toMatchObject({
      content: [{ type: 'json', value: structured, indent: 2 }],
      structured,
    });
  });

  it('is an error of the tool, or for reading the JSON-RPC error that it is', () => {
    const error = new RpcError(-32002, 'No such note', { uri: 'a://b' });
    expect(failedOutcome('mcp.m', 'tools/call', error).errors[0]).not.toHaveProperty('mcpErrorCode');
    expect(failedOutcome('mcp.m', 'resources/read', error).errors[0]).toMatchObject({
      code: 'TOOL_ERROR',
      message: 'No such note',
      mcpErrorCode: -32002,
      data: { additionalData: { plugin: 'mcp.m', rpcErrorCode: '-32002' } },
    });
    expect(failedOutcome('mcp.m', 'tools/call', error).errors[0]).toMatchObject({
      rawOutput: { json: { uri: 'a://b' } },
    });
  });

  it('tells of a capability that the client lacks', () => {
    const error = new RpcError(-32021, 'Needs roots', { requiredCapabilities: { roots: {} } });
    expect(failedOutcome('mcp.m', 'tools/call', error)).toMatchObject({
      errors: [{ code: 'CAPABILITY_NOT_AVAILABLE' }],
      requiredCapabilities: { roots: {} },
    });
  });
});

describe('a log message of a server', () => {
  it.each([
    [
      { level: 'warning', data: 'text', logger: 'db' },
      { level: 'warn', message: 'text', scope: 'db' },
    ],
    [
      { level: 'emergency', data: { message: 'm', a: 1 } },
      { level: 'error', mcpLevel: 'emergency', message: 'm', fields: { a: 1 } },
    ],
    [
      { level: 'loud', data: [1] },
      { level: 'info', message: '', fields: { data: [1] } },
    ],
    [{}, { level: 'info', message: '', fields: { data: null } }],
  ])('%j is the line %j', (params, line) => {
    expect(toLogEntry(params as never)).toEqual(line);
  });
});
