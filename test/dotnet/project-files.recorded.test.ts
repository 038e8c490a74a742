import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeRecorded } from '../support/recorded-dotnet/index.js';
import { CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

/** Byte-order mark, CRLF, tabs and a comment: what an edit must keep. */
const XML = `\uFEFF<Project Sdk="Microsoft.NET.Sdk">

	<PropertyGroup>
		<!-- kept -->
		<TargetFramework>net10.0</TargetFramework>
		<ApiKey>first-secret-value</ApiKey>
	</PropertyGroup>
</Project>
`.replaceAll('\n', '\r\n');

const UNFORMATTED = 'class A{int x ;}\n';
const BROKEN = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><A></PropertyGroup></Project>';

describeRecorded('project files', () => {
  let server: SdkServer;
  const project = 'p/p.csproj';
  const at = (path: string) => join(server.workplace.folder, path);
  const call: SdkServer['project'] = (...args) => server.project(...args);
  beforeAll(async () => {
    server = await startSdkServer(
      {
        [project]: XML,
        'p/Directory.Build.props': '<Project><PropertyGroup><Nullable>enable</Nullable></PropertyGroup></Project>',
        'p/A.cs': UNFORMATTED,
        'broken/broken.csproj': BROKEN,
        'app/app.csproj': projectXml(
          CONSOLE,
          `<ItemGroup><PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
            <ProjectReference Include="../p/p.csproj" /></ItemGroup>`,
        ),
      },
      {},
      { SOME_PASSWORD: 'environment-secret' },
    );
  });
  afterAll(() => server.close());

  it('sets, reads and removes a property, and keeps everything else of the file', async () => {
    const set = await call('SetProperty', { project, propertyName: 'Version', propertyValue: '1.2.3' });
    expect(set.text).toBe(`Set in ${project}, line 7: Version = 1.2.3\nExit Code: 0`);
    expect(set.data).toEqual({
      success: true,
      projectPath: at(project),
      propertyName: 'Version',
      propertyValue: '1.2.3',
      summary: `Set in ${project}, line 7: Version = 1.2.3`,
      lockInfo: { lockScope: 'project', lockKey: at(project) },
    });
    expect(readFileSync(at(project), 'utf8')).toBe(
      XML.replace('\t</PropertyGroup>', '\t\t<Version>1.2.3</Version>\r\n\t</PropertyGroup>'),
    );
    const again = await call('SetProperty', { project, propertyName: 'Version', propertyValue: '1.2.3' });
    expect(again.data).toMatchObject({ success: true, changed: false });

    const got = await call('GetProperty', { project, propertyName: 'Version' });
    expect(got.text).toMatch(/^Version = 1\.2\.3 \(p\/p\.csproj, line \d+\)\nThe project is not restored/);
    expect(got.data).toMatchObject({
      success: true,
      projectPath: at(project),
      propertyName: 'Version',
      propertyValue: '1.2.3',
      isSet: true,
      file: at(project),
      restored: false,
    });

    const removed = await call('RemoveProperty', { project, propertyName: 'Version' });
    expect(removed.data).toMatchObject({ success: true, propertyName: 'Version', removed: true });
    expect(readFileSync(at(project), 'utf8')).toBe(XML);
    const absent = await call('RemoveProperty', { project, propertyName: 'Version' });
    expect(absent.data).toMatchObject({ success: true, changed: false, removed: false });
  });

  it('reads what MSBuild evaluates, imports and all', async () => {
    const { data } = await call('GetProperty', { project, propertyName: 'Nullable' });
    expect(data).toMatchObject({ propertyValue: 'enable', isSet: true });
    const unset = await call('GetProperty', { project, propertyName: 'NoSuchProperty' });
    expect(unset.data).toMatchObject({ success: true, propertyValue: '', isSet: false });
    expect(unset.text).toMatch(/^NoSuchProperty is not set\n/);
  });

  it('hides secrets by the name of the property or metadata', async () => {
    const inFile = await call('GetProperty', { project, propertyName: 'ApiKey' });
    const inEnvironment = await call('GetProperty', { project, propertyName: 'SOME_PASSWORD' });
    const set = await call('SetProperty', { project, propertyName: 'ApiKey', propertyValue: 'second-secret-value' });
    const metadata = { Password: 'item-secret-value', Link: 'kept' };
    const added = await call('AddItem', { project, itemType: 'AdditionalFiles', include: 'secret.txt', metadata });
    const listed = await call('ListItems', { project, itemType: 'AdditionalFiles' });
    // An evaluation is not even given variables whose names say that they are secret.
    const values = [inFile, inEnvironment, set].map(({ data, isError }) => [isError, data.propertyValue]);
    expect(values).toEqual([
      [false, '[REDACTED]'],
      [false, ''],
      [false, '[REDACTED]'],
    ]);
    expect(added.data.metadata).toEqual({ Password: '[REDACTED]', Link: 'kept' });
    expect(listed.data.items).toMatchObject([{ metadata: { Password: '[REDACTED]', Link: 'kept' } }]);
    const all = JSON.stringify([inFile, inEnvironment, set, added, listed]);
    expect(all).not.toMatch(/first-secret|second-secret|item-secret|environment-secret/);
    expect(readFileSync(at(project), 'utf8')).toContain('<ApiKey>second-secret-value</ApiKey>');
  });

  it('adds, lists and removes items', async () => {
    const item = { itemType: 'Content', include: 'a & b.txt' };
    const metadata = { CopyToOutputDirectory: 'Always' };
    const added = await call('AddItem', { project, ...item, metadata });
    expect(added.text).toBe(`Content a & b.txt was added to ${project}, line 14\nExit Code: 0`);
    expect(added.data).toMatchObject({ success: true, projectPath: at(project), ...item, metadata });
    expect((await call('AddItem', { project, ...item })).data).toMatchObject({ success: true, changed: false });

    const listed = await call('ListItems', { project, itemType: 'Content' });
    expect(listed.data).toMatchObject({ itemType: 'Content', count: 1, items: [{ ...item, metadata }] });
    expect(listed.text).toMatch(/^Content: a & b\.txt\n1 item\n/);
    const all = await call('ListItems', { project });
    expect(all.data).toMatchObject({ itemType: '(all)', count: 2 });

    const removed = await call('RemoveItem', { project, itemType: 'Content', include: 'A & B.TXT' });
    expect(removed.data).toMatchObject({ success: true, removed: true });
    const absent = await call('RemoveItem', { project, ...item });
    expect(absent.data).toMatchObject({ success: true, changed: false, removed: false });
    expect(absent.text).toBe(`There was no Content a & b.txt in ${project}\nExit Code: 0`);
  });

  it('analyzes, lists dependencies and validates; the text is the same JSON', async () => {
    const args = { projectPath: 'app/app.csproj' };
    const analyzed = await call('Analyze', args);
    expect(analyzed.data).toMatchObject({
      success: true,
      projectPath: at('app/app.csproj'),
      projectName: 'app',
      sdk: 'Microsoft.NET.Sdk',
      targetFrameworks: ['net10.0'],
      outputType: 'Exe',
      packageReferences: [{ name: 'Newtonsoft.Json', version: '13.0.3' }],
      projectReferences: [{ name: 'p', path: expect.stringContaining('p.csproj') }],
      buildProperties: { configuration: 'Debug', treatWarningsAsErrors: false },
      implicitUsings: 'enable',
      restored: false,
    });
    expect(JSON.parse(analyzed.text)).toEqual(analyzed.data);
    const { data: dependencies } = await call('Dependencies', args);
    expect(dependencies).toMatchObject({
      success: true,
      targetFrameworks: ['net10.0'],
      directPackageDependencies: [{ name: 'Newtonsoft.Json' }],
      directProjectDependencies: [{ name: 'p' }],
      totalDirectDependencies: 2,
    });
    expect(dependencies.notes).toHaveLength(3);
    const { data: validation } = await call('Validate', args);
    expect(validation).toMatchObject({ success: true, isValid: true, errors: [] });
    expect(validation.recommendations.join('\n')).toContain('Nullable');
  });

  it.each([
    ['SetProperty', { propertyName: 'Not valid', propertyValue: 'x' }, 'propertyName', 'invalid value'],
    ['SetProperty', { propertyName: 'A', propertyValue: '\u0001' }, 'propertyValue', 'invalid value'],
    ['SetProperty', { propertyName: 'A' }, 'propertyValue', 'required'],
    ['AddItem', { itemType: 'No Type', include: 'x' }, 'itemType', 'invalid value'],
    ['AddItem', { itemType: 'None', include: 'x', metadata: { 'a b': '1' } }, 'metadata', 'invalid value'],
    ['GetProperty', { propertyName: 'A;B' }, 'propertyName', 'invalid value'],
  ])('%s %j names the parameter that is wrong', async (action, args, parameter, reason) => {
    const before = readFileSync(at(project), 'utf8');
    const { data } = await call(action, { project, ...args });
    expect(data.errors).toMatchObject([
      { code: 'INVALID_PARAMS', mcpErrorCode: -32602, data: { exitCode: -1, additionalData: { parameter, reason } } },
    ]);
    expect(readFileSync(at(project), 'utf8')).toBe(before);
  });

  it.each([
    ['GetProperty', { project: 'nope.csproj', propertyName: 'A' }, 'project'],
    ['Validate', { projectPath: 'nope.csproj' }, 'projectPath'],
    ['Format', { project: 'nope.csproj' }, 'project'],
  ])('%s says that a file is not there', async (action, args, parameter) => {
    const { text, data } = await call(action, args);
    expect(data.errors).toMatchObject([
      { code: 'INVALID_PARAMS', data: { additionalData: { parameter, reason: 'not found' } } },
    ]);
    expect(text).toMatch(/^Error: .*nope\.csproj.*\nCode: INVALID_PARAMS\n/);
    expect(text).not.toContain('   at ');
  });

  it('says that a solution is not a project', async () => {
    server.workplace.write('all.slnx', '<Solution><Project Path="app/app.csproj" /></Solution>');
    const { text, data } = await call('Analyze', { projectPath: 'all.slnx' });
    expect(data.errors[0].data.additionalData).toMatchObject({ parameter: 'projectPath', reason: 'invalid value' });
    expect(text).toContain('dotnet_solution Analyze');
  });

  it('says where a project does not parse, and leaves it alone', async () => {
    const read = await call('Analyze', { projectPath: 'broken/broken.csproj' });
    expect(read.data.errors).toMatchObject([
      { code: 'MSB4025', category: 'Build', file: at('broken/broken.csproj'), line: 1, column: 54 },
    ]);
    expect(read.data).not.toHaveProperty('projectName');
    const edited = await call('SetProperty', {
      project: 'broken/broken.csproj',
      propertyName: 'A',
      propertyValue: '1',
    });
    expect(edited.data.errors).toMatchObject([
      {
        code: 'INVALID_PARAMS',
        line: 1,
        column: 52,
        data: { additionalData: { parameter: 'project', reason: 'invalid format' } },
      },
    ]);
    expect(edited.text).toContain('broken.csproj(1,52): error INVALID_PARAMS: ');
    expect(readFileSync(at('broken/broken.csproj'), 'utf8')).toBe(BROKEN);
  });

  it('formats, and only checks where it is told to', async () => {
    server.workplace.write('p/A.cs', UNFORMATTED);
    await call('Restore', { project });
    const args = { project, noRestore: true, severity: 'warn' };
    const checked = await call('Format', { ...args, verify: true });
    expect(checked.isError).toBe(true);
    expect(checked.data).toMatchObject({
      success: false,
      project,
      wouldChange: [at('p/A.cs')],
      summary: '1 file would be changed',
      exitCode: 2,
      lockInfo: { lockScope: 'project', lockKey: at(project) },
    });
    expect(checked.data).not.toHaveProperty('changedFiles');
    expect(checked.data.diagnostics[0]).toMatchObject({ file: at('p/A.cs'), code: 'WHITESPACE' });
    expect(checked.data.errors[0]).toMatchObject({ code: 'WHITESPACE', file: at('p/A.cs'), line: 1 });
    expect(checked.text).toMatch(
      /^Error: 1 file would be changed\np\/A\.cs: WHITESPACE at lines? 1[^\n]*\nCode: WHITESPACE\n/,
    );
    expect(readFileSync(at('p/A.cs'), 'utf8')).toBe(UNFORMATTED);

    const formatted = await call('Format', args);
    expect(formatted.text).toBe(`Formatted 1 file\n${at('p/A.cs')}\nExit Code: 0`);
    expect(formatted.data).toMatchObject({ success: true, changedFiles: [at('p/A.cs')], summary: 'Formatted 1 file' });
    const again = await call('Format', { ...args, verify: true });
    expect(again.text).toBe('Nothing to format\nExit Code: 0');
    expect(again.data).toMatchObject({ success: true, changed: false, wouldChange: [], diagnostics: [] });
  });

  it('shows the options of a template, and what is wrong with one', async () => {
    const { text, data } = await call('ListTemplateOptions', { template: 'console' });
    expect(data).toMatchObject({ template: 'console', name: 'Console App (C#)' });
    expect(data.options).toContainEqual({
      name: '--no-restore',
      type: 'bool',
      default: 'false',
      description: 'If specified, skips the automatic restore of the project on create.',
    });
    expect(text).toMatch(/^Console App \(C#\)\n--framework, -f <net10\.0/);
    const unknown = await call('New', { template: 'no-such-template' });
    expect(unknown.data.errors).toMatchObject([
      { code: 'INVALID_PARAMS', data: { additionalData: { parameter: 'template', reason: 'not found' } } },
    ]);
    const made = await call('New', { template: 'gitignore', output: 'new' });
    expect(made.data).toMatchObject({ success: true, template: 'gitignore', createdFiles: ['.gitignore'] });
    const twice = await call('New', { template: 'gitignore', output: 'new' });
    expect(twice.data.errors[0]).toMatchObject({ code: 'EXIT_73', hint: expect.stringContaining('force') });
    expect((await call('New', { template: 'gitignore', output: 'new', force: true })).isError).toBe(false);
  });

  it('shows help pages and nothing else', async () => {
    const { text, data } = await server.call('dotnet_help', { command: 'nuget push' });
    expect(data).toMatchObject({ command: 'dotnet nuget push', usage: expect.stringContaining('push') });
    expect(data.options.map(({ name }: { name: string }) => name)).toContain('-s, --source <source>');
    expect(text).toMatch(/Exit Code: 0$/);
    const { data: whole } = await server.call('dotnet_help');
    const names = whole.commands.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['build', 'user-secrets', 'watch']));
    const { data: unknown } = await server.call('dotnet_help', { command: 'no-such-command' });
    expect(unknown.errors).toMatchObject([{ recommendedAction: { toolName: 'dotnet_help', arguments: {} } }]);
    for (const command of ['build --x', 'exec a.dll', 'a b c d e']) {
      const { data: refused } = await server.call('dotnet_help', { command });
      expect(refused.errors).toMatchObject([
        { code: 'INVALID_PARAMS', data: { additionalData: { parameter: 'command' } } },
      ]);
    }
  });

  it('tells of itself', async () => {
    const capabilities = await server.call('dotnet_server_capabilities');
    expect(Object.keys(capabilities.data)).toEqual([
      'serverVersion',
      'protocolVersion',
      'supportedCategories',
      'supports',
      'sdkVersions',
    ]);
    expect(capabilities.data).toMatchObject({
      protocolVersion: '2025-11-25',
      supports: { structuredErrors: true, machineReadable: true },
      sdkVersions: {
        installed: [expect.stringMatching(/^\d+\.\d+\.\d/)],
        recommended: expect.stringMatching(/^net\d/),
      },
    });
    // None that `supports` denies: there is no `telemetry`.
    expect(capabilities.data.supportedCategories).toEqual([
      'template',
      'project',
      'package',
      'solution',
      'reference',
      'tool',
      'watch',
      'sdk',
      'security',
      'framework',
      'workspace',
      'format',
      'nuget',
      'help',
      'efcore',
    ]);
    expect(JSON.parse(capabilities.text)).toEqual(capabilities.data);
    const info = await server.call('dotnet_server_info');
    expect(info.data.tools).toHaveLength(13);
    expect(info.text).toContain('dotnet_project');
    const metrics = await server.call('dotnet_server_metrics', { action: 'Get' });
    const { dotnet_project: tool } = metrics.data.toolMetrics;
    expect(tool.invocationCount).toBe(tool.successCount + tool.failureCount);
    expect(tool.failureCount).toBeGreaterThan(0);
    expect(JSON.parse(metrics.text)).toEqual(metrics.data);
    await server.call('dotnet_server_metrics', { action: 'Reset' });
    const after = await server.call('dotnet_server_metrics', { action: 'Get' });
    expect(after.data.toolMetrics).not.toHaveProperty('dotnet_project');
  });
});
