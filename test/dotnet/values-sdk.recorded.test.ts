import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { type SdkServer, startSdkServer } from './sdk-server.js';

type Arguments = Record<string, unknown>;

/** Leaves a file behind where a value got through: as the property Evil, or as the target Only. */
const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net10.0</TargetFramework><OutputType>Exe</OutputType></PropertyGroup>
  <Target Name="Only"><Touch Files="$(MSBuildProjectDirectory)/evil" AlwaysCreate="true" /></Target>
  <Target Name="Look" BeforeTargets="Restore;CollectPackageReferences;Build;CoreCompile;Publish;Pack;VSTest" Condition="'$(Evil)' != ''">
    <Touch Files="$(MSBuildProjectDirectory)/evil" AlwaysCreate="true" />
  </Target>
</Project>
`;

const PASSWD = '@/etc/passwd';
const QUOTED = 'a",Evil=1,"';

const project = (action: string, args: Arguments): [string, Arguments] => ['dotnet_project', { action, ...args }];

const CALLS: [tool: string, args: Arguments][] = [
  ...['/p:Evil=1', '/t:Only', '@inj.rsp'].map((value) => project('Build', { project: value })),
  ...['Restore', 'Run', 'Pack', 'Test'].map((action) => project(action, { project: '/p:Evil=/etc' })),
  project('Build', { output: 'out;Evil=1', noRestore: true }),
  project('Publish', { output: QUOTED, noRestore: true }),
  project('Pack', { output: '@inj.rsp', noRestore: true }),
  project('Restore', { source: '@inj.rsp' }),
  project('Restore', { source: QUOTED }),
  project('Restore', { configFile: 'a;Evil=1' }),
  project('Restore', { properties: { Other: QUOTED } }),
  project('Test', { noRestore: true, filter: '@inj.rsp', logger: 'a;Evil=1', collect: QUOTED, resultsDirectory: '-x' }),
  project('Test', {
    noRestore: true,
    filter: QUOTED,
    logger: '@inj.rsp',
    collect: 'a;Evil=1',
    resultsDirectory: QUOTED,
  }),
  project('Run', { noRestore: true, launchProfile: '@inj.rsp' }),
  ['dotnet_project', { action: 'New', template: 'console', name: PASSWD, output: 'new' }],
  ['dotnet_project', { action: 'New', template: 'console', output: 'new', additionalOptions: [PASSWD] }],
  ['dotnet_project', { action: 'New', template: 'console', output: 'new', additionalOptions: [`--name=${PASSWD}`] }],
  ['dotnet_project', { action: 'New', template: 'console', name: 'a', output: PASSWD }],
  ['dotnet_solution', { action: 'Create', name: PASSWD }],
  ['dotnet_solution', { action: 'List', solution: PASSWD }],
  ['dotnet_package', { action: 'Add', packageId: 'Some.Package', version: PASSWD }],
  ['dotnet_package', { action: 'Add', packageId: 'Some.Package', source: PASSWD }],
  ['dotnet_package', { action: 'Search', searchTerm: PASSWD }],
  ['dotnet_tool', { action: 'Install', packageId: 'Some.Tool', version: PASSWD }],
  ['dotnet_tool', { action: 'Run', toolName: 'some', args: [PASSWD] }],
  ['dotnet_sdk', { action: 'InstallTemplatePack', templatePackage: PASSWD }],
  ['dotnet_sdk', { action: 'InstallTemplatePack', templatePackage: 'Some.Pack', nugetSource: PASSWD }],
  ['dotnet_workload', { action: 'Search', searchTerm: PASSWD }],
  ['dotnet_dev_certs', { action: 'SecretsRemove', key: PASSWD }],
];

describeRecorded('hostile values with the real SDK', () => {
  let server: SdkServer;
  let folder: string;

  beforeAll(async () => {
    server = await startSdkServer({
      'App.csproj': PROJECT,
      'Program.cs': 'System.Console.WriteLine(1);',
      'inj.rsp': '-p:Evil=1',
    });
    folder = server.workplace.folder;
    await server.project('Restore');
  }, 120_000);
  afterAll(() => server.close());

  it.each(CALLS)(
    '%s %j',
    async (tool, args) => {
      const { text, data } = await server.call(tool, args);
      expect(existsSync(join(folder, 'evil'))).toBe(false);
      expect(`${text}${JSON.stringify(data)}`).not.toContain('root:');
    },
    60_000,
  );

  it('builds a project whose path begins with @', async () => {
    const name = '@odd';
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'Odd.csproj'), PROJECT);
    writeFileSync(join(folder, name, 'Program.cs'), 'System.Console.WriteLine(1);');
    const { isError } = await server.project('Build', { project: `${name}/Odd.csproj`, output: `${name}/out;1` });
    expect(isError).toBe(false);
    expect(existsSync(join(folder, name, 'out;1/Odd.dll'))).toBe(true);
  }, 120_000);
});
