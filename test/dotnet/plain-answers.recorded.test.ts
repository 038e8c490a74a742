import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const JSON_PACKAGE = (version: string) => `<PackageReference Include="Newtonsoft.Json" Version="${version}" />`;
const items = (...all: string[]) => `<ItemGroup>${all.join('')}</ItemGroup>`;

/** Projects whose restore succeeds, and whose evaluation alone does not see all that it restored. */
const RESTORED = {
  trimmed: projectXml('<IsTrimmable>true</IsTrimmable>'),
  framework: projectXml('', '', 'net48'),
  inTarget: projectXml(
    '',
    `<Target Name="Add" BeforeTargets="CollectPackageReferences">${items(JSON_PACKAGE('13.0.3'))}</Target>`,
  ),
  withoutReferenced: projectXml('', items('<ProjectReference Include="../absent/absent.csproj" />')),
  twice: projectXml('<NoWarn>NU1504</NoWarn>', items(JSON_PACKAGE('13.0.3'), JSON_PACKAGE('13.0.1'))),
};

const FILES = {
  ...Object.fromEntries(Object.entries(RESTORED).map(([name, xml]) => [`${name}/${name}.csproj`, xml])),
  'slow/slow.csproj': projectXml(CONSOLE),
  'slow/Program.cs': 'Thread.Sleep(60_000);',
  'app/app.csproj': projectXml(`${CONSOLE}<Version>1.2.3-beta</Version>`),
  'app/Program.cs': 'Console.WriteLine("hello");\n',
  'app/Directory.Build.targets':
    '<Project><Target Name="Stamp" BeforeTargets="Build"><PropertyGroup><Stamped>yes</Stamped></PropertyGroup></Target></Project>',
  'solution/all.slnx':
    '<Solution><Project Path="lib/lib.csproj" /><Project Path="../app/app.csproj" /><Project Path="t/t.csproj" /></Solution>',
  'solution/lib/lib.csproj': projectXml(),
  'solution/t/t.csproj': projectXml(CONSOLE, items('<PackageReference Include="Microsoft.NET.Test.Sdk" />')),
  'libraries/only.slnx': '<Solution><Project Path="../solution/lib/lib.csproj" /></Solution>',
  'template/.template.config/template.json': JSON.stringify({
    author: 'a',
    classifications: ['x'],
    identity: 'Mortise.Elsewhere',
    name: 'Elsewhere',
    shortName: 'elsewhere',
    constraints: { os: { type: 'os', args: process.platform === 'win32' ? 'Linux' : 'Windows' } },
  }),
  'template/a.txt': 'a',
};

