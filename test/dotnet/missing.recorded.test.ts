import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { DEAD_SOURCE, source } from './local-feed.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const FILES = {
  'nuget.config': source(),
  'dead/nuget.config': source(DEAD_SOURCE),
  'dead/D.csproj': projectXml('', '<ItemGroup><PackageReference Include="No.Such" Version="1.0.0" /></ItemGroup>'),
  'broken/nuget.config': '<configuration><packageSources>',
  'broken/B.csproj': projectXml(),
  'plain/A.csproj': projectXml(CONSOLE),
  'two/A.csproj': projectXml(CONSOLE),
  'two/B.csproj': projectXml(CONSOLE),
  'sdk/S.csproj': '<Project Sdk="Nope.Sdk" />',
  'own/U.csproj': projectXml('', '<Target Name="X" BeforeTargets="Build"><Error Text="my own words" /></Target>'),
  'empty/readme.txt': '',
  'near/All.slnx': '<Solution><Project Path="App/App.csproj" /></Solution>',
  'near/App/App.csproj': projectXml(CONSOLE),
  'near/Lib/Lib.csproj': projectXml(),
};

interface Row {
  tool: string;
  args: Record<string, unknown>;
  code: string;
  mcpErrorCode?: number;
  exitCode?: number;
  /** Further members of the first error. */
  more?: object;
}

const at = (folder: string) => ({ workingDirectory: folder });
const NOT_THERE = { code: 'MSB1009', mcpErrorCode: -32002 };
const NO_PROJECT = { code: 'MSB1003', mcpErrorCode: -32002 };
const NO_SOURCES = { code: 'NUGET_NO_SOURCES', more: { category: 'Package' } };
const UNREACHABLE = {
  code: 'NU1301',
  more: { category: 'Package', rootCauseKind: 'NetworkUnreachable', recommendedAction: expect.anything() },
};

const row =
  (tool: string) =>
  (action: string, args: object, expected: Omit<Row, 'tool' | 'args'>): Row => ({
    tool,
    args: { action, ...args },
    ...expected,
  });
const ofPackage = row('dotnet_package');
const ofProject = row('dotnet_project');
const ofSolution = row('dotnet_solution');
const ofTool = row('dotnet_tool');
const X = { packageId: 'X.Y' };

const NOT_RESTORED = {
  code: 'NETSDK1004',
  mcpErrorCode: -32002,
  exitCode: -1,
  more: {
    rootCauseKind: 'RestoreFailure',
    recommendedAction: {
      actionKind: 'CallTool',
      toolName: 'dotnet_project',
      arguments: { action: 'Restore', project: expect.stringContaining('plain/A.csproj') },
    },
  },
};

/** A call that fails for want of something, by each way in which the CLI says so. */
const ROWS: readonly Row[] = [
  ofProject('Build', { project: 'nope.csproj' }, NOT_THERE),
  ofProject('Build', { project: 'nope.sln' }, NOT_THERE),
  ofProject('Run', { project: 'nope.csproj' }, NOT_THERE),
  ofProject('Watch', { project: 'nope.csproj', watchAction: 'run' }, NOT_THERE),
  ofProject('Run', at('empty'), NO_PROJECT),
  ofProject('Format', at('empty'), NO_PROJECT),
  ofPackage('Why', { project: 'nope.csproj', ...X }, NOT_THERE),
  ofPackage('List', { project: 'nope.csproj', outdated: true }, NOT_THERE),
  ofPackage('Audit', { project: 'nope.sln' }, NOT_THERE),
  ofPackage('Add', { project: 'nope.csproj', ...X }, NOT_THERE),
  ofPackage('Remove', { project: 'nope.csproj', ...X }, NOT_THERE),
  ofPackage('AddReference', { project: 'plain/A.csproj', referencePath: 'nope.csproj' }, NOT_THERE),
  ofPackage('ListReferences', { project: 'nope.csproj' }, NOT_THERE),
  ofPackage('Why', { ...at('empty'), ...X }, NO_PROJECT),
  ofPackage('Why', { project: 'plain/A.csproj', ...X }, NOT_RESTORED),
  ofPackage('Why', { project: 'plain', ...X }, NOT_RESTORED),
  ofPackage('Search', { searchTerm: 'x' }, NO_SOURCES),
  ofPackage(
    'Search',
    { searchTerm: 'x', ...at('dead') },
    { code: 'NU1301', exitCode: -1, more: { category: 'Package', rootCauseKind: 'NetworkUnreachable' } },
  ),
  ofPackage('Add', { ...X, ...at('dead') }, UNREACHABLE),
  ofPackage('Add', { ...X, version: '1.0.0', ...at('dead') }, UNREACHABLE),
  ofProject('Restore', { project: 'dead/D.csproj' }, UNREACHABLE),
  ofProject('Restore', at('broken'), { code: 'MSBUILD_UNCODED', more: { category: 'Package' } }),
  ofProject('Build', { project: 'sdk/S.csproj' }, { code: 'MSB4236', mcpErrorCode: -32002 }),
  ofProject('Build', { project: 'own/U.csproj' }, { code: 'MSBUILD_UNCODED', more: { category: 'Build' } }),
  ofSolution('List', { solution: 'nope.sln' }, NOT_THERE),
  ofSolution('Add', { solution: 'nope.slnx', projects: ['plain/A.csproj'] }, NOT_THERE),
  ofSolution('Migrate', { solution: 'nope.sln' }, NOT_THERE),
  ofTool('Install', { packageId: 'no.such.tool' }, NO_SOURCES),
  ofTool('Search', { searchTerm: 'x' }, { ...NO_SOURCES, exitCode: -1 }),
  ofTool('Run', { toolName: 'nope' }, { code: 'EXIT_1', mcpErrorCode: -32002 }),
  row('dotnet_workload')('Install', { workloadIds: ['nope'] }, { code: 'EXIT_1', mcpErrorCode: -32002 }),
  row('dotnet_ef')('MigrationsList', at('plain'), { code: 'EXIT_1', mcpErrorCode: -32002 }),
  row('dotnet_sdk')('InstallTemplatePack', { templatePackage: 'No.Such' }, NO_SOURCES),
  row('dotnet_dev_certs')('SecretsList', { project: 'nope.csproj' }, NOT_THERE),
];

