import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded, namePlaceholder } from '../support/recorded-dotnet/index.js';
import { type ContainerRegistry, startContainerRegistry } from './container-registry.js';
import { type Called, CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const projectReference = (path: string) => `<ItemGroup><ProjectReference Include="${path}" /></ItemGroup>`;
const packageReference = (id: string, version: string) =>
  `<ItemGroup><PackageReference Include="${id}" Version="${version}" /></ItemGroup>`;
const GENERATOR = `
using Microsoft.CodeAnalysis;
[Generator]
public class G : IIncrementalGenerator
{
  public void Initialize(IncrementalGeneratorInitializationContext context) =>
    context.RegisterPostInitializationOutput(each => each.AddSource("bad.g.cs", "class B { int a = nope; }"));
}`;

const FILES = {
  'circle/a/a.csproj': projectXml('', projectReference('../b/b.csproj')),
  'circle/b/b.csproj': projectXml('', projectReference('..\\a\\a.csproj')),
  'circle/All.slnx': '<Solution><Project Path="a/a.csproj" /><Project Path="b/b.csproj" /></Solution>',
  'nested/outer.csproj': projectXml(),
  'nested/O.cs': 'class O { }',
  'nested/inner/inner.csproj': projectXml(),
  'nested/inner/I.cs': 'class I { }',
  'hand/hand.csproj': projectXml(),
  'hand/A.cs': '[assembly: System.Reflection.AssemblyCompany("x")] [assembly: System.Reflection.AssemblyTitle("x")]',
  'generator/generator.csproj': projectXml(
    '<EnforceExtendedAnalyzerRules>true</EnforceExtendedAnalyzerRules><LangVersion>latest</LangVersion>',
    packageReference('Microsoft.CodeAnalysis.CSharp', '4.14.0'),
    'netstandard2.0',
  ),
  'generator/G.cs': GENERATOR,
  'generated/generated.csproj': projectXml(
    '',
    projectReference('../generator/generator.csproj').replace(
      ' />',
      ' OutputItemType="Analyzer" ReferenceOutputAssembly="false" />',
    ),
  ),
  'several/several.csproj': projectXml(CONSOLE).replace(
    '<TargetFramework>net10.0</TargetFramework>',
    '<TargetFrameworks>netstandard2.0;net10.0</TargetFrameworks>',
  ),
  'several/P.cs': 'class P { static void Main() { } }',
  'one/one.csproj': projectXml(CONSOLE),
  'one/P.cs': 'throw new InvalidOperationException("the data is broken", new ArgumentException("row 7"));',
  'windows/windows.csproj': projectXml('<UseWPF>true</UseWPF>', '', 'net10.0-windows'),
  'package/package.csproj': '<Project Sdk="MSTest.Sdk" />',
  'misspelled/misspelled.csproj': projectXml('').replace('Microsoft.NET.Sdk"', 'Microsoft.NET.Sdk.Wbe"'),
  'tunit/tests.csproj': projectXml(CONSOLE, packageReference('TUnit', '1.81.10')),
  'tunit/T.cs': 'public class T { [Test] public async Task Works() => await Assert.That(1).IsEqualTo(1); }',
  'locked/locked.csproj': projectXml(
    '<RestorePackagesWithLockFile>true</RestorePackagesWithLockFile><RestoreLockedMode>true</RestoreLockedMode>',
    packageReference('Humanizer.Core', '2.14.1'),
  ),
  'locked/packages.lock.json': JSON.stringify({ version: 1, dependencies: { 'net10.0': {} } }),
  'similar/similar.csproj': projectXml('', packageReference('Humaniser.Core', '2.14.1')),
  'container/container.csproj': projectXml(
    `${CONSOLE}<EnableSdkContainerSupport>true</EnableSdkContainerSupport>`,
    '<Target Name="Image" AfterTargets="Publish"><CallTarget Targets="PublishContainer" /></Target>',
  ),
  'container/P.cs': 'return;',
  'older/older.csproj': projectXml('<Nullable>enable</Nullable>', '', 'netstandard2.0'),
  'older/O.cs': 'class O { }',
  'pair/a.csproj': projectXml(),
  'pair/b.csproj': projectXml('<EnableDefaultItems>false</EnableDefaultItems>'),
  'newer/newer.csproj': projectXml('').replace(
    /<TargetFramework>.*<\/TargetFramework>/,
    '<TargetFrameworks>net10.0;net99.0</TargetFrameworks>',
  ),
  'newer/N.cs': 'class N { }',
  'central/Directory.Packages.props':
    '<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup></Project>',
  'central/own.csproj': projectXml('', packageReference('Humanizer.Core', '2.14.1')),
  'versions/Directory.Packages.props':
    '<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup></Project>',
  'versions/app/app.csproj': projectXml('', packageReference('Humanizer.Core', '2.14.1')),
  'versions/All.slnx': '<Solution><Project Path="app/app.csproj" /></Solution>',
};

describeRecorded('next actions', () => {
  let server: SdkServer;
  let registry: ContainerRegistry;
  const at = (path: string) => join(server.workplace.folder, path);
  const next = ({ data, text, isError }: Called) => {
    expect({ isError, text }).toMatchObject({ isError: true });
    const [{ recommendedAction: action }] = data.errors;
    expect({ action, text }).toMatchObject({ action: { actionKind: 'CallTool' } });
    expect(text).toContain(`Next: ${action.description} ${action.toolName} ${JSON.stringify(action.arguments)}`);
    return action;
  };
  /** Calls the next action of a failure as it stands. */
  const follow = async (failed: Called) => {
    const { toolName, arguments: args } = next(failed);
    return server.call(toolName, args);
  };
  beforeAll(async () => {
    registry = await startContainerRegistry();
    namePlaceholder('registry', registry.host);
    const env = { DOTNET_CONTAINER_INSECURE_REGISTRIES: registry.host, DOCKER_HOST: 'tcp://127.0.0.1:9' };
    server = await startSdkServer(FILES, { Dotnet: { Enabled: true } }, env);
    mkdirSync(at('empty'));
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    registry?.close();
  });

  it('raises the version of the language where a framework has an older default', async () => {
    const failed = await server.project('Build', { project: 'older' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'CS8630', hint: expect.stringContaining('LangVersion') });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    const again = await server.project('Build', { project: 'older', noRestore: true });
    expect(again.data).toMatchObject({ success: true });
  });

  it('restores for the runtime that is missing', async () => {
    await server.project('Restore', { project: 'one' });
    const failed = await server.project('Publish', { project: 'one', runtime: 'linux-arm', noRestore: true });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NETSDK1047' });
    expect(next(failed).arguments).toMatchObject({ action: 'Restore', properties: { RuntimeIdentifier: 'linux-arm' } });
  });

  it('removes packages with versions of their own, which Add then gives central ones', async () => {
    const failed = await server.project('Restore', { project: 'central' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NU1008' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    const { packageIds } = next(failed).arguments;
    const added = await server.call('dotnet_package', { action: 'Add', project: 'central', packageIds });
    expect(added.data).toMatchObject({ success: true });
    expect((await server.project('Restore', { project: 'central' })).data).toMatchObject({ success: true });
  });

  it('names the parameter that an action takes in place of projectPath', async () => {
    const property = { propertyName: 'Nullable', propertyValue: 'enable' };
    const { text } = await server.project('SetProperty', { projectPath: 'older', ...property });
    expect(text).toContain("SetProperty takes 'project' for it.");
  });

  it('names a project of a folder that holds several', async () => {
    for (const target of [{ project: 'pair' }, { workingDirectory: 'pair' }]) {
      const failed = await server.project('Build', target);
      expect(failed.data.errors[0].code).toMatch(/^MSB10(?:11|50)$/);
      expect(next(failed).description).toBe('The folder holds a.csproj, b.csproj: name one of them.');
      expect((await follow(failed)).data).toMatchObject({ success: true });
    }
  });

  it('sets the newest framework that the SDK can target', async () => {
    const failed = await server.project('Build', { project: 'newer' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NETSDK1045' });
    expect(next(failed).arguments).toMatchObject({ action: 'SetProperty', propertyName: 'TargetFrameworks' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    expect(readFileSync(at('newer/newer.csproj'), 'utf8')).toContain('<TargetFrameworks>net10.0</TargetFrameworks>');
    expect((await server.project('Build', { project: 'newer' })).data).toMatchObject({ success: true });
  });

  it('removes them from the project, not from the solution that was restored', async () => {
    const failed = await server.project('Restore', { project: 'versions/All.slnx' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NU1008' });
    expect(failed.text).not.toContain('All.slnx]');
    expect(next(failed).arguments.project).toBe(at('versions/app/app.csproj'));
    expect((await follow(failed)).data).toMatchObject({ success: true });
  });

  describe('a circle of project references', () => {
    it('is named by Validate of a project and of its solution', async () => {
      const sentence = /Circular project reference: a\.csproj → b\.csproj → a\.csproj\./;
      const one = await server.project('Validate', { project: 'circle/b/b.csproj' });
      expect(one.data).toMatchObject({ isValid: false, errors: [expect.stringMatching(sentence)] });
      const all = await server.call('dotnet_solution', { action: 'Validate', solution: 'circle/All.slnx' });
      expect(all.data.issues).toContainEqual({
        severity: 'error',
        projects: ['a', 'b'],
        message: expect.stringMatching(sentence),
      });
    });

    it('is opened by the next action of the build', async () => {
      const failed = await server.project('Build', { project: 'circle/a/a.csproj' });
      expect(failed.data.errors[0]).toMatchObject({ code: 'MSB4006' });
      expect(next(failed).description).toMatch(/[ab]\.csproj → [ab]\.csproj → [ab]\.csproj/);
      expect((await follow(failed)).data).toMatchObject({ success: true });
      expect((await server.project('Build', { project: 'circle/a/a.csproj' })).data).toMatchObject({ success: true });
    });
  });

  it('excludes a nested project whose obj doubles attributes', async () => {
    expect((await server.project('Build', { project: 'nested/inner' })).isError).toBe(false);
    const failed = await server.project('Build', { project: 'nested/outer.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'CS0579' });
    expect(next(failed).arguments).toMatchObject({ propertyName: 'DefaultItemExcludes' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    const again = await server.project('Build', { project: 'nested/outer.csproj', noRestore: true });
    expect(again.data).toMatchObject({ success: true });
  });

  it('keeps attributes that were written by hand', async () => {
    const failed = await server.project('Build', { project: 'hand/hand.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'CS0579' });
    expect((await follow(failed)).data).toMatchObject({ success: true, propertyName: 'GenerateAssemblyInfo' });
    const again = await server.project('Build', { project: 'hand/hand.csproj', noRestore: true });
    expect(again.data).toMatchObject({ success: true });
  });

  it('writes generated files, so that the place of an error can be read', async () => {
    const failed = await server.project('Build', { project: 'generated/generated.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'CS0103', file: expect.stringContaining('bad.g.cs') });
    const again = await follow(failed);
    expect(again.data.errors[0]).toMatchObject({ code: 'CS0103', file: expect.stringContaining('bad.g.cs') });
    expect(again.data.errors[0].recommendedAction).toMatchObject({ actionKind: 'ManualStep' });
  });

  it('names the framework of a publish, and keeps what else was asked', async () => {
    const failed = await server.project('Publish', { project: 'several/several.csproj', configuration: 'Debug' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NETSDK1129' });
    expect(next(failed).arguments).toMatchObject({ framework: 'net10.0', configuration: 'Debug' });
    expect((await follow(failed)).data).toMatchObject({ success: true, framework: 'net10.0' });
  });

  it('names the nearest runtime identifier', async () => {
    const failed = await server.project('Build', { project: 'one/one.csproj', runtime: 'linux-x65' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NETSDK1083' });
    expect(next(failed).arguments).toEqual({ action: 'Build', project: 'one/one.csproj', runtime: 'linux-x64' });
    const { data } = await follow(failed);
    expect(data.errors?.[0]?.code).not.toBe('NETSDK1083');
  });

  it('allows Windows as a target', async () => {
    const failed = await server.project('Build', { project: 'windows/windows.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NETSDK1100' });
    expect((await follow(failed)).data).toMatchObject({ success: true, propertyName: 'EnableWindowsTargeting' });
    const { data } = await server.project('Build', { project: 'windows/windows.csproj' });
    expect(data.errors?.[0]?.code).not.toBe('NETSDK1100');
  });

  it('looks up the versions of an SDK package', async () => {
    const failed = await server.project('Build', { project: 'package/package.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ rootCauseKind: 'MissingSdk' });
    expect(next(failed).arguments).toEqual({ action: 'Search', searchTerm: 'MSTest.Sdk', exactMatch: true });
    const misspelled = await server.project('Build', { project: 'misspelled/misspelled.csproj' });
    expect(misspelled.data.errors[0].recommendedAction.description).toContain('Sdk="Microsoft.NET.Sdk.Web"');
  });

  it('chooses Microsoft.Testing.Platform for a project that needs it', async () => {
    const args = { project: 'tests.csproj', workingDirectory: at('tunit') };
    const failed = await server.project('Test', args);
    expect(next(failed).arguments).toMatchObject({ testRunner: 'Microsoft.Testing.Platform' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    expect((await server.project('Test', args)).data).toMatchObject({ success: true, passed: 1 });
  });

  it('updates a lock file of a project in locked mode', async () => {
    const failed = await server.project('Build', { project: 'locked/locked.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NU1004' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    expect((await server.project('Restore', { project: 'locked/locked.csproj' })).data).toMatchObject({
      success: true,
    });
  });

  it('takes a package of a name like the one that is not there', async () => {
    const failed = await server.project('Restore', { project: 'similar/similar.csproj' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'NU1101' });
    expect(next(failed).arguments).toEqual({ action: 'Search', searchTerm: 'Humanizer.Core', exactMatch: true });
    const add = { action: 'Add', project: 'one/one.csproj', packageId: 'Humaniser.Core', version: '2.14.1' };
    const added = await server.call('dotnet_package', add);
    expect(next(added).arguments).toEqual({ ...add, packageId: 'Humanizer.Core' });
    expect((await follow(added)).data).toMatchObject({ success: true });
  });

  it.each(['Build', 'Analyze', 'Validate'])(
    '%s offers the projects nearest to one that is not there',
    async (action) => {
      const failed = await server.project(action, { project: 'ones/ones.csproj' });
      expect(next(failed).description).toContain('one/one.csproj');
      expect(next(failed).arguments).toEqual({ action, project: 'one/one.csproj' });
      const nothing = await server.project(action, { project: 'ones.csproj', workingDirectory: at('empty') });
      expect(nothing.data.errors[0].recommendedAction).toMatchObject({ actionKind: 'ManualStep' });
    },
  );

  it('writes a container image to a file where no container runtime is', async () => {
    const project = 'container/container.csproj';
    const properties = { ContainerBaseImage: `${registry.host}/base:1`, LocalRegistry: 'Docker' };
    const failed = await server.project('Publish', { project, properties });
    expect(failed.data.errors[0]).toMatchObject({ code: 'CONTAINER1012' });
    const { data, text } = await follow(failed);
    const file = at('container/bin/image.tar.gz');
    expect(data.images).toEqual([{ name: 'container:latest', destination: `local archive at '${file}'` }]);
    expect(text).toContain(`Image: container:latest, in local archive at '${file}'`);
    expect(existsSync(file)).toBe(true);
  });

  it('overwrites files of a template only when that is asked for', async () => {
    const create = { template: 'classlib', name: 'made', output: 'made' };
    expect((await server.project('New', create)).data).toMatchObject({ success: true });
    const failed = await server.project('New', create);
    expect(failed.data.errors[0]).toMatchObject({ code: 'EXIT_73', rootCauseKind: 'InvalidParameter' });
    expect(failed.text).toContain('Overwrite   made/made.csproj');
    expect(failed.text).not.toContain('dotnet new');
    expect(next(failed).arguments).toEqual({ action: 'New', ...create, force: true });
    expect((await follow(failed)).data).toMatchObject({ success: true });
  });

  it('lists the templates where none has a similar name', async () => {
    const failed = await server.project('New', { template: 'qqqzzz' });
    expect(next(failed)).toMatchObject({ toolName: 'dotnet_sdk', arguments: { action: 'ListTemplates' } });
  });

  it('takes the target of the most similar name', async () => {
    const failed = await server.project('Build', { project: 'circle/../pair/a.csproj', target: 'Biuld' });
    expect(failed.data.errors[0]).toMatchObject({ code: 'MSB4057' });
    expect(next(failed).arguments).toEqual({ action: 'Build', project: 'circle/../pair/a.csproj', target: 'Build' });
    expect((await follow(failed)).data).toMatchObject({ success: true });
    const other = await server.project('Build', { project: 'pair/a.csproj', target: 'Nonsense', noRestore: true });
    expect(other.text).toContain('Correct the parameter target: the project has no target Nonsense.');
  });

  it('adds a reference to another project, never to the project itself', async () => {
    const add = { action: 'AddReference', project: 'a.csproj', workingDirectory: at('pair') };
    const failed = await server.call('dotnet_package', { ...add, referencePath: 'aa.csproj' });
    expect(next(failed).arguments).toEqual({ ...add, references: ['b.csproj'] });
    expect((await follow(failed)).data).toMatchObject({ success: true });
  });

  it('creates no file to read a property of it', async () => {
    for (const action of ['GetProperty', 'RemoveProperty']) {
      const { data } = await server.project(action, { project: 'pair/Directory.Build.props', propertyName: 'A' });
      expect(data.errors[0].recommendedAction).toMatchObject({ actionKind: 'ManualStep' });
    }
  });

  it('lists the values of a parameter that is missing', async () => {
    const cache = await server.call('dotnet_package', { action: 'ClearCache' });
    expect(cache.data.errors[0].hint).toBe('Give one of: all, http-cache, global-packages, temp, plugins-cache.');
    const watch = await server.project('Watch', { project: 'one/one.csproj' });
    expect(watch.data.errors[0].hint).toBe('Give one of: run, test, build.');
  });

  it('says what ended a program, with the cause and the place', async () => {
    const { data, text } = await server.project('Run', { project: 'one/one.csproj' });
    expect(data.errors[0].message).toBe(
      'Unhandled exception. System.InvalidOperationException: the data is broken\n' +
        '---> System.ArgumentException: row 7\n' +
        `at Program.<Main>$(String[] args) in ${at('one/P.cs')}:line 1`,
    );
    expect(text).toMatch(/^Error: Unhandled exception\. System\.InvalidOperationException: the data is broken\n/);
  });

  it('says why no container image was made', async () => {
    const properties = { ContainerBaseImage: '127.0.0.1:9/none:1' };
    const { data, text } = await server.project('Publish', { project: 'container/container.csproj', properties });
    expect(data.errors[0].data.command).toContain('-p:ContainerBaseImage=127.0.0.1:9/none:1');
    expect(text).toMatch(/(?:Hint|Next): The base image 127\.0\.0\.1:9\/none:1 cannot be fetched from its registry/);
    expect(text).not.toContain('Delete bin and obj');
  });
});
