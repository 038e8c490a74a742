import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { type SdkServer, startSdkServer } from './sdk-server.js';

/** Leaves a file whose name says what ran. */
const touch = (name: string) => `<Exec Command="echo ran > &quot;$(MSBuildThisFileDirectory)ran-${name}&quot;" />`;

const HOOKS = [
  'Restore',
  'CollectPackageReferences',
  'Build',
  '_IsProjectRestoreSupported',
  'GetTargetFrameworks',
  'Collect',
];
const hooks = (where: string) =>
  HOOKS.map(
    (target) => `<Target Name="${where}${target}" BeforeTargets="${target}">${touch(`${where}-${target}`)}</Target>`,
  ).join('\n');

/** Whatever runs of it leaves a file; all of it runs in a build. */
const hostile = (
  name: string,
  frameworks: string,
) => `<Project Sdk="Microsoft.NET.Sdk" InitialTargets="First" DefaultTargets="Default">
  <PropertyGroup>${frameworks}<FromProject>${name}</FromProject></PropertyGroup>
  <ItemGroup><PackageReference Include="Dapper" Version="2.1.66" /></ItemGroup>
  <UsingTask TaskName="Own" TaskFactory="RoslynCodeTaskFactory" AssemblyFile="$(MSBuildToolsPath)/Microsoft.Build.Tasks.Core.dll">
    <Task><Code Type="Fragment" Language="cs">System.IO.File.WriteAllText("ran-task", "");</Code></Task>
  </UsingTask>
  <Target Name="First">${touch('initial')}</Target>
  <Target Name="Default">${touch('default')}<Own /></Target>
  ${hooks('project')}
</Project>
`;

const FILES = {
  'Directory.Build.rsp': '-p:FromResponse=yes -t:First -restore\n-fl -flp:logfile=ran-log -bl:ran-binlog.binlog',
  'Directory.Build.props': `<Project InitialTargets="Props"><Target Name="Props">${touch('props')}</Target></Project>`,
  'Directory.Build.targets': `<Project>${hooks('targets')}</Project>`,
  'Directory.Solution.props': `<Project InitialTargets="S"><Target Name="S">${touch('solution-props')}</Target></Project>`,
  'Directory.Solution.targets': `<Project InitialTargets="T"><Target Name="T">${touch('solution-targets')}</Target></Project>`,
  'before.All.sln.targets': `<Project InitialTargets="B"><Target Name="B">${touch('before-solution')}</Target></Project>`,
  'after.All.sln.targets': `<Project InitialTargets="A"><Target Name="A">${touch('after-solution')}</Target></Project>`,
  'App/App.csproj': hostile('App', '<TargetFramework>net10.0</TargetFramework>'),
  'Lib/Lib.csproj': hostile('Lib', '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>'),
  'All.sln': `Microsoft Visual Studio Solution File, Format Version 12.00
${['App', 'Lib'].map((name, index) => `Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "${name}", "${name}\\${name}.csproj", "{00000000-0000-0000-0000-00000000000${index}}"\nEndProject`).join('\n')}
Global
EndGlobal
`,
};

const APP = 'App/App.csproj';
const LIB = 'Lib/Lib.csproj';

const READ_ONLY: [tool: string, args: Record<string, unknown>][] = [
  ['dotnet_project', { action: 'Analyze', projectPath: APP }],
  ['dotnet_project', { action: 'Analyze', projectPath: LIB }],
  ['dotnet_project', { action: 'Dependencies', projectPath: APP }],
  ['dotnet_project', { action: 'Validate', projectPath: APP }],
  ['dotnet_project', { action: 'GetProperty', project: LIB, propertyName: 'Some' }],
  ['dotnet_project', { action: 'ListItems', project: APP }],
  ['dotnet_project', { action: 'ListItems', project: LIB, itemType: 'Compile' }],
  ['dotnet_solution', { action: 'Analyze', solution: 'All.sln' }],
  ['dotnet_solution', { action: 'Dependencies', solution: 'All.sln' }],
  ['dotnet_solution', { action: 'Validate', solution: 'All.sln' }],
  ['dotnet_solution', { action: 'List', solution: 'All.sln' }],
  ['dotnet_package', { action: 'List', project: APP }],
  ['dotnet_package', { action: 'List', project: LIB, includeTransitive: true }],
  ['dotnet_package', { action: 'List', project: 'All.sln' }],
  ['dotnet_package', { action: 'List' }],
];

describeRecorded('looking at a hostile project', () => {
  let server: SdkServer;
  const ran = () =>
    ['', 'App', 'Lib'].flatMap((folder) =>
      readdirSync(join(server.workplace.folder, folder)).filter((name) => /^ran-|^obj$/.test(name)),
    );

  beforeAll(async () => {
    server = await startSdkServer(FILES);
  });
  afterAll(() => server.close());
  afterEach(() => {
    for (const folder of ['App', 'Lib'])
      rmSync(join(server.workplace.folder, folder, 'obj'), { recursive: true, force: true });
  });

  it.each(READ_ONLY)(
    '%s %j runs nothing',
    async (tool, args) => {
      const { isError, text } = await server.call(tool, args);
      expect(text).not.toContain('Error:');
      expect(isError).toBe(false);
      expect(ran()).toEqual([]);
    },
    60_000,
  );

  it('and reading its workspace runs nothing', async () => {
    await server.client.readResource({ uri: 'dotnet://workspace' });
    expect(ran()).toEqual([]);
  });

  it('has the properties of Directory.Build.rsp', async () => {
    const { data } = await server.project('GetProperty', { project: LIB, propertyName: 'FromResponse' });
    expect(data).toMatchObject({ propertyValue: 'yes', restored: false });
  });

  it('says what only a restore can tell, and how to make it', async () => {
    const { data, text } = await server.call('dotnet_package', { action: 'List', project: APP });
    expect(data).toMatchObject({
      packages: [{ name: 'Dapper', requestedVersion: '2.1.66' }],
      restored: false,
      note: expect.stringContaining('App'),
      recommendedAction: { toolName: 'dotnet_project', arguments: { action: 'Restore', project: APP } },
    });
    expect(text).toContain('Next: dotnet_project {"action":"Restore","project":"App/App.csproj"}');
    const solution = await server.call('dotnet_solution', { action: 'Validate', solution: 'All.sln' });
    expect(solution.data.recommendedAction.arguments).toEqual({ action: 'Restore', project: 'All.sln' });
    const analyzed = await server.project('Analyze', { projectPath: APP });
    expect(analyzed.data.recommendedAction.arguments).toEqual({ action: 'Restore', project: APP });
  });

  it('is hostile: a build runs it', async () => {
    await server.project('Build', { project: APP, noRestore: true });
    expect(ran()).not.toEqual([]);
    expect(existsSync(join(server.workplace.folder, 'App'))).toBe(true);
  }, 60_000);
});
