import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, stdioTransport, VERSIONS } from '../support/clients.js';
import { describeRecorded, useRecordedDotnet } from '../support/recorded-dotnet/index.js';
import { createWireCheck, expectValid } from '../support/wire-check.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';

const PROJECT = (extra = '') =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net10.0;net8.0</TargetFrameworks></PropertyGroup><ItemGroup><PackageReference Include="Dapper" Version="2.1.66" />${extra}</ItemGroup></Project>`;

const SOLUTION = `<Solution>
  <Project Path="App/App.csproj" />
  <Project Path="App.Tests/App.Tests.fsproj" />
</Solution>
`;

describeRecorded('resources, prompts and completions of the .NET tools', () => {
  const files = {
    'Everything.slnx': SOLUTION,
    'App/App.csproj': PROJECT(),
    'App.Tests/App.Tests.fsproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="xunit.v3" /></ItemGroup></Project>',
    'Directory.Build.props': `<Project><PropertyGroup Condition="'$(MSBuildProjectExtension)' == '.fsproj'"><TargetFramework>net9.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="Shared" Version="1.0.0" /></ItemGroup></Project>`,
  };
  let workplace: Workplace;
  const clients: Record<string, { client: Client; wire: ReturnType<typeof createWireCheck>; updated: string[] }> = {};

  beforeAll(async () => {
    workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
    useRecordedDotnet(workplace);
    for (const version of VERSIONS) {
      const client = createClient(version);
      const wire = createWireCheck();
      const updated: string[] = [];
      client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        updated.push(params.uri);
      });
      await client.connect(stdioTransport(workplace, [], wire));
      clients[version] = { client, wire, updated };
    }
  }, 60_000);
  afterAll(async () => {
    for (const { client, wire } of Object.values(clients)) {
      await client.close();
      expectValid(wire);
    }
    removeWorkplace(workplace);
  });

  const read = async (version: string, uri: string) => {
    const { contents } = await clients[version]!.client.readResource({ uri });
    return JSON.parse((contents[0] as { text: string }).text) as Record<string, never>;
  };

  it.each(VERSIONS)('%s: the SDKs, runtimes, frameworks and templates of this machine', async (version) => {
    expect(await read(version, 'dotnet://sdk-info')).toMatchObject({
      data: { sdks: expect.arrayContaining([{ version: expect.any(String), path: expect.stringContaining('sdk') }]) },
      cache: { metrics: { hits: expect.any(Number) } },
    });
    expect(await read(version, 'dotnet://runtime-info')).toMatchObject({
      data: { runtimes: expect.arrayContaining([expect.objectContaining({ name: 'Microsoft.NETCore.App' })]) },
    });
    expect(await read(version, 'dotnet://frameworks')).toMatchObject({ latestLts: 'net10.0' });
    const { templates } = (await read(version, 'dotnet://templates')) as unknown as {
      templates: { shortNames: string[]; language: string }[];
    };
    expect(templates.find(({ shortNames }) => shortNames.includes('console'))).toMatchObject({
      language: 'C#, F#, VB',
    });
  });

  it.each(VERSIONS)('%s: the workspace, with imported frameworks and packages', async (version) => {
    const expected = {
      data: {
        solution: 'Everything.slnx',
        projects: [
          {
            name: 'App',
            path: 'App/App.csproj',
            targetFrameworks: ['net10.0', 'net8.0'],
            packageCount: 2,
          },
          {
            name: 'App.Tests',
            path: 'App.Tests/App.Tests.fsproj',
            targetFrameworks: ['net9.0'],
            packageCount: 3,
            isTestProject: true,
          },
        ],
      },
    };
    const contents = await read(version, 'dotnet://workspace');
    expect(contents).toMatchObject(expected);
    // Only a restore tells whether a package of App brings a test framework.
    expect(contents).not.toHaveProperty('data.projects.0.isTestProject');
    expect(contents).not.toHaveProperty('data.issues');
    expect(await read(version, `dotnet://workspace/${workplace.folder}`)).toMatchObject(expected);
  });

  it.each(VERSIONS)('%s: a subscriber hears of a package that was added to a project', async (version) => {
    const { client, updated } = clients[version]!;
    await read(version, 'dotnet://workspace');
    if (version === '2025-11-25') await client.subscribeResource({ uri: 'dotnet://workspace' });
    else await client.listen({ resourceSubscriptions: ['dotnet://workspace'] });
    workplace.write('App/App.csproj', PROJECT(`<PackageReference Include="${version}" Version="1.0.0" />`));
    await expect.poll(() => updated, { timeout: 10_000 }).toContain('dotnet://workspace');
    expect(await read(version, 'dotnet://workspace')).toMatchObject({ data: { projects: [{ packageCount: 3 }, {}] } });
  });

  it('tell of a change that comes right after the first read', async () => {
    const workplace = makeWorkplace(files, { Dotnet: { Enabled: true } });
    useRecordedDotnet(workplace);
    const client = createClient('2025-11-25');
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updated.push(params.uri);
    });
    await client.connect(stdioTransport(workplace, []));
    try {
      await client.readResource({ uri: 'dotnet://workspace' });
      await client.subscribeResource({ uri: 'dotnet://workspace' });
      workplace.write('App/App.csproj', PROJECT('<PackageReference Include="Early" Version="1.0.0" />'));
      await expect.poll(() => updated, { timeout: 10_000 }).toContain('dotnet://workspace');
    } finally {
      await client.close();
      removeWorkplace(workplace);
    }
  });

  it.each(VERSIONS)('%s: who subscribed to the workspace of a folder hears of it too', async (version) => {
    const { client, updated } = clients[version]!;
    const uri = 'dotnet://workspace/App';
    await read(version, uri);
    if (version === '2025-11-25') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    workplace.write('App/App.csproj', PROJECT(`<PackageReference Include="Folder" Version="${version}" />`));
    await expect.poll(() => updated, { timeout: 10_000 }).toContain(uri);
    workplace.write('App/App.csproj', PROJECT());
  });

  it.each(VERSIONS)('%s: prompts whose every call names a tool and an action that there are', async (version) => {
    const { client } = clients[version]!;
    const { prompts } = await client.listPrompts();
    const names = prompts.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'new_console_app',
        'new_webapi_with_ef',
        'create_new_webapi',
        'add_package_and_restore',
        'run_tests_with_coverage',
      ]),
    );
    const { tools } = await client.listTools();
    for (const { name, arguments: args = [] } of prompts) {
      const values = Object.fromEntries(args.map((argument) => [argument.name, 'Value']));
      const { messages } = await client.getPrompt({ name, arguments: values });
      const text = (messages[0]!.content as { text: string }).text;
      const calls = [...text.matchAll(/(dotnet_\w+) (\{[^}]*\})/g)].filter(([call]) => !call.includes('…'));
      expect(calls.length).toBeGreaterThan(0);
      for (const [, tool, json] of calls) {
        const { properties } = tools.find((item) => item.name === tool)!.inputSchema as {
          properties: Record<string, { enum?: string[] }>;
        };
        const args = JSON.parse(json!) as Record<string, string>;
        expect(properties.action!.enum).toContain(args.action);
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(args)));
      }
    }
  });

  it('arguments are completed by what they begin with', async () => {
    const { client } = clients['2025-11-25']!;
    const complete = async (prompt: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/prompt', name: prompt }, argument: { name, value } })).completion
        .values;
    expect(await complete('run_tests_with_coverage', 'projectPath', 'app')).toEqual([
      'App/App.csproj',
      'App.Tests/App.Tests.fsproj',
    ]);
    expect(await complete('new_webapi_with_ef', 'dbProvider', 'sql')).toEqual(['SqlServer', 'SQLite']);
    expect(await complete('add_package_and_restore', 'packageId', 'dapp')).toEqual(['Dapper']);
  });

  it('a project that does not load is named with the reason, and the others are complete', async () => {
    const root = join(workplace.folder, 'partly');
    workplace.write('partly/Good/Good.csproj', PROJECT());
    workplace.write(
      'partly/Bad/Bad.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><Import Project="no.props" /></Project>',
    );
    const { data } = await read('2025-11-25', `dotnet://workspace/${root}`);
    expect(data).toMatchObject({
      projects: [
        { name: 'Bad', path: 'Bad/Bad.csproj' },
        { path: 'Good/Good.csproj', packageCount: 2 },
      ],
      issues: [{ severity: 'error', projects: ['Bad/Bad.csproj'], code: 'MSB4019' }],
    });
    expect(data).not.toHaveProperty('projects.0.targetFrameworks');
    rmSync(root, { recursive: true });
  });

  it('where no project can be evaluated they are listed, with the reason', async () => {
    const root = join(workplace.folder, 'refused');
    const write = "<A>$([System.IO.File]::WriteAllText('ran', ''))</A>";
    workplace.write('refused/A/A.csproj', `<Project><PropertyGroup>${write}</PropertyGroup></Project>`);
    const { data } = await read('2025-11-25', `dotnet://workspace/${root}`);
    expect(data).toMatchObject({
      projects: [{ name: 'A', path: 'A/A.csproj' }],
      issues: [{ projects: [], code: 'INVALID_PARAMS', message: expect.stringContaining('WriteAllText') }],
    });
    expect(data).not.toHaveProperty('projects.0.targetFrameworks');
    expect(existsSync(join(root, 'A/ran'))).toBe(false);
    rmSync(root, { recursive: true });
  });

  it.each(VERSIONS)('%s: a subscriber hears of a change in a file that a project imports', async (version) => {
    const { client, updated } = clients[version]!;
    const uri = 'dotnet://workspace/importing';
    const frameworks = (value: string) =>
      `<Project><PropertyGroup><TargetFramework>${value}</TargetFramework></PropertyGroup></Project>`;
    workplace.write('importing/common.props', frameworks('net8.0'));
    workplace.write(
      'importing/A.csproj',
      '<Project Sdk="Microsoft.NET.Sdk"><Import Project="common.props" /></Project>',
    );
    const first = await read(version, uri);
    expect(first).toMatchObject({ data: { projects: [{ targetFrameworks: ['net8.0'] }] } });
    if (version === '2025-11-25') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    workplace.write('importing/common.props', frameworks('net10.0'));
    await expect.poll(() => updated, { timeout: 10_000 }).toContain(uri);
    expect(await read(version, uri)).toMatchObject({ data: { projects: [{ targetFrameworks: ['net10.0'] }] } });
  });

  it('a folder that is searched is searched without bin, obj, node_modules and what .gitignore names', async () => {
    const root = join(workplace.folder, 'other');
    for (const path of ['A/A.csproj', 'bin/B.csproj', 'node_modules/C.csproj', 'out/D.csproj', '.git/E.csproj']) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), PROJECT());
    }
    writeFileSync(join(root, '.gitignore'), 'out/\n');
    const { data } = (await read('2025-11-25', `dotnet://workspace/${root}`)) as unknown as {
      data: { projects: { path: string }[] };
    };
    expect(data.projects.map(({ path }) => path)).toEqual(['A/A.csproj']);
    rmSync(root, { recursive: true });
  });
});
