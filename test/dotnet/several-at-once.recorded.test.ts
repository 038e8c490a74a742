import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const TWO = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>
    <Only Condition="'$(TargetFramework)' == 'net10.0'">ten</Only>
    <Mode>$(Configuration)-$(RuntimeIdentifier)</Mode>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Dapper" Version="2.1.66" />
    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" Condition="'$(TargetFramework)' == 'net10.0'" />
    <PackageReference Include="Newtonsoft.Json" Version="13.0.1" Condition="'$(TargetFramework)' != 'net10.0'" />
  </ItemGroup>
</Project>
`;
const PROPS = '<Project>\n  <PropertyGroup>\n    <Company>Old</Company>\n  </PropertyGroup>\n</Project>\n';
const CENTRAL = `<Project>
  <PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>
  <ItemGroup><PackageVersion Include="Dapper" Version="2.1.66" /></ItemGroup>
</Project>
`;

describeRecorded('several at once, and one framework, configuration or runtime', () => {
  let server: SdkServer;
  const call: SdkServer['project'] = (...args) => server.project(...args);
  const at = (path: string) => join(server.workplace.folder, path);
  const read = (path: string) => readFileSync(at(path), 'utf8');
  beforeAll(async () => {
    server = await startSdkServer({
      'one/one.csproj': projectXml('<Nullable>enable</Nullable>'),
      'two/two.csproj': TWO,
      'props/Directory.Build.props': PROPS,
      'props/app/app.csproj': projectXml(),
      'central/Directory.Packages.props': CENTRAL,
      'central/lib/lib.csproj': projectXml('', '<ItemGroup><PackageReference Include="Dapper" /></ItemGroup>').replace(
        '<TargetFramework>net10.0</TargetFramework>',
        '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>',
      ),
    });
  });
  afterAll(() => server.close());

  it('GetProperty answers several names, in their order', async () => {
    const names = ['Nullable', 'TargetFramework', 'NoSuch'];
    const { text, data } = await call('GetProperty', { project: 'one/one.csproj', names });
    expect(data).toMatchObject({
      success: true,
      projectPath: at('one/one.csproj'),
      values: [
        { propertyName: 'Nullable', propertyValue: 'enable', isSet: true },
        { propertyName: 'TargetFramework', propertyValue: 'net10.0', isSet: true },
        { propertyName: 'NoSuch', propertyValue: '', isSet: false },
      ],
    });
    const place = (line: number) => `(one/one.csproj, line ${line})`;
    expect(text).toContain(`Nullable = enable ${place(4)}\nTargetFramework = net10.0 ${place(3)}\nNoSuch is not set`);
  });

  it('GetProperty, Analyze and ListItems answer for a framework, a configuration and a runtime', async () => {
    const project = 'two/two.csproj';
    const all = await call('GetProperty', { project, propertyName: 'Only' });
    expect(all.data.valuesByFramework).toEqual({ 'net10.0': 'ten', 'netstandard2.0': '' });
    expect(all.text).toContain('net10.0: ten');
    const args = { framework: 'net10.0', configuration: 'Release', runtime: 'linux-x64' };
    const one = await call('GetProperty', { project, names: ['Only', 'Mode'], ...args });
    expect(one.data.values).toMatchObject([{ propertyValue: 'ten' }, { propertyValue: 'Release-linux-x64' }]);
    const analyzed = await call('Analyze', { project, ...args, framework: 'netstandard2.0' });
    expect(analyzed.data.buildProperties).toMatchObject({ configuration: 'Release', runtimeIdentifier: 'linux-x64' });
    expect(analyzed.data.packageReferences).toContainEqual(
      expect.objectContaining({ name: 'Newtonsoft.Json', version: '13.0.1' }),
    );
    const other = await call('GetProperty', { project, propertyName: 'Only', framework: 'net9.0' });
    expect(other.data.errors[0]).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'The project does not target net9.0',
      hint: 'Give one of its frameworks: net10.0, netstandard2.0.',
      data: { additionalData: { parameter: 'framework' } },
    });
  });

  it('ListItems shows the versions of packages, also by framework and from the central file', async () => {
    const { text, data } = await call('ListItems', { project: 'two/two.csproj', itemType: 'PackageReference' });
    expect(text).toContain('PackageReference: Dapper 2.1.66\n');
    expect(text).toContain('PackageReference: Newtonsoft.Json 13.0.3 (net10.0)');
    expect(text).toContain('PackageReference: Newtonsoft.Json 13.0.1 (netstandard2.0)');
    expect(data.items).toContainEqual(expect.objectContaining({ include: 'Dapper', metadata: { Version: '2.1.66' } }));
    const one = await call('ListItems', {
      project: 'two/two.csproj',
      itemType: 'PackageReference',
      framework: 'net10.0',
    });
    expect(one.text).toContain('Newtonsoft.Json 13.0.3\n');
    expect(one.text).not.toContain('13.0.1');
    const central = await call('ListItems', { project: 'central/lib/lib.csproj', itemType: 'PackageReference' });
    expect(central.text).toContain('PackageReference: Dapper 2.1.66');
  });

  it('SetProperty sets several, RemoveProperty removes several', async () => {
    const project = 'one/one.csproj';
    const set = await call('SetProperty', {
      project,
      properties: { Version: '2.0.0', IsPackable: false, ApiKey: 'my-own-key-x' },
    });
    expect(set.data).toMatchObject({
      success: true,
      properties: { Version: '2.0.0', IsPackable: 'false', ApiKey: '[REDACTED]' },
      summary: `Set in ${project}, lines 5 to 7: Version = 2.0.0, IsPackable = false, ApiKey = [REDACTED]`,
    });
    expect(read(project)).toContain('<Version>2.0.0</Version>');
    expect(read(project)).toContain('<IsPackable>false</IsPackable>');
    const again = await call('SetProperty', { project, properties: { Version: '2.0.0', IsPackable: true } });
    expect(again.data).toMatchObject({
      success: true,
      summary: `Set in ${project}, line 6: IsPackable = true (was false)`,
    });
    const same = await call('SetProperty', { project, properties: { Version: '2.0.0' } });
    expect(same.data).toMatchObject({ changed: false, summary: `Version already has this value in ${project}` });
    const removed = await call('RemoveProperty', { project, names: ['Version', 'IsPackable', 'NoSuch'] });
    expect(removed.data).toMatchObject({
      removed: true,
      summary: `Version, IsPackable were removed from ${project}, lines 5 and 6 (was 2.0.0, true)`,
    });
    expect(read(project)).not.toContain('IsPackable');
  });

  it.each([
    ['GetProperty', {}, 'propertyName', 'required'],
    ['GetProperty', { propertyName: 'A', names: ['B'] }, 'names', 'conflict'],
    ['GetProperty', { names: ['a b'] }, 'names', 'invalid characters'],
    ['SetProperty', { propertyName: 'A', propertyValue: 'x', properties: { B: 'y' } }, 'properties', 'conflict'],
    ['SetProperty', { properties: {} }, 'propertyName', 'required'],
    ['SetProperty', { properties: { 'a;b': 'x' } }, 'properties', 'invalid characters'],
  ])('%s refuses %j', async (action, args, parameter, reason) => {
    const { data } = await call(action, { project: 'one/one.csproj', ...args });
    expect(data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS', data: { additionalData: { parameter, reason } } });
  });

  it('AddItem and RemoveItem take several', async () => {
    const project = 'one/one.csproj';
    const args = { project, itemType: 'None', include: ['a.txt', 'b.txt'] };
    const added = await call('AddItem', args);
    expect(added.data).toMatchObject({
      success: true,
      includes: ['a.txt', 'b.txt'],
      summary: `None a.txt, b.txt was added to ${project}, lines 8 and 9`,
    });
    expect(read(project)).toContain('<None Include="b.txt" />');
    expect((await call('RemoveItem', args)).data).toMatchObject({ removed: true });
    expect(read(project)).not.toContain('b.txt');
  });

  it('properties of Directory.Build.props and Directory.Packages.props are set, read and removed', async () => {
    const project = 'props/Directory.Build.props';
    const set = await call('SetProperty', { project, propertyName: 'Company', propertyValue: 'New' });
    expect(set.data).toMatchObject({ projectPath: at(project), lockInfo: { lockKey: at('props') } });
    expect(read(project)).toBe(PROPS.replace('Old', 'New'));
    const got = await call('GetProperty', { project, propertyName: 'Company' });
    expect(got.data).toMatchObject({ propertyValue: 'New', isSet: true, projectPath: at(project) });
    expect(
      (await call('GetProperty', { project: 'props/app/app.csproj', propertyName: 'Company' })).data,
    ).toMatchObject({
      propertyValue: 'New',
    });
    expect((await call('RemoveProperty', { project, propertyName: 'Company' })).data).toMatchObject({ removed: true });
    expect(read(project)).not.toContain('Company');
    const central = 'central/Directory.Packages.props';
    const pinned = await call('SetProperty', {
      project: central,
      properties: { CentralPackageTransitivePinningEnabled: true },
    });
    expect(pinned.data.success).toBe(true);
    expect(read(central)).toContain('<CentralPackageTransitivePinningEnabled>true<');
    const missing = await call('SetProperty', {
      project: 'one/Directory.Build.props',
      propertyName: 'A',
      propertyValue: '',
    });
    const { toolName, arguments: create } = missing.data.errors[0].recommendedAction;
    expect([toolName, create]).toEqual(['dotnet_project', { action: 'New', template: 'buildprops', output: 'one' }]);
    const created = await server.call(toolName, create);
    expect(created.data).toMatchObject({
      success: true,
      createdFiles: [expect.stringContaining('Directory.Build.props')],
    });
    const build = await call('Build', { project });
    expect(build.data.errors[0].data.additionalData).toMatchObject({
      parameter: 'project',
      reason: 'invalid extension',
    });
  });
});
