import type { PluginDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/core/plugin-candidate.js';
import type { Runner } from '../../../src/core/plugin-runner.js';
import { buildSnapshot } from '../../../src/plugins/catalog/build-snapshot.js';
import type { CatalogEntry } from '../../../src/plugins/catalog/catalog-entry.js';
import { spellingOf } from '../../../src/plugins/catalog/reserved-names.js';

const common = { directory: '/plugins', problems: [] };
const definitionOf = (tools: readonly string[], prompts: readonly string[] = []): PluginDefinition => ({
  tools: tools.map((name) => ({ name, inputSchema: { type: 'object' }, origin: 'registerTool' })),
  resources: [],
  prompts: prompts.map((name) => ({ name, arguments: [], completes: [] })),
  problems: [],
});
const loaded = (candidate: Candidate, definition?: PluginDefinition): CatalogEntry => ({
  candidate,
  ...(definition && { runner: {} as Runner, definition }),
});
const plugin = (name: string, ...names: Parameters<typeof definitionOf>) =>
  loaded(
    { ...common, kind: 'module', name, path: `/plugins/${name}.mjs`, entry: `/plugins/${name}.mjs` },
    definitionOf(...names),
  );
const server = (name: string, ...tools: string[]) =>
  loaded(
    {
      ...common,
      kind: 'server',
      name: `mcp.${name}`,
      path: `Plugins.McpServers.${name}`,
      mounted: { command: 'x' } as never,
    },
    tools.length > 0 ? definitionOf(tools.map((tool) => `mcp.${name}.${tool}`)) : undefined,
  );
const dotnet = (...tools: string[]) =>
  loaded(
    { ...common, kind: 'bundled', name: 'dotnet', path: '/dotnet', entry: '/dotnet', bundled: {} as never },
    tools.length > 0 ? definitionOf(tools) : undefined,
  );
const builtIn = loaded(
  { ...common, kind: 'builtIn', name: 'mortise', path: 'built in' },
  definitionOf(['builtin.plugins']),
);

const snapshotOf = (entries: CatalogEntry[], previous?: ReturnType<typeof buildSnapshot>) =>
  buildSnapshot({ entries, nameStyle: 'portable', builtIn, previous });
const toolsOf = ({ plugins }: ReturnType<typeof buildSnapshot>, name: string) =>
  plugins.find((status) => status.name === name)!;

describe('the names of a mounted server', () => {
  const SPELLINGS = [
    'mcp_bank_transfer',
    'mcp-bank-transfer',
    'MCP_BANK_TRANSFER',
    'mcp__bank__transfer',
    'mcp_bank.new',
  ];

  it.each(SPELLINGS)('are not given to a plugin as %s, whether the server has loaded or not', (name) => {
    for (const bank of [server('bank'), server('bank', 'transfer')]) {
      for (const entries of [
        [plugin('a', [name, 'fine']), bank],
        [bank, plugin('z', [name, 'fine'])],
      ]) {
        const snapshot = snapshotOf(entries);
        const status = snapshot.plugins.find(({ kind }) => kind === 'module')!;
        expect(status.tools).toEqual(['fine']);
        expect(status.problems).toMatchObject([
          {
            severity: 'error',
            code: 'TOOL_NAME_RESERVED',
            message: expect.stringContaining("the mounted server 'bank'"),
          },
        ]);
      }
    }
  });

  it('are not given to a plugin that had them before the server was there', () => {
    const thief = plugin('a', ['mcp_bank_transfer']);
    const before = snapshotOf([thief]);
    expect(before.findTool('mcp_bank_transfer')!.plugin).toBe('a');
    const after = snapshotOf([thief, server('bank', 'transfer')], before);
    expect(after.findTool('mcp_bank_transfer')!.plugin).toBe('mcp.bank');
    expect(toolsOf(after, 'a').tools).toEqual([]);
  });

  it('are not given to another server whose name is shorter', () => {
    const snapshot = snapshotOf([server('a', 'b.c', 'own'), server('a.b', 'c')]);
    expect(toolsOf(snapshot, 'mcp.a').tools).toEqual(['mcp_a_own']);
    expect(toolsOf(snapshot, 'mcp.a.b').tools).toEqual(['mcp_a_b_c']);
  });

  it('are its prompts too', () => {
    const snapshot = snapshotOf([plugin('a', [], ['mcp_bank_report', 'ｍｃｐ.bank.x', 'fine']), server('bank')]);
    expect(toolsOf(snapshot, 'a')).toMatchObject({ prompts: ['fine'], problems: [{}, {}] });
  });

  it('leave other names alone', () => {
    const names = ['mcp_bank', 'mcp_banker_x', 'mcp_other_x', 'bank_transfer', 'my_mcp_bank_x'];
    expect(toolsOf(snapshotOf([plugin('a', names), server('bank')]), 'a').tools).toEqual([...names].sort());
  });
});

describe('the names of the server and of what ships with it', () => {
  it.each(['builtin_plugins', 'Builtin-Plugins', 'builtin__x'])('are not given to a plugin as %s', (name) => {
    const snapshot = snapshotOf([plugin('a', [name])]);
    expect(toolsOf(snapshot, 'a')).toMatchObject({ tools: [], problems: [{ code: 'TOOL_NAME_RESERVED' }] });
    expect(snapshot.findTool('builtin_plugins')!.plugin).toBe('mortise');
  });

  it.each(['dotnet_project', 'Dotnet-Project', 'dotnet.project'])('come first, whoever loads first: %s', (name) => {
    const thief = plugin('a', [name]);
    const before = snapshotOf([thief, dotnet()]);
    expect(toolsOf(before, 'a')).toMatchObject({ tools: [], problems: [{ code: 'TOOL_NAME_RESERVED' }] });
    const after = snapshotOf([thief, dotnet('dotnet_project')], before);
    expect(toolsOf(after, 'a')).toMatchObject({ tools: [], problems: [{ code: 'TOOL_NAME_DUPLICATE' }] });
    expect(after.findTool('dotnet_project')!.plugin).toBe('dotnet');
  });

  it('leave names alone that do not clash, and all where they are not offered', () => {
    expect(toolsOf(snapshotOf([dotnet('dotnet_project'), plugin('a', ['dotnet_format'])]), 'a').tools).toEqual([
      'dotnet_format',
    ]);
    expect(toolsOf(snapshotOf([plugin('a', ['dotnet_project'])]), 'a').tools).toEqual(['dotnet_project']);
  });
});

it.each([
  ['mcp.bank.transfer', 'mcp_bank_transfer'],
  ['MCP__Bank-transfer', 'mcp_bank_transfer'],
  ['ｍｃｐ．bank', 'mcp_bank'],
])('%s is spelled %s', (name, spelled) => {
  expect(spellingOf(name)).toBe(spelled);
});
