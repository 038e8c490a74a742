import { describe, expect, it } from 'vitest';
import { connect, shared } from '../support/clients.js';
import { codeOf, pluginsOf, textOf } from '../support/observe.js';
import { createWorkplace } from '../support/workplace.js';
import { call, entry, sharedClient, toolNames } from './mounted.js';

describe('a mounted server whose schemas are not quite JSON Schema', () => {
  const opened = sharedClient({ m: entry('doubtful') });

  it.each([
    ['flags', { x: 'X' }],
    ['flags', { x: 'not x' }],
    ['draft4', { x: 0 }],
    ['dialect', { x: 'text' }],
    ['remote', { x: 1 }],
    ['any', { x: [] }],
    ['root', { x: 1 }],
    ['bare', { x: 1 }],
  ])('judges the arguments of %s itself: %j', async (name, args) => {
    expect(textOf(await call(opened().client, name, args))).toBe(JSON.stringify(args));
  });

  it('gets what the client sent, without the defaults of required properties', async () => {
    expect(textOf(await call(opened().client, 'usual', {}))).toBe('{}');
    expect(textOf(await call(opened().client, 'usual', { strict: true, machineReadable: false }))).toBe(
      '{"strict":true}',
    );
  });

  it('gets no arguments that are nested too deeply', async () => {
    let deep = {};
    for (let level = 0; level < 70; level++) deep = { x: deep };
    expect(codeOf(await call(opened().client, 'bare', deep))).toBe('INVALID_PARAMS');
  });

  it('has a tool listed without an outputSchema that leads nowhere, and a dynamic reference followed', async () => {
    const { client } = opened();
    const { tools } = await client.listTools();
    const schemaOf = (name: string) => tools.find((tool) => tool.name === `mcp_m_${name}`)!;
    expect(schemaOf('output').outputSchema).toBeUndefined();
    expect(schemaOf('dynamic').outputSchema).toBeDefined();
    for (const name of ['output', 'dynamic'])
      expect(await call(client, name)).toMatchObject({ structuredContent: { x: 'abc' } });
    expect(schemaOf('bare').inputSchema).toEqual({ type: 'object', properties: {} });
  });

  it('keeps what its lists had before they repeat themselves, and is told of', async () => {
    const { client } = opened();
    expect(await toolNames(client)).toContain('mcp_m_bare');
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toContain('thing://one');
    expect((await client.listResourceTemplates()).resourceTemplates.map(({ name }) => name)).toContain('x');
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('mcp.m.p');
    const [plugin] = await pluginsOf(client);
    const endless = plugin!.problems.filter(({ code }) => code === 'SERVER_LIST_INCOMPLETE');
    expect(endless.map(({ location }) => location.subject).sort()).toEqual([
      'prompts/list',
      'resources/list',
      'resources/templates/list',
    ]);
  });

  it('has a warning that names each doubtful keyword', async () => {
    const [plugin] = await pluginsOf(opened().client);
    const doubts = plugin!.problems.filter(({ code }) => code === 'SCHEMA_UNCHECKED');
    const named = Object.fromEntries(doubts.map(({ message, location }) => [location.subject, message]));
    expect(named).toMatchObject({
      'mcp.m.flags': expect.stringContaining('(?i)^x$'),
      'mcp.m.draft4': expect.stringContaining('/properties/x/exclusiveMinimum'),
      'mcp.m.dialect': expect.stringContaining('draft-04'),
      'mcp.m.remote': expect.stringContaining('https://example.org/x.json'),
      'mcp.m.any': expect.stringContaining('/properties/x/type'),
      'mcp.m.root': expect.stringContaining('type ["object","null"]'),
      'mcp.m.output': expect.stringContaining('#/$defs/none'),
    });
    expect(Object.keys(named)).toHaveLength(7);
  });
});

describe('a profile that allows some actions alone', () => {
  const ECHO = `export const register = (api) => api.registerTool({
    name: 'echo', description: 'd', run: (args) => JSON.stringify(args),
    inputSchema: { type: 'object', required: ['action'], properties: {
      action: { type: 'string', enum: ['Read', 'Write'], default: 'Write' } } } });`;
  const opened = (action: string) =>
    shared((finished) => {
      const Profiles = { some: { Actions: { mcp_m_act: [action], echo: [action] } } };
      const Plugins = { Directory: 'plugins', McpServers: { m: entry('doubtful') } };
      const workplace = createWorkplace({ 'plugins/echo.mjs': ECHO }, { Plugins, Profiles }, finished);
      const way = { transport: 'stdio', version: '2025-11-25' } as const;
      return connect(workplace, way, {}, undefined, ['--profile', 'some'], finished);
    });
  const read = opened('Read');
  const write = opened('Write');

  it.each(['mcp_m_act', 'echo'])('holds for %s, whose default action it may not allow', async (name) => {
    const act = (client: typeof read, args: object) => client().callTool({ name, arguments: { ...args } });
    expect(textOf(await act(read, { action: 'Read' }))).toBe('{"action":"Read"}');
    for (const args of [{ action: 'Write' }, { action: ['Write'] }, {}])
      expect(codeOf(await act(read, args))).toBe('INVALID_PARAMS');
    expect(textOf(await act(write, { action: 'Write' }))).toBe('{"action":"Write"}');
  });

  it('lets a plugin have its default where that is allowed', async () => {
    expect(textOf(await write().callTool({ name: 'echo', arguments: {} }))).toBe('{"action":"Write"}');
  });
});
