import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuditServer, startAuditServer } from '../../packages/dotnet/test/diagnostics/provoked/audit-server.js';
import { nupkg, type Package } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { realDotnet } from '../support/dotnet-program.js';
import { describeRecorded, namePlaceholder, useRecordedDotnet } from '../support/recorded-dotnet/index.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { buildTogether } from './printed-counts.js';
import { type Called, CONSOLE, projectXml, WITH_WORKLOADS } from './sdk-server.js';

const TOOL_SETTINGS =
  '<DotNetCliTool Version="1"><Commands><Command Name="dotnet-ef" EntryPoint="ef.dll" Runner="dotnet" /></Commands></DotNetCliTool>';
const FEED: readonly Package[] = [
  { id: 'Plain', version: '1.0.0' },
  { id: 'Plain', version: '2.0.0' },
  { id: 'AtLeast2', version: '1.0.0', dependencies: { Plain: '2.0.0' } },
  { id: 'Pre', version: '1.0.0-beta' },
  { id: 'High', version: '1.0.0' },
  { id: 'High', version: '2.0.0' },
  {
    id: 'dotnet-ef',
    version: '10.0.11',
    type: 'DotnetTool',
    files: { 'tools/net10.0/any/DotnetToolSettings.xml': TOOL_SETTINGS, 'tools/net10.0/any/ef.dll': '' },
  },
];

const reference = (id: string, version: string) =>
  `<ItemGroup><PackageReference Include="${id}" Version="${version}" /></ItemGroup>`;

/** Does what its first argument says, with what .NET itself says of it. */
const FAULTS = `
switch (args[0]) {
  case "disk": File.WriteAllText("/dev/full", "text"); break;
  case "denied": File.WriteAllText("/proc", "text"); break;
  case "network": new System.Net.Http.HttpClient().GetStringAsync("http://127.0.0.1:9/").Wait(); break;
  case "docker": throw new Exception("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?");
  case "sleep": Console.WriteLine("asleep"); Thread.Sleep(-1); break;
}`;
const WEB = 'var app = WebApplication.CreateBuilder(args).Build(); app.Run();';

const FILES = {
  'manifest/.config/dotnet-tools.json': JSON.stringify({
    version: 1,
    isRoot: true,
    tools: { 'dotnet-ef': { version: '10.0.11', commands: ['dotnet-ef'] } },
  }),
  'unknown/p.csproj': projectXml('', reference('AtLeast3', '1.0.0')),
  'cached/p.csproj': projectXml('', reference('AtLeast2', '1.0.0')),
  'version/p.csproj': projectXml('', reference('Plain', '9.0.0')),
  'stable/p.csproj': projectXml('', reference('Pre', '0.5.0')),
  'downgrade/p.csproj': projectXml('', reference('AtLeast2', '1.0.0') + reference('Plain', '1.0.0')),
  'vulnerable/p.csproj': projectXml(
    '<NuGetAudit>true</NuGetAudit><WarningsAsErrors>NU1903</WarningsAsErrors>',
    reference('High', '1.0.0'),
  ),
  'locked/p.csproj': projectXml(
    '<RestorePackagesWithLockFile>true</RestorePackagesWithLockFile>',
    reference('Plain', '1.0.0'),
  ),
  'locked/packages.lock.json': JSON.stringify({ version: 1, dependencies: { 'net10.0': {} } }),
  'source/p.csproj': projectXml('<RestoreSources>/nowhere/feed</RestoreSources>', reference('Plain', '1.0.1')),
  'auth/p.csproj': projectXml('', reference('Plain.Private', '1.0.0')),
  'unrestored/p.csproj': projectXml(),
  'workload/p.csproj': projectXml('', '', 'net10.0-android'),
  'sdk/p.csproj': '<Project Sdk="Not.An.Sdk" />',
  'older/global.json': JSON.stringify({ sdk: { version: '6.0.100', rollForward: 'disable' } }),
  'older/p.csproj': projectXml(),
  'runner/p.csproj': projectXml(CONSOLE),
  'platform/global.json': JSON.stringify({ test: { runner: 'Microsoft.Testing.Platform' } }),
  'platform/p.csproj': projectXml('<IsTestProject>true</IsTestProject>'),
  'source-code/p.csproj': projectXml(),
  'source-code/C.cs': 'class C { int a = nope; }',
  'target/p.csproj': '<Project InitialTargets="Nope" />',
  'near/Sample.csproj': projectXml(),
  'two/a.csproj': projectXml(),
  'two/b.csproj': projectXml(),
  'spaces/p.csproj': projectXml(),
  'spaces/C.cs': 'class   C{ }',
  'faults/p.csproj': projectXml(CONSOLE),
  'faults/Program.cs': FAULTS,
  'runtime/p.csproj': projectXml(CONSOLE),
  'runtime/Program.cs': 'return;',
  'web/p.csproj': projectXml('<ImplicitUsings>enable</ImplicitUsings>').replace('.Sdk"', '.Sdk.Web"'),
  'web/Program.cs': WEB,
  'held/p.csproj':
    '<Project DefaultTargets="Build"><Target Name="Restore" /><Target Name="Build"><Error Code="MSB3027" Text="Could not copy &quot;a.dll&quot;. The file is locked by: &quot;$(Holder)&quot;" /></Target></Project>',
};