/** The next call has the nearest file where the missing one is named, and is otherwise the same. */
const NEAREST: readonly { tool: string; args: Record<string, unknown>; next: object }[] = [
  { tool: 'dotnet_solution', args: { action: 'List', solution: 'Al.sln' }, next: { solution: 'All.slnx' } },
  { tool: 'dotnet_solution', args: { action: 'Analyze', solution: 'Al.sln' }, next: { solution: 'All.slnx' } },
  {
    tool: 'dotnet_solution',
    args: { action: 'Add', solution: 'All.slnx', projects: ['App/App.csproj', 'nope/Lib.csproj'] },
    next: { projects: ['App/App.csproj', 'Lib/Lib.csproj'] },
  },
  {
    tool: 'dotnet_package',
    args: { action: 'AddReference', project: 'App/App.csproj', referencePath: 'nope/Lib.csproj' },
    next: { referencePath: undefined, references: ['Lib/Lib.csproj'] },
  },
  { tool: 'dotnet_project', args: { action: 'Run', project: 'nope/App.csproj' }, next: { project: 'App/App.csproj' } },
];

describeRecorded('what is not there, as the real SDK says it', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer(FILES, {}, { NUGET_ENHANCED_MAX_NETWORK_TRY_COUNT: '1' });
  });
  afterAll(() => server?.close());

  it.each(NEAREST)('$tool $args.action: the nearest is in the same parameter', async ({ tool, args, next }) => {
    const call = { ...args, workingDirectory: join(server.workplace.folder, 'near') };
    const { data } = await server.call(tool, call);
    const { toolName, arguments: recommendedArgs } = data.errors[0].recommendedAction;
    expect({ toolName, ...recommendedArgs }).toEqual(JSON.parse(JSON.stringify({ toolName: tool, ...call, ...next })));
  });

  it.each(ROWS)('$tool $args.action $args: $code', async ({ tool, args, code, mcpErrorCode, exitCode, more }) => {
    const { data, isError, text } = await server.call(tool, args);
    expect(isError).toBe(true);
    const [first, ...others] = data.errors;
    expect(first).toMatchObject({ code, hint: expect.stringMatching(/\S/), ...more });
    expect(first.mcpErrorCode).toBe(mcpErrorCode ?? (code.startsWith('EXIT_') ? -32603 : undefined));
    expect(data.exitCode).toBe(exitCode ?? data.exitCode);
    expect(data.exitCode).not.toBe(0);
    for (const { code: other, data: details, hint } of [first, ...others]) {
      expect(other).not.toBe('EXIT_0');
      expect(details.command).toMatch(/^dotnet /);
      expect(hint ?? data.codes?.[other]?.hint).toMatch(/\S/);
    }
    const isSame = (other: string) => other === code || other.endsWith('_UNCODED');
    expect(others.filter((one: { code: string }) => !isSame(one.code))).toEqual([]);
    expect(text).toContain(`Code: ${code}`);
    expect(text).not.toContain('Exit Code: 0');
  });
});
