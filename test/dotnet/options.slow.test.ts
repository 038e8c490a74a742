import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { type StandIn, startStandIn } from './stand-in.js';

type Arguments = Record<string, unknown>;

const EVERYWHERE = { project: 'a.csproj', configuration: 'Release', framework: 'net10.0', verbosity: 'minimal' };
const EF = { project: 'a.csproj', startupProject: 'b.csproj', context: 'C', framework: 'net10.0' };

/** One call of each command with all options that it can have: the tool, its arguments, the words of the command. */
const CALLS: [tool: string, args: Arguments, words: string][] = [
  [
    'dotnet_project',
    { action: 'New', template: 'console', name: 'a', output: 'o', framework: 'net10.0', language: 'C#', force: true },
    'new console',
  ],
  [
    'dotnet_project',
    {
      action: 'Restore',
      project: 'a.csproj',
      verbosity: 'q',
      source: 's',
      lockedMode: true,
      configFile: 'c',
      force: true,
    },
    'restore',
  ],
  [
    'dotnet_project',
    { action: 'Build', ...EVERYWHERE, runtime: 'linux-x64', noRestore: true, noIncremental: true, output: 'o' },
    'build',
  ],
  [
    'dotnet_project',
    {
      action: 'Run',
      project: 'a.csproj',
      configuration: 'Debug',
      framework: 'net10.0',
      runtime: 'linux-x64',
      noBuild: true,
      noRestore: true,
      launchProfile: 'p',
    },
    'run',
  ],
  ['dotnet_project', { action: 'Run', project: 'a.cs' }, 'run'],
  [
    'dotnet_project',
    {
      action: 'Test',
      ...EVERYWHERE,
      filter: 'f',
      collect: 'c',
      resultsDirectory: 'r',
      logger: 'l',
      noBuild: true,
      noRestore: true,
      blame: true,
      listTests: true,
    },
    'test',
  ],
  [
    'dotnet_project',
    {
      action: 'Publish',
      ...EVERYWHERE,
      output: 'o',
      runtime: 'linux-x64',
      noRestore: true,
      noBuild: true,
      selfContained: true,
    },
    'publish',
  ],
  ['dotnet_project', { action: 'Publish', arch: 'x64', os: 'linux' }, 'publish'],
  [
    'dotnet_project',
    {
      action: 'Pack',
      project: 'a.csproj',
      configuration: 'Release',
      output: 'o',
      runtime: 'linux-x64',
      noRestore: true,
      noBuild: true,
      verbosity: 'q',
      includeSymbols: true,
      includeSource: true,
    },
    'pack',
  ],
  ['dotnet_project', { action: 'Clean', ...EVERYWHERE }, 'clean'],
  [
    'dotnet_project',
    {
      action: 'Format',
      project: 'a.csproj',
      verify: true,
      includeGenerated: true,
      diagnostics: 'IDE0005',
      severity: 'warn',
      noRestore: true,
    },
    'format',
  ],
  ['dotnet_project', { action: 'Watch', watchAction: 'run', project: 'a.csproj', noHotReload: true }, 'watch'],
  ['dotnet_package', { action: 'Add', packageId: 'P', version: '1', source: 's', framework: 'net10.0' }, 'add package'],
  ['dotnet_package', { action: 'Add', packageId: 'P', prerelease: true }, 'add package'],
  [
    'dotnet_package',
    { action: 'Search', searchTerm: 't', take: 1, skip: 1, prerelease: true, exactMatch: true },
    'package search',
  ],
  ['dotnet_package', { action: 'List', outdated: true, includeTransitive: true, framework: 'net10.0' }, 'list package'],
  ['dotnet_package', { action: 'List', deprecated: true }, 'list package'],
  ['dotnet_package', { action: 'List', vulnerable: true }, 'list package'],
  ['dotnet_package', { action: 'Why', packageId: 'P', framework: 'net10.0' }, 'nuget why'],
  ['dotnet_package', { action: 'ClearCache', cacheType: 'all' }, 'nuget locals'],
  ['dotnet_solution', { action: 'Create', name: 'S', output: 'o', format: 'slnx' }, 'new sln'],
  [
    'dotnet_workload',
    {
      action: 'Install',
      workloadIds: ['w'],
      skipManifestUpdate: true,
      includePreviews: true,
      source: 's',
      configFile: 'c',
    },
    'workload install',
  ],
  ['dotnet_workload', { action: 'Update', includePreviews: true, source: 's', configFile: 'c' }, 'workload update'],
  [
    'dotnet_tool',
    { action: 'Install', packageId: 'p', global: true, version: '1', framework: 'net10.0' },
    'tool install',
  ],
  ['dotnet_tool', { action: 'Install', packageId: 'p', toolPath: 't' }, 'tool install'],
  ['dotnet_tool', { action: 'List', global: true }, 'tool list'],
  ['dotnet_tool', { action: 'Update', packageId: 'p', global: true, version: '1' }, 'tool update'],
  ['dotnet_tool', { action: 'Uninstall', packageId: 'p', global: true }, 'tool uninstall'],
  ['dotnet_tool', { action: 'CreateManifest', output: 'o', force: true }, 'new tool-manifest'],
  [
    'dotnet_tool',
    { action: 'Search', searchTerm: 's', detail: true, take: 1, skip: 1, prerelease: true },
    'tool search',
  ],
  [
    'dotnet_sdk',
    {
      action: 'InstallTemplatePack',
      templatePackage: 'P',
      templateVersion: '1',
      nugetSource: 's',
      interactive: true,
      force: true,
    },
    'new install',
  ],
  ['dotnet_dev_certs', { action: 'CertificateCheck', trust: true }, 'dev-certs https'],
  ['dotnet_dev_certs', { action: 'CertificateClean', force: true }, 'dev-certs https'],
  ['dotnet_dev_certs', { action: 'CertificateExport', path: 'x', format: 'pem', password: 'p' }, 'dev-certs https'],
  ['dotnet_dev_certs', { action: 'CertificateExport', path: 'x', format: 'pem', noPassword: true }, 'dev-certs https'],
  ['dotnet_dev_certs', { action: 'SecretsInit', project: 'p.csproj' }, 'user-secrets init'],
  ['dotnet_dev_certs', { action: 'SecretsSet', project: 'p.csproj', key: 'k', value: 'v' }, 'user-secrets set'],
  ['dotnet_dev_certs', { action: 'SecretsRemove', project: 'p.csproj', key: 'k' }, 'user-secrets remove'],
  ['dotnet_dev_certs', { action: 'SecretsClear', project: 'p.csproj', force: true }, 'user-secrets clear'],
];

