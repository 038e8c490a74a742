import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const APP = 'Console.WriteLine("args: " + string.Join("|", args));\n';

describeRecorded('several packages and references at once, and one C# file', () => {
  let server: SdkServer;
  const at = (path: string) => join(server.workplace.folder, path);
  const read = (path: string) => readFileSync(at(path), 'utf8');
  const packages = (action: string, args: object) => server.call('dotnet_package', { action, ...args });
  beforeAll(async () => {
    server = await startSdkServer({
      'app/app.csproj': projectXml(),
      'a/a.csproj': projectXml(),
      'b/b.csproj': projectXml(),
      'one.cs': APP,
    });
  });
  afterAll(() => server.close());

  it('Add and Remove take several packages, each with its version', async () => {
    const project = 'app/app.csproj';
    const added = await packages('Add', {
      project,
      packageIds: ['Dapper@2.1.66', 'Newtonsoft.Json'],
      version: '13.0.3',
    });
    expect(added.data, added.text).toMatchObject({
      success: true,
      project,
      packages: [
        { packageId: 'Dapper', version: '2.1.66' },
        { packageId: 'Newtonsoft.Json', version: '13.0.3' },
      ],
      summary: 'Added Dapper 2.1.66; Added Newtonsoft.Json 13.0.3',
    });
    expect(added.text).toMatch(
      /^Added Dapper 2\.1\.66\n.*, line 7: added .*\nAdded Newtonsoft\.Json 13\.0\.3\n.*, line 8: added /,
    );
    const failed = await packages('Add', { project, packageIds: ['Dapper@2.1.66', 'No.Such.Package.Of.Ours@1.0.0'] });
    expect(failed.isError).toBe(true);
    expect(failed.text).toContain('Dapper 2.1.66 was referenced already');
    expect(failed.data.packages).toMatchObject([{ packageId: 'Dapper', changed: false }]);
    const removed = await packages('Remove', { project, packageIds: ['Dapper', 'Newtonsoft.Json', 'Serilog'] });
    expect(removed.data).toMatchObject({
      packages: [{ packageId: 'Dapper' }, { packageId: 'Newtonsoft.Json' }, { packageId: 'Serilog', changed: false }],
    });
    expect(read(project)).not.toContain('PackageReference');
  });

  it.each([
    ['Add', { packageIds: ['Dapper@'] }, 'packageIds', 'invalid format'],
    ['Add', { packageIds: ['Dapper@1.0@2.0'] }, 'packageIds', 'invalid format'],
    ['Add', { packageId: 'Dapper', packageIds: ['Serilog'] }, 'packageIds', 'conflict'],
    ['Remove', {}, 'packageId', 'required'],
    ['AddReference', { project: 'app/app.csproj' }, 'referencePath', 'required'],
  ])('%s refuses %j', async (action, args, parameter, reason) => {
    const { data } = await packages(action, args);
    expect(data.errors[0]).toMatchObject({ code: 'INVALID_PARAMS', data: { additionalData: { parameter, reason } } });
  });

  it('AddReference and RemoveReference take several projects', async () => {
    const args = { project: 'app/app.csproj', references: ['a/a.csproj', 'b/b.csproj'] };
    const added = await packages('AddReference', args);
    expect(added.data, added.text).toMatchObject({ success: true, ...args });
    expect(added.data).not.toHaveProperty('changed');
    expect(read(args.project)).toMatch(/a\.csproj[\s\S]*b\.csproj/);
    expect((await packages('AddReference', args)).data).toMatchObject({ changed: false });
    expect((await packages('RemoveReference', args)).data).toMatchObject({ success: true, ...args });
    expect(read(args.project)).not.toContain('ProjectReference');
    expect((await packages('RemoveReference', args)).data).toMatchObject({ changed: false });
  });

  it('one C# file is restored, given a package, run with arguments, published and cleaned', async () => {
    const project = 'one.cs';
    const added = await packages('Add', { project, packageId: 'Newtonsoft.Json', version: '13.0.3' });
    expect(added.data, added.text).toMatchObject({
      success: true,
      packageId: 'Newtonsoft.Json',
      version: '13.0.3',
      project,
    });
    expect(read(project)).toContain('#:package Newtonsoft.Json@13.0.3');
    const again = await packages('Add', { project, packageId: 'Newtonsoft.Json', version: '13.0.3' });
    expect(again.data).toMatchObject({ changed: false, previousVersion: '13.0.3' });
    const removed = await packages('Remove', { project, packageId: 'Newtonsoft.Json' });
    expect(removed.data).toMatchObject({ success: true, previousVersion: '13.0.3' });
    expect(read(project)).not.toContain('#:package');
    expect((await packages('Remove', { project, packageId: 'Newtonsoft.Json' })).data).toMatchObject({
      changed: false,
    });
    const restored = await server.project('Restore', { project });
    expect(restored.data, restored.text).toMatchObject({ success: true });
    const run = await server.project('Run', { project, appArgs: ['a b', '--c', '@d'] });
    expect(run.text).toContain('args: a b|--c|@d');
    const published = await server.project('Publish', { project, output: 'out', properties: { PublishAot: false } });
    expect(published.data, published.text).toMatchObject({ success: true, outputPath: at('out') });
    expect(existsSync(at('out/one.dll'))).toBe(true);
    const cleaned = await server.project('Clean', { project });
    expect(cleaned.data, cleaned.text).toMatchObject({ success: true });
  });
});
