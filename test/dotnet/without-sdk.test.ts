import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, stdioTransport } from '../support/clients.js';
import { createWorkplace, type Workplace } from '../support/workplace.js';

const TOOLS = [
  ...[
    'dotnet_project',
    'dotnet_code',
    'dotnet_package',
    'dotnet_solution',
    'dotnet_ef',
    'dotnet_workload',
    'dotnet_tool',
    'dotnet_sdk',
  ],
  ...['dotnet_dev_certs', 'dotnet_help', 'dotnet_server_capabilities', 'dotnet_server_info', 'dotnet_server_metrics'],
];

/** What the tools may cost a session, in characters of compact JSON (docs/spec/dotnet-tools.md#token-budget). */
const MAX_CHARS = { essential: 23_000, all: 35_000, code: 5_400 };

/** A server on a machine that has no dotnet, as far as it can see. */
async function start(dotnet: object, workplace: Workplace = createWorkplace({}, { Dotnet: dotnet })): Promise<Client> {
  const nothing = join(workplace.folder, 'nothing');
  mkdirSync(nothing, { recursive: true });
  const client = createClient('2025-11-25');
  onTestFinished(() => client.close());
  await client.connect(stdioTransport({ ...workplace, env: { ...workplace.env, PATH: nothing } }));
  return client;
}

async function dotnetTools(client: Client) {
  return (await client.listTools()).tools.filter(({ name }) => name.startsWith('dotnet_'));
}

const listed = async (client: Client) => (await dotnetTools(client)).map(({ name }) => name);

describe('a machine without a .NET SDK', () => {
  it('lists the projects of a workspace, and says why it knows no more of them', async () => {
    const workplace = createWorkplace(
      { 'App/App.csproj': '<Project Sdk="Microsoft.NET.Sdk" />' },
      { Dotnet: { Enabled: true } },
    );
    const client = await start({}, workplace);
    const { contents } = await client.readResource({ uri: 'dotnet://workspace' });
    const { data } = JSON.parse((contents[0] as { text: string }).text) as { data: object };
    expect(data).toMatchObject({
      projects: [{ name: 'App', path: 'App/App.csproj' }],
      issues: [
        { severity: 'error', projects: [], code: 'CAPABILITY_NOT_AVAILABLE', message: expect.stringMatching(/dotnet/) },
      ],
    });
    expect(data).not.toHaveProperty('projects.0.targetFrameworks');
  });

  it('lists none of the .NET tools, and a call of one says what is missing and what can be done', async () => {
    const client = await start({ Enabled: 'auto' });
    expect(await listed(client)).toEqual([]);
    const { isError, structuredContent, content } = await client.callTool({
      name: 'dotnet_sdk',
      arguments: { action: 'Version' },
    });
    expect(isError).toBe(true);
    const detail = expect.stringMatching(/dotnet/);
    expect(structuredContent).toEqual({
      success: false,
      errors: [
        {
          code: 'CAPABILITY_NOT_AVAILABLE',
          message: expect.stringMatching(
            /^Capability 'dotnet CLI' is not available in the current environment\. Details: \S/,
          ),
          category: 'Capability',
          hint: 'Try one of the alternatives or adjust the environment to enable this capability.',
          alternatives: [
            'Install the .NET SDK from https://dotnet.microsoft.com/download',
            "Verify 'dotnet' is on PATH (try: dotnet --info)",
            'If using global.json, ensure the requested SDK is installed',
          ],
          rawOutput: '',
          mcpErrorCode: -32001,
          data: { command: 'dotnet --version', exitCode: -1, stderr: detail },
        },
      ],
      exitCode: -1,
      metadata: { callId: expect.any(String) },
    });
    const [{ text }] = content as unknown as [{ text: string }];
    expect(text).toMatch(/^Error: Capability 'dotnet CLI'.*\nCode: CAPABILITY_NOT_AVAILABLE\nHint: /);
    expect(text).toContain('\nFix: Install the .NET SDK from https://dotnet.microsoft.com/download\n');
    expect(text).toMatch(/\nExit Code: -1$/);
  });

  it('says so for every tool, with the command that was to run', async () => {
    const client = await start({ Enabled: 'auto' });
    for (const [name, args, command] of [
      ['dotnet_project', { action: 'Build' }, 'dotnet build'],
      ['dotnet_project', { action: 'Test' }, 'dotnet test'],
      ['dotnet_project', { action: 'Run', startMode: 'Background' }, 'dotnet run'],
      ['dotnet_package', { action: 'Search', searchTerm: 'json' }, 'dotnet package search json'],
      ['dotnet_solution', { action: 'Create', name: 'All' }, 'dotnet'],
      ['dotnet_ef', { action: 'MigrationsList' }, 'dotnet ef migrations list'],
      ['dotnet_workload', { action: 'List' }, 'dotnet workload list'],
      ['dotnet_tool', { action: 'List' }, 'dotnet tool list'],
      ['dotnet_sdk', { action: 'ListTemplates' }, 'dotnet'],
      ['dotnet_dev_certs', { action: 'CertificateCheck' }, 'dotnet dev-certs https --check'],
      ['dotnet_help', {}, 'dotnet --help'],
    ] as const) {
      const { structuredContent } = await client.callTool({ name, arguments: args });
      const { errors } = structuredContent as unknown as { errors: { code: string; data: { command: string } }[] };
      expect(errors[0]).toMatchObject({
        code: 'CAPABILITY_NOT_AVAILABLE',
        mcpErrorCode: -32001,
        data: { exitCode: -1 },
      });
      expect(errors[0]!.data.command, name).toMatch(new RegExp(`^${command}(?: |$)`));
    }
  });

  it('still refuses wrong arguments first', async () => {
    const client = await start({ Enabled: 'auto' });
    const { structuredContent } = await client.callTool({ name: 'dotnet_sdk', arguments: { action: 'version' } });
    expect(structuredContent).toMatchObject({ errors: [{ code: 'INVALID_PARAMS' }] });
  });
});