/** dotnet-ef is a tool of its own: it is installed for this test. */
const EF_CALLS: [args: Arguments, words: string][] = [
  [{ action: 'MigrationsAdd', ...EF, name: 'M', outputDir: 'o' }, 'migrations add'],
  [{ action: 'MigrationsList', ...EF, connection: 'c', noBuild: true }, 'migrations list'],
  [{ action: 'MigrationsRemove', ...EF, force: true, noBuild: true }, 'migrations remove'],
  [{ action: 'MigrationsScript', ...EF, output: 'o', idempotent: true, noBuild: true }, 'migrations script'],
  [{ action: 'DatabaseUpdate', ...EF, connection: 'c', noBuild: true }, 'database update'],
  [{ action: 'DatabaseDrop', ...EF, force: true, dryRun: true }, 'database drop'],
  [{ action: 'DbContextList', project: 'a.csproj', noBuild: true }, 'dbcontext list'],
  [{ action: 'DbContextInfo', ...EF, noBuild: true }, 'dbcontext info'],
  [
    {
      action: 'DbContextScaffold',
      ...EF,
      connection: 'c',
      provider: 'p',
      outputDir: 'o',
      contextDir: 'd',
      tables: 't',
      schemas: 's',
      useDatabaseNames: true,
      force: true,
      noBuild: true,
    },
    'dbcontext scaffold',
  ],
];

/** MSBuild's own switches, which help pages of commands that forward them do not list. */
const MSBUILD_SWITCH = /^-(?:get(?:Property|Item|ResultOutputFile)|p):/;

describeWithSdk('every option that is sent is one that the CLI knows', () => {
  let standIn: StandIn;
  let tools = '';
  beforeAll(async () => {
    standIn = await startStandIn();
    tools = mkdtempSync(join(tmpdir(), 'mortise-ef-'));
    execFileSync('dotnet', ['tool', 'install', 'dotnet-ef', '--version', '10.0.11', '--tool-path', tools]);
  }, 120_000);
  afterAll(async () => {
    rmSync(tools, { recursive: true, force: true });
    await standIn.close();
  });

  async function optionsOf(tool: string, args: Arguments): Promise<string[]> {
    standIn.recorded();
    await standIn.client.callTool({ name: tool, arguments: args });
    const commandArgs = standIn.recorded().findLast((item) => item.join(' ') !== '--version')!;
    const end = commandArgs.indexOf('--');
    const own = commandArgs.slice(0, end < 0 ? undefined : end);
    return own.filter((word) => word.startsWith('-') && !MSBUILD_SWITCH.test(word));
  }

  const env = { ...process.env, DOTNET_CLI_UI_LANGUAGE: 'en', NO_COLOR: '1' };
  const expectOptions = (help: string, options: string[]) => {
    const helpOptions = new Set(help.match(/(?<![\w-])--?[A-Za-z][\w-]*/g));
    // The help of `dotnet test` writes -verbosity for --verbosity (SDK 10.0.401).
    const isOption = (option: string) => helpOptions.has(option) || helpOptions.has(option.slice(1));
    expect(options.filter((option) => !isOption(option))).toEqual([]);
    expect(options.length).toBeGreaterThan(0);
  };

  it.each(CALLS)('%s %o: dotnet %s', async (tool, args, words) => {
    // user-secrets shows its help and ends with an error all the same.
    const { stdout: help } = spawnSync('dotnet', [...words.split(' '), '--help'], { env, encoding: 'utf8' });
    expectOptions(help, await optionsOf(tool, args));
  });

  it.each(EF_CALLS)('%o: dotnet ef %s', async (args, words) => {
    const help = execFileSync(join(tools, 'dotnet-ef'), [...words.split(' '), '--help'], { env, encoding: 'utf8' });
    expectOptions(help, await optionsOf('dotnet_ef', args));
  });
});