/** Installs nothing on the machine, and trusts nothing. */
const wrapper = (real: string) => `#!/bin/sh
case "$1 $2" in
  "workload install") echo "Successfully installed workload(s) $3."; exit 0;;
esac
exec '${real}' "$@"
`;

describeRecorded('recommended actions', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  let audit: AuditServer;
  let closed: Server;
  let env: Record<string, string | undefined>;
  const at = (path: string) => join(workplace.folder, path);
  const project = (action: string, args: object = {}) => server.call('dotnet_project', { action, ...args });
  const run = (fault: string, args: object = {}) =>
    project('Run', { project: 'faults/p.csproj', noBuild: true, appArgs: [fault], ...args });

  beforeAll(async () => {
    audit = await startAuditServer();
    closed = createServer((_, response) => response.writeHead(401).end());
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    workplace = makeWorkplace(FILES, { Dotnet: { Enabled: true } });
    for (const item of FEED) {
      workplace.write(`feed/${item.id}.${item.version}.nupkg`, '');
      writeFileSync(at(`feed/${item.id}.${item.version}.nupkg`), nupkg(item));
    }
    const insecure = 'allowInsecureConnections="true"';
    const feed = `<packageSources><clear /><add key="feed" value="${at('feed')}" /></packageSources>`;
    const { port } = closed.address() as AddressInfo;
    workplace.write(
      'nuget.config',
      `<configuration>${feed}<auditSources><clear /><add key="audit" value="${audit.url}/index.json" ${insecure} /></auditSources></configuration>`,
    );
    workplace.write(
      'auth/nuget.config',
      `<configuration><packageSources><clear /><add key="private" value="http://127.0.0.1:${port}/index.json" ${insecure} /></packageSources></configuration>`,
    );
    namePlaceholder('private', `127.0.0.1:${port}`);
    namePlaceholder('audit', new URL(audit.url).host);
    useRecordedDotnet(workplace);
    chmodSync(workplace.write('bin/dotnet', wrapper(realDotnet(workplace.env.PATH)!)), 0o755);
    const PATH = [at('bin'), workplace.env.PATH!].join(delimiter);
    env = { ...WITH_WORKLOADS, PATH, NUGET_PACKAGES: at('packages') };
    server = await connectSdk(workplace, { env });
    const built = ['faults', 'web', 'runtime'].map((folder) => `${folder}/p.csproj`);
    await buildTogether({ workplace, call: server.call }, built);
    const needed = { name: 'Microsoft.NETCore.App', version: '99.0.0' };
    workplace.write(
      'runtime/bin/Debug/net10.0/p.runtimeconfig.json',
      JSON.stringify({ runtimeOptions: { tfm: 'net10.0', framework: needed } }),
    );
  }, 180_000);
  afterAll(async () => {
    await server?.close();
    audit?.close();
    closed?.close();
    if (workplace) removeWorkplace(workplace);
  });

  /** The action of the first error, which the text prints with all that it takes to do it. */
  function recommended({ data, text, isError }: Called, kind: string | undefined) {
    expect(isError).toBe(true);
    const [{ rootCauseKind, recommendedAction: action, hint }] = data.errors;
    expect({ rootCauseKind, text }).toMatchObject({ rootCauseKind: kind });
    expect(action.description).toMatch(/^\S.+\.$/);
    if (hint !== action.description) expect(text).toContain(`Next: ${action.description}`);
    return action;
  }

  /** Calls what the text of a failure prints behind `Next:`, word by word. */
  async function callRecommended(
    failed: Called,
    kind: string | undefined,
  ): Promise<{ command: string; answer: Called }> {
    const action = recommended(failed, kind);
    const [, command, tool, json] = /^Next: .*?((dotnet_\w+) (\{.*\}))$/m.exec(failed.text)!;
    expect(action).toMatchObject({ actionKind: 'CallTool', toolName: tool, arguments: JSON.parse(json!) });
    return { command: command!, answer: await server.call(tool!, JSON.parse(json!)) };
  }

  type Row = [
    title: string,
    kind: string | undefined,
    fail: () => Promise<Called>,
    command: string | RegExp,
    then?: object,
  ];

  describe('that call a tool', () => {
    const rows: Row[] = [
      [
        'look at a package of a name like the one that no source has',
        'PackageError',
        async () => {
          await project('Restore', { project: 'cached/p.csproj' });
          return project('Restore', { project: 'unknown/p.csproj' });
        },
        'dotnet_package {"action":"Search","searchTerm":"AtLeast2","exactMatch":true}',
        { packages: [{ id: 'AtLeast2' }] },
      ],
      [
        'take the nearest version that exists',
        'PackageError',
        () => project('Restore', { project: 'version/p.csproj' }),
        /^dotnet_package \{"action":"Update","packageId":"Plain","version":"2\.0\.0","project":".+version\/p\.csproj"\}$/,
        { success: true, version: '2.0.0' },
      ],
      [
        'search prereleases',
        'PackageError',
        () => project('Restore', { project: 'stable/p.csproj' }),
        'dotnet_package {"action":"Search","searchTerm":"Pre","exactMatch":true,"prerelease":true}',
        { packages: [{ id: 'Pre', version: '1.0.0-beta' }] },
      ],
      [
        'reference the higher version',
        'PackageError',
        () => project('Restore', { project: 'downgrade/p.csproj' }),
        /^dotnet_package \{"action":"Add","packageId":"Plain","version":"2\.0\.0","project":".+"\}$/,
        { success: true, version: '2.0.0' },
      ],
      [
        'update a lock file that does not agree',
        'PackageError',
        () => project('Restore', { project: 'locked/p.csproj', lockedMode: true }),
        /^dotnet_project \{"action":"Restore","project":".+","properties":\{"RestoreLockedMode":"false","RestoreForceEvaluate":"true"\}\}$/,
        { success: true },
      ],
      [
        'update a vulnerable package',
        'PackageVulnerable',
        () => project('Restore', { project: 'vulnerable/p.csproj' }),
        /^dotnet_package \{"action":"Update","packageId":"High","project":".+"\}$/,
        { success: true, version: '2.0.0' },
      ],
      [
        'restore what was not restored',
        'RestoreFailure',
        () => project('Build', { project: 'unrestored/p.csproj', noRestore: true }),
        /^dotnet_project \{"action":"Restore","project":".+"\}$/,
        { success: true },
      ],
      [
        'show the sources, one of which does not exist',
        'RestoreFailure',
        () => project('Restore', { project: 'source/p.csproj' }),
        'dotnet_package {"action":"ListSources"}',
        { sources: expect.any(Array) },
      ],
      [
        'install a workload',
        'MissingWorkload',
        () => project('Build', { project: 'workload/p.csproj' }),
        'dotnet_workload {"action":"Install","workloadIds":["android"]}',
        { success: true },
      ],
      [
        'restore the tools of a manifest',
        'MissingTool',
        () => server.call('dotnet_ef', { action: 'MigrationsList', workingDirectory: at('manifest') }),
        /^dotnet_tool \{"action":"Restore","workingDirectory":".+manifest"\}$/,
        { success: true },
      ],
      [
        'install a tool, in the folder of the call',
        'MissingTool',
        () => server.call('dotnet_ef', { action: 'MigrationsList', workingDirectory: at('faults') }),
        /^dotnet_tool \{"action":"Install","packageId":"dotnet-ef","workingDirectory":".+faults"\}$/,
        { success: true, version: '10.0.11' },
      ],
      [
        'take the template of the most similar name',
        'TemplateNotFound',
        () => project('New', { template: 'consol', output: 'similar' }),
        'dotnet_project {"action":"New","template":"console","output":"similar"}',
        { success: true, template: 'console' },
      ],
      [
        'let global.json name an SDK that is there',
        'MissingSdk',
        () => project('Build', { workingDirectory: at('older') }),
        /^dotnet_sdk \{"action":"ConfigureGlobalJson","sdkVersion":"\d+\.\d+\.\d+\S*","globalJsonPath":".+older\/global.json","workingDirectory":".+older"\}$/,
        { success: true },
      ],
      [
        'leave out a test runner that global.json does not choose',
        'InvalidParameter',
        () =>
          project('Test', {
            project: 'p.csproj',
            testRunner: 'MicrosoftTestingPlatform',
            workingDirectory: at('runner'),
          }),
        /^dotnet_project \{"action":"Test","project":"p\.csproj","workingDirectory":".+runner"\}$/,
      ],
      [
        'choose VSTest for a project of VSTest',
        'InvalidParameter',
        () => project('Test', { project: 'p.csproj', workingDirectory: at('platform') }),
        /^dotnet_sdk \{"action":"ConfigureGlobalJson","testRunner":"VSTest","workingDirectory":".+platform"\}$/,
        { success: true },
      ],
      [
        'format a project',
        'CompilationError',
        () => project('Format', { project: 'spaces/p.csproj', verify: true }),
        /^dotnet_project \{"action":"Format","project":".+"\}$/,
        { success: true, changedFiles: [expect.stringContaining('C.cs')] },
      ],
      [
        'show the sessions that may hold a file',
        'FileLocked',
        () => project('Build', { project: 'held/p.csproj', properties: { Holder: 'alice' } }),
        'dotnet_project {"action":"ListSessions"}',
        { sessions: [] },
      ],
      [
        'trust the development certificate',
        'DevCertNotTrusted',
        () => project('Run', { project: 'web/p.csproj', noBuild: true, appArgs: ['--urls', 'https://127.0.0.1:0'] }),
        'dotnet_dev_certs {"action":"CertificateTrust"}',
      ],
      [
        'show the sources, one of which refused',
        'PackageSourceAuth',
        () => project('Restore', { project: 'p.csproj', workingDirectory: at('auth') }),
        /^dotnet_package \{"action":"ListSources","workingDirectory":".+auth"\}$/,
        { sources: [{ name: 'private' }] },
      ],
      [
        'show the versions of an SDK that is a package',
        'MissingSdk',
        () => project('Build', { project: 'sdk/p.csproj' }),
        'dotnet_package {"action":"Search","searchTerm":"Not.An.Sdk","exactMatch":true}',
        { packages: [] },
      ],
      [
        'build the project that is nearest to one that is not there',
        'ProjectNotFound',
        () => project('Build', { project: 'source-cod/p.csproj', workingDirectory: at('near') }),
        /^dotnet_project \{"action":"Build","project":"Sample\.csproj","workingDirectory":".+near"\}$/,
        { success: true },
      ],
      [
        'give a project its first secrets',
        undefined,
        () =>
          server.call('dotnet_dev_certs', { action: 'SecretsList', project: 'a.csproj', workingDirectory: at('two') }),
        /^dotnet_dev_certs \{"action":"SecretsInit","project":"a.csproj","workingDirectory":".+two"\}$/,
        { success: true },
      ],
      [
        'list the commands of the CLI',
        'InvalidParameter',
        () => server.call('dotnet_help', { command: 'nope' }),
        'dotnet_help {}',
      ],
    ];

    it.each<Row>(rows)('%s', async (_, kind, fail, expected, then) => {
      const { command, answer } = await callRecommended(await fail(), kind);
      if (typeof expected === 'string') expect(command).toBe(expected);
      else expect(command).toMatch(expected);
      const { code, data } = answer.data.errors?.[0] ?? {};
      expect({ code, text: answer.text }).not.toMatchObject({ code: 'INVALID_PARAMS' });
      if (then) expect(answer.data).toMatchObject(then);
      else if (answer.isError) expect(data.command).toMatch(/^dotnet /);
    });
  });

  it('open the page of the runtime that a program needs', async () => {
    const action = recommended(await project('Run', { project: 'runtime/p.csproj', noBuild: true }), 'MissingRuntime');
    expect(action).toMatchObject({ actionKind: 'OpenUrl' });
    expect(new URL(action.url)).toMatchObject({ protocol: 'https:', host: 'aka.ms' });
  });

  describe('that are done by hand', () => {
    const rows: [kind: string, fail: () => Promise<Called>][] = [
      ['CompilationError', () => project('Build', { project: 'source-code/p.csproj' })],
      ['BuildError', () => project('Build', { project: 'target/p.csproj', noRestore: true })],
      ['ProjectNotFound', () => project('Build', { project: 'nowhere/p.csproj', workingDirectory: at('feed') })],
      ['InvalidParameter', () => project('Run', { project: 'two/a.csproj' })],
      ['OutOfDisk', () => run('disk')],
      ['AccessDenied', () => run('denied')],
      ['NetworkUnreachable', () => run('network')],
      ['DockerNotRunning', () => run('docker')],
      ['Timeout', () => run('sleep', { timeoutSeconds: 1 })],
    ];
    it.each<[string, () => Promise<Called>]>(rows)('for %s', async (kind, fail) => {
      expect(recommended(await fail(), kind)).toEqual({ actionKind: 'ManualStep', description: expect.any(String) });
    });
  });
});
