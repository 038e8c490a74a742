import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { LOCAL_SOURCE, packInto } from './local-feed.js';
import { projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const TOOL = 'Mortise.Hello';
const PACK = 'Mortise.Templates';

const TEMPLATE = {
  author: 'Mortise',
  classifications: ['Test'],
  identity: 'Mortise.Templates.One',
  name: 'Mortise One',
  shortName: 'mortise-one',
  description: 'A file of one class',
  tags: { language: 'C#', type: 'item' },
};

const PACK_PROPERTIES = `<PackageType>Template</PackageType><PackageId>${PACK}</PackageId>
    <IncludeBuildOutput>false</IncludeBuildOutput><EnableDefaultItems>false</EnableDefaultItems>
    <ContentTargetFolders>content</ContentTargetFolders><NoWarn>NU5128;NU5110;NU5111</NoWarn>`;

const FILES = {
  'nuget.config': LOCAL_SOURCE,
  'hello/Hello.csproj': projectXml(
    `<OutputType>Exe</OutputType><PackAsTool>true</PackAsTool><ToolCommandName>hello</ToolCommandName><PackageId>${TOOL}</PackageId>`,
  ),
  'hello/Program.cs': `System.Console.WriteLine("hello " + string.Join("|", args));
return args.Length > 0 && args[0] == "fail" ? 3 : 0;
`,
  'pack/Pack.csproj': projectXml(PACK_PROPERTIES, '<ItemGroup><Content Include="one/**" /></ItemGroup>'),
  'pack/one/.template.config/template.json': JSON.stringify(TEMPLATE),
  'pack/one/One.cs': 'public class One { }\n',
  'global.json': '// of the team\n{\n  // any patch will do\n  "sdk": { "rollForward": "latestMajor" }\n}\n',
};

describeRecorded('tools, template packs and the SDK itself', () => {
  let server: SdkServer;
  const tool = (action: string, args: object = {}) => server.call('dotnet_tool', { action, ...args });
  const sdk = (action: string, args: object = {}) => server.call('dotnet_sdk', { action, ...args });
  const path = (name: string) => join(server.workplace.folder, name);

  beforeAll(async () => {
    server = await startSdkServer(FILES);
    packInto(server.workplace, ['hello/Hello.csproj', 'pack/Pack.csproj'], ['1.0.0', '1.1.0']);
  }, 120_000);
  afterAll(() => server?.close());

  describe('a local tool manifest', () => {
    const lockInfo = () => ({ lockScope: 'workingDirectory', lockKey: server.workplace.folder });

    it('is created; what is there is overwritten with force only', async () => {
      expect((await tool('List')).data).toEqual({ tools: [] });
      expect((await tool('Restore')).data).toMatchObject({ success: true, changed: false, tools: [] });
      const created = await tool('CreateManifest');
      expect(created.data).toEqual({
        success: true,
        summary: 'Tool manifest created',
        path: path('.config/dotnet-tools.json'),
        lockInfo: lockInfo(),
      });
      expect(existsSync(created.data.path)).toBe(true);
      const again = await tool('CreateManifest');
      expect(again.data.errors[0]).toMatchObject({ code: 'EXIT_73', hint: expect.stringContaining('force') });
      expect((await tool('CreateManifest', { force: true })).isError).toBe(false);
    });

    it('installs a tool, once, lists and restores it', async () => {
      const installed = await tool('Install', { packageId: TOOL, version: '1.0.0' });
      expect(installed.data).toEqual({
        success: true,
        summary: `${TOOL} 1.0.0 installed in .config/dotnet-tools.json, line 4`,
        packageId: TOOL,
        version: '1.0.0',
        manifest: path('.config/dotnet-tools.json'),
        lockInfo: lockInfo(),
      });
      expect((await tool('Install', { packageId: TOOL, version: '1.0.0' })).data.changed).toBe(false);
      const listed = await tool('List');
      expect(listed.data.tools).toMatchObject([{ packageId: 'mortise.hello', version: '1.0.0', commands: ['hello'] }]);
      expect(listed.text).toBe('mortise.hello 1.0.0 (hello)\nExit Code: 0');
      expect((await tool('Restore')).data.tools).toEqual([{ packageId: 'mortise.hello', version: '1.0.0' }]);
    });

    it('runs the tool with its arguments, and keeps its exit code', async () => {
      const ran = await tool('Run', { toolName: 'hello', args: 'a "b c" --d=https://e' });
      expect(ran.data).toEqual({ toolName: 'hello', exitCode: 0, stdout: 'hello a|b c|--d=https://e\n', stderr: '' });
      expect(ran.text).toBe('hello a|b c|--d=https://e\nExit Code: 0');
      const failed = await tool('Run', { toolName: 'hello', args: ['fail', '$(whoami)'] });
      expect(failed.isError).toBe(true);
      expect(failed.data).toMatchObject({ toolName: 'hello', exitCode: 3, stdout: 'hello fail|$(whoami)\n' });
      expect(failed.data.errors[0].code).toBe('EXIT_3');
      expect((await tool('Run', { toolName: 'nope' })).text).toContain("'nope'");
    });

    it('updates the tool, once, and uninstalls it, once', async () => {
      expect((await tool('Update', { packageId: TOOL })).data).toMatchObject({
        version: '1.1.0',
        previousVersion: '1.0.0',
      });
      expect((await tool('Update', { packageId: TOOL })).data).toMatchObject({ changed: false, version: '1.1.0' });
      expect((await tool('Uninstall', { packageId: TOOL })).data).toMatchObject({ success: true, packageId: TOOL });
      const again = await tool('Uninstall', { packageId: TOOL });
      expect(again.data).toMatchObject({ success: true, changed: false });
      expect(again.text).toBe(`${TOOL} is not installed\nExit Code: 0`);
    });

    it('fails where the package is not there, and where no one can be asked for tools', async () => {
      const absent = await tool('Install', { packageId: 'Not.There.Tool' });
      expect(absent.text).toMatch(/^Error: not\.there\.tool is not found/);
      const search = await tool('Search', { searchTerm: 'hello' });
      expect(search.isError).toBe(true);
      expect(search.text).toContain('nuget.org');
    });
  });

  describe('template packs from a local folder', () => {
    const version = () => {
      const text = readFileSync(path('home/.templateengine/packages.json'), 'utf8').replace(/^\uFEFF/, '');
      return JSON.parse(text).Packages.map(({ Details }: { Details: { Version: string } }) => Details.Version);
    };

    it('are installed; the same again is not a failure', async () => {
      const installed = await sdk('InstallTemplatePack', { templatePackage: `${PACK}@1.0.0` });
      expect(installed.data).toMatchObject({ success: true, templatePackage: `${PACK}@1.0.0` });
      expect(installed.data.lockInfo).toEqual({ lockScope: 'global', lockKey: path('home/.templateengine') });
      const again = await sdk('InstallTemplatePack', { templatePackage: PACK, templateVersion: '1.0.0' });
      expect(again.isError).toBe(false);
      expect(again.data).toMatchObject({
        success: true,
        changed: false,
        metadata: { alreadyInstalled: 'true', processExitCode: '106' },
      });
      expect(again.text).toBe(`${PACK}@1.0.0 is installed already\nExit Code: 0`);
      const old = await sdk('InstallTemplatePack', { templatePackage: `${PACK}@1.0.0`, machineReadable: true });
      expect(JSON.parse(old.text)).toMatchObject({
        success: true,
        exitCode: 0,
        metadata: { alreadyInstalled: 'true' },
      });
    });

    it('keep the installed version when another one is not there', async () => {
      const { isError, data, text } = await sdk('InstallTemplatePack', { templatePackage: `${PACK}@9.9.9` });
      expect(isError).toBe(true);
      expect(data.exitCode).toBe(103);
      expect(data.note).toContain('1.0.0');
      expect(text).toContain('Hint: The CLI had removed Mortise.Templates 1.0.0; it was reinstalled');
      expect(version()).toEqual(['1.0.0']);
      const packs = await sdk('ListTemplatePacks');
      expect(packs.data.templatePacks).toContainEqual({ id: PACK, version: '1.0.0' });
    });

    it('offer their templates, from memory after the first question', async () => {
      expect((await sdk('ListTemplates', { filter: 'mortise' })).data.templates).toEqual([
        {
          name: 'Mortise One',
          shortNames: ['mortise-one'],
          languages: ['C#'],
          type: 'item',
          description: 'A file of one class',
        },
      ]);
      const before = (await sdk('CacheMetrics')).data.caches.templates;
      expect((await sdk('ListTemplates', { filter: 'mortise' })).text).toContain('1 template\nExit Code: 0');
      expect((await sdk('SearchTemplates', { searchTerm: 'file of ONE' })).data.templates).toHaveLength(1);
      const info = await sdk('TemplateInfo', { templateShortName: 'MORTISE-one' });
      expect(info.data.template).toMatchObject({ author: 'Mortise', shortNames: ['mortise-one'] });
      const after = (await sdk('CacheMetrics')).data.caches.templates;
      expect(after).toMatchObject({ misses: before.misses, hits: before.hits + 3 });
      const absent = await sdk('TemplateInfo', { templateShortName: 'mortise' });
      expect(absent.data.errors[0]).toMatchObject({
        hint: 'Did you mean: mortise-one',
        rootCauseKind: 'TemplateNotFound',
        data: { additionalData: { parameter: 'templateShortName' } },
      });
    });

    it('are uninstalled, once, and so are those from a path', async () => {
      expect((await sdk('UninstallTemplatePack', { templatePackage: PACK })).data).toMatchObject({ success: true });
      const again = await sdk('UninstallTemplatePack', { templatePackage: PACK });
      expect(again.data).toMatchObject({ success: true, changed: false });
      expect((await sdk('ListTemplates', { filter: 'mortise' })).data.templates).toEqual([]);
      expect((await sdk('InstallTemplatePack', { templatePackage: 'pack/one' })).isError).toBe(false);
      expect((await sdk('ListTemplates', { filter: 'mortise' })).data.templates).toHaveLength(1);
      expect((await sdk('UninstallTemplatePack', { templatePackage: 'pack/one' })).isError).toBe(false);
      const absent = await sdk('InstallTemplatePack', { templatePackage: 'pack/nope' });
      expect(absent.data.errors[0].data.additionalData).toMatchObject({
        parameter: 'templatePackage',
        reason: 'not found',
      });
    });
  });

  describe('the SDK', () => {
    it('describes frameworks', async () => {
      const all = await sdk('FrameworkInfo');
      expect(all.data).toMatchObject({ latestRecommended: 'net10.0', latestLts: 'net10.0' });
      expect(all.text).toContain('net8.0: .NET 8.0 (LTS)');
      expect((await sdk('FrameworkInfo', { framework: 'net48' })).data).toMatchObject({
        tfm: 'net48',
        isNetFramework: true,
      });
    });

    it('configures global.json and keeps its comments', async () => {
      const updated = await sdk('ConfigureGlobalJson', { testRunner: 'Microsoft.Testing.Platform' });
      expect(updated.data).toMatchObject({ success: true, path: path('global.json') });
      const text = readFileSync(path('global.json'), 'utf8');
      expect(text).toContain('// of the team');
      expect(text).toContain('// any patch will do');
      expect(text).toContain('"runner": "Microsoft.Testing.Platform"');
      const again = await sdk('ConfigureGlobalJson', { testRunner: 'Microsoft.Testing.Platform' });
      expect(again.data.changed).toBe(false);
      expect(readFileSync(path('global.json'), 'utf8')).toBe(text);
      expect((await sdk('ConfigureGlobalJson', { rollForward: 'sometimes' })).data.errors[0].code).toBe(
        'INVALID_PARAMS',
      );
    });

    it('has the version in all that the SDK says of itself', async () => {
      const { data, text } = await sdk('Info');
      expect(data.version).toBe((await sdk('Version')).data.version);
      expect(text).toMatch(/^\.NET SDK:[\s\S]*\nExit Code: 0$/);
    });

    it('answers 64 questions at once, each with the whole answer', async () => {
      const one = await sdk('ListRuntimes');
      expect(one.data.runtimes.length).toBeGreaterThan(0);
      expect(one.text).toMatch(/\nExit Code: 0$/);
      // Of all commands of the SDK, the one that costs least.
      const answers = await Promise.all(Array.from({ length: 64 }, () => sdk('ListRuntimes')));
      for (const answer of answers) expect(answer).toEqual(one);
    });
  });

  it('lists and searches workloads', async () => {
    const listed = await server.call('dotnet_workload', { action: 'List' });
    expect(listed.data).toEqual({ workloads: [] });
    const found = await server.call('dotnet_workload', { action: 'Search', searchTerm: 'wasm-tools' });
    expect(found.data.workloads).toContainEqual({ id: 'wasm-tools', description: '.NET WebAssembly build tools' });
    const absent = await server.call('dotnet_workload', {
      action: 'Install',
      workloadIds: ['no-such-workload'],
      skipManifestUpdate: true,
    });
    expect(absent.text).toMatch(/^Error: .*no-such-workload/);
    expect(absent.data.lockInfo.lockScope).toBe('global');
  });
});