describe('Dotnet.Enabled and Dotnet.Tools', () => {
  it('true lists all thirteen, whatever is installed', async () => {
    expect((await listed(await start({ Enabled: true }))).sort()).toEqual([...TOOLS].sort());
  });

  it('false offers none, and a call is one of an unknown tool', async () => {
    const client = await start({ Enabled: false });
    expect(await listed(client)).toEqual([]);
    await expect(client.callTool({ name: 'dotnet_sdk', arguments: { action: 'Version' } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('auto lists them where a dotnet can be found', async () => {
    const workplace = createWorkplace({ 'sdk/dotnet': '#!/bin/sh\n' }, {});
    chmodSync(join(workplace.folder, 'sdk/dotnet'), 0o755);
    workplace.write('appsettings.json', JSON.stringify({ Dotnet: { Path: join(workplace.folder, 'sdk') } }));
    expect(await listed(await start({}, workplace))).toHaveLength(TOOLS.length);
  });

  it('picks some of the tools', async () => {
    const client = await start({ Enabled: true, Tools: ['dotnet_sdk', 'dotnet_project'] });
    expect((await listed(client)).sort()).toEqual(['dotnet_project', 'dotnet_sdk']);
    await expect(client.callTool({ name: 'dotnet_help', arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('what the thirteen tools cost a session', () => {
  it('is within the budget', async () => {
    const tools = await dotnetTools(await start({ Enabled: true }));
    expect(tools).toHaveLength(TOOLS.length);
    const essential = tools.map(({ name, title, description, inputSchema }) => ({
      ...{ name, title, description, inputSchema },
    }));
    const chars = { essential: JSON.stringify(essential).length, all: JSON.stringify({ tools }).length };
    expect(chars.essential).toBeLessThanOrEqual(MAX_CHARS.essential);
    expect(chars.all).toBeLessThanOrEqual(MAX_CHARS.all);
    const code = tools.find(({ name }) => name === 'dotnet_code');
    expect(JSON.stringify(code).length).toBeLessThanOrEqual(MAX_CHARS.code);
  });

  it('has a title, and input schemas that hosts can send machineReadable by', async () => {
    for (const { name, title, inputSchema, outputSchema } of await dotnetTools(await start({ Enabled: true }))) {
      expect(title, name).toMatch(/\S/);
      expect(inputSchema, name).not.toHaveProperty('additionalProperties');
      expect(outputSchema, name).toMatchObject({
        type: 'object',
        properties: { codes: { type: 'object' }, fullOutput: { type: 'object' }, warnings: { type: 'array' } },
      });
      expect(outputSchema, name).not.toHaveProperty('required');
    }
  });

  it('still refuses members that no tool has', async () => {
    const client = await start({ Enabled: true });
    const args = { action: 'Version', nosuch: 1 };
    const { structuredContent } = await client.callTool({ name: 'dotnet_sdk', arguments: args });
    expect(structuredContent).toMatchObject({
      errors: [{ code: 'INVALID_PARAMS', data: { additionalData: { reason: 'unknown parameter' } } }],
    });
  });
});