describeRecorded('answers say what is so', () => {
  let server: SdkServer;
  const project: SdkServer['project'] = (...args) => server.project(...args);
  const at = (...path: string[]) => join(server.workplace.folder, ...path);
  beforeAll(async () => {
    server = await startSdkServer(FILES);
  });
  afterAll(() => server.close());

  it('names the limit that was given, not the time that went by', async () => {
    await project('Build', { project: 'slow' });
    const { data } = await project('Run', { project: 'slow', noBuild: true, timeoutSeconds: 2 });
    expect(data.errors[0]).toMatchObject({ code: 'OPERATION_TIMEOUT', message: 'Run did not end within 2 s' });
  });

  it.each(Object.keys(RESTORED))('calls a project restored after a restore: %s', async (name) => {
    expect((await project('Validate', { project: name })).data.restored).toBe(false);
    expect((await project('Restore', { project: name })).isError).toBe(false);
    const { data } = await project('Validate', { project: name });
    expect(data).toMatchObject({ restored: true });
    expect(JSON.stringify(data)).not.toContain('not restored');
  });

  it('does not call a project restored that asks for another version, or dropped a package', async () => {
    const was = RESTORED.inTarget;
    server.workplace.write('inTarget/inTarget.csproj', projectXml('', items(JSON_PACKAGE('13.0.1'))));
    expect((await project('Validate', { project: 'inTarget' })).data.restored).toBe(false);
    server.workplace.write('inTarget/inTarget.csproj', projectXml());
    expect((await project('Validate', { project: 'inTarget' })).data.restored).toBe(false);
    server.workplace.write('inTarget/inTarget.csproj', was);
    expect((await project('Validate', { project: 'inTarget' })).data.restored).toBe(true);
  });

  it('says Error once', async () => {
    const { data, text } = await project('New', { template: 'console', output: 'n', additionalOptions: ['--nope'] });
    expect(data.errors[0].message).toMatch(/^Invalid option/);
    expect(text).toMatch(/^Error: Invalid option/);
    expect(text).not.toMatch(/Error:\s*Error:/i);
  });

  it('offers to create a project whose template is not for this machine', async () => {
    await server.call('dotnet_sdk', { action: 'InstallTemplatePack', templatePackage: './template' });
    const { data } = await project('New', { template: 'elsewhere', output: 'e' });
    expect(data.errors[0]).toMatchObject({ code: 'EXIT_100', recommendedAction: { actionKind: 'CallTool' } });
    const { toolName, arguments: args } = data.errors[0].recommendedAction;
    expect((await server.call(toolName, args)).data).toMatchObject({ success: true, createdFiles: ['a.txt'] });
  });

  it('builds first where noBuild had nothing to run', async () => {
    const { data } = await project('Run', { project: 'app', configuration: 'Release', noBuild: true });
    expect(data.errors[0]).toMatchObject({ hint: expect.stringContaining('not built') });
    const { toolName, arguments: args } = data.errors[0].recommendedAction;
    expect(args).toEqual({ action: 'Run', project: 'app', configuration: 'Release' });
    expect((await server.call(toolName, args)).text).toContain('hello');
    const started = await project('Run', { project: 'app', framework: 'net10.0', runtime: 'any', noBuild: true });
    expect(started.isError).toBe(true);
  });

  it('names the programs of a solution that cannot be run', async () => {
    for (const args of [{ project: 'solution/all.slnx' }, { workingDirectory: at('solution') }]) {
      for (const startMode of ['Foreground', 'Background']) {
        const { data, isError } = await project('Run', { ...args, startMode, noBuild: false });
        expect(isError).toBe(true);
        expect(data.errors).toMatchObject([
          { code: 'INVALID_PARAMS', recommendedAction: { toolName: 'dotnet_project', arguments: { action: 'Run' } } },
        ]);
      }
      const { data } = await project('Run', args);
      const { toolName, arguments: call } = data.errors[0].recommendedAction;
      expect((await server.call(toolName, call)).text).toContain('hello');
    }
    const none = await project('Run', { project: 'libraries/only.slnx' });
    expect(none.data.errors[0].recommendedAction.actionKind).toBe('ManualStep');
    const watch = await project('Watch', { project: 'solution/all.slnx', watchAction: 'run' });
    expect(watch.data.errors[0].alternatives).toEqual(['app/app.csproj']);
  });

  describe('values that targets set', () => {
    const get = (propertyName: string) => project('GetProperty', { project: 'app', propertyName });

    it.each([
      ['AssemblyVersion', '1.2.3.0'],
      ['FileVersion', '1.2.3.0'],
      ['InformationalVersion', '1.2.3-beta'],
    ])('gives %s as the build does', async (name, value) => {
      const { data, text } = await get(name);
      expect(data).toMatchObject({
        propertyValue: value,
        isSet: true,
        note: expect.stringContaining('GetAssemblyVersion'),
      });
      expect(text).toContain(`${name} = ${value}`);
    });

    it('says which target sets another, and how to ask', async () => {
      const { data, text } = await get('Stamped');
      expect(data.note).toContain(`Set by a target during the build: Stamp in ${at('app/Directory.Build.targets')}`);
      expect(text).toContain('-t:Stamp -getProperty:Stamped');
    });

    it('says nothing where there is nothing to say', async () => {
      expect((await get('OutputType')).data).not.toHaveProperty('note');
      expect((await get('NoSuchProperty')).data).not.toHaveProperty('note');
    });
  });
});
