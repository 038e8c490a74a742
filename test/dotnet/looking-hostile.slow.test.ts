import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Action } from '../../packages/dotnet/src/actions/action.js';
import { TOOLS } from '../../packages/dotnet/src/tools/index.js';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { source } from './local-feed.js';
import { projectXml, type SdkServer, sdkEnvironment, startSdkServer } from './sdk-server.js';

const touch = (name: string) => `<Exec Command="echo ran &gt; &quot;$(MSBuildThisFileDirectory)ran-${name}&quot;" />`;
const target = (name: string, attributes = '') => `<Target Name="${name}" ${attributes}>${touch(name)}</Target>`;
const solution = '<Solution><Project Path="App/App.csproj" /></Solution>';

/** Targets, tasks, loggers and files of the user's tools: all of it runs in a build. */
const TARGETS: Record<string, string> = {
  'All.slnx': solution,
  'App/App.csproj': projectXml(
    '<UserSecretsId>mortise-looking-test</UserSecretsId>',
    `<ItemGroup><PackageReference Include="Dapper" Version="2.1.66" /></ItemGroup>
     ${target('Collect', 'BeforeTargets="CollectPackageReferences;Restore;Build;_IsProjectRestoreSupported"')}
     ${target('_ExtractUserSecretsMetadata')}`,
  ).replace('<Project ', '<Project InitialTargets="Collect" '),
  'Directory.Build.rsp': '-t:Collect -restore -fl -flp:logfile=ran-log -bl:ran.binlog -logger:Evil,evil.dll',
  'MSBuild.rsp': '-t:Collect -bl:ran-too.binlog',
  'Directory.Build.props': `<Project InitialTargets="Props">${target('Props')}</Project>`,
  'Directory.Solution.props': `<Project InitialTargets="OfSolution">${target('OfSolution')}</Project>`,
  'App/obj/App.csproj.evil.targets': `<Project InitialTargets="OfObj">${target('OfObj')}</Project>`,
  'NuGet.config': source('<add key="here" value="feed" />'),
  '.config/dotnet-tools.json': JSON.stringify({
    version: 1,
    isRoot: true,
    tools: { evil: { version: '1.0.0', commands: ['dotnet-user-secrets', 'dotnet-evil'] } },
  }),
  // `dotnet evil` in this folder builds and runs it.
  evil: '#!/usr/bin/env dotnet\nSystem.IO.File.WriteAllText("ran-script", "");\n',
  'test.runsettings':
    '<RunSettings><RunConfiguration><DotNetHostPath>./evil</DotNetHostPath></RunConfiguration></RunSettings>',
};

/** An import that only its evaluation knows, and that a command of the CLI would reach even if ours did not. */
const FUNCTIONS: Record<string, string> = {
  ...TARGETS,
  'App/App.csproj': projectXml(
    '<UserSecretsId>mortise-looking-test</UserSecretsId><Name>evil</Name>',
    '<Import Project="$(MSBuildThisFileDirectory)$([System.String]::Concat(\'../\', $(Name))).props" />',
  ),
  'evil.props': `<Project><PropertyGroup>
    <A>$([System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)victim/x').Delete(true))</A>
    <B>$([System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)x').CreateSubdirectory('ran-function'))</B>
  </PropertyGroup></Project>`,
};

/** Evaluated as a harmless project by us, and as a hostile one by every command of the CLI. */
const HIDDEN: Record<string, string> = {
  ...FUNCTIONS,
  'App/App.csproj': projectXml(
    '<UserSecretsId>mortise-looking-test</UserSecretsId>',
    `<ItemGroup><ProjectReference Include="$(MSBuildProjectName).other" /></ItemGroup>
     <Import Project="../evil.props" Condition="!$([System.Environment]::CommandLine.Contains('Mortise.DotnetHost'))" />`,
  ),
};

const DOWNLOAD: Record<string, string> = {
  ...TARGETS,
  'App/App.csproj': '<Project Sdk="Mortise.Evil.Sdk" />',
  'global.json': JSON.stringify({ 'msbuild-sdks': { 'Mortise.Evil.Sdk': '1.0.0' } }),
};

const OWN_SDK: Record<string, string> = {
  ...TARGETS,
  'App/App.csproj': projectXml(),
  'global.json': JSON.stringify({
    sdk: { version: '10.0.999', rollForward: 'latestMajor', paths: ['.sdk', '$host$'] },
  }),
};

const REPOSITORIES = { TARGETS, FUNCTIONS, HIDDEN, DOWNLOAD, OWN_SDK };

/** What an action is called with. A parameter that a new action requires has to be added. */
const VALUES: Record<string, unknown> = {
  project: 'App/App.csproj',
  projectPath: 'App/App.csproj',
  solution: 'All.slnx',
  packageId: 'Dapper',
  searchTerm: 'class',
  templateShortName: 'class',
  template: 'class',
  propertyName: 'Some',
  sessionId: 'none',
  symbol: 'Program',
  file: 'App/App.csproj',
  line: 1,
  newName: 'Renamed',
};
/** What only some actions are called with as well. */
const MORE: Record<string, Record<string, unknown>> = {
  'dotnet_help ': { command: 'evil' },
  'dotnet_sdk ListTemplates': { forceReload: true },
  ...Object.fromEntries(
    ['Outline', 'Definition', 'References', 'Callers', 'Implementations', 'Hierarchy', 'Rename'].map((name) => [
      `dotnet_code ${name}`,
      { symbol: 'Program' },
    ]),
  ),
};

const READING = TOOLS.flatMap((tool) =>
  Object.entries(tool.actions)
    .filter(([, action]) => action.isReadOnly)
    .map(([name, action]) => [tool.name, name, action, tool.common?.includes('workingDirectory')] as const),
);

function argumentsOf(tool: string, name: string, action: Action): Record<string, unknown> {
  const { finds, required = [], requiredOneOf = [], optional = [] } = action;
  const wanted = [...required, ...requiredOneOf.slice(0, 1), ...(finds ? [finds] : [])];
  const named = optional.filter((parameter) => parameter === 'project');
  return {
    ...(name !== '' && { action: name }),
    ...Object.fromEntries([...wanted, ...named].map((parameter) => [parameter, VALUES[parameter]])),
    ...MORE[`${tool} ${name}`],
  };
}

/** Every file with what is in it; links are not followed. */
function treeOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return [path, ...treeOf(path)];
    return [entry.isFile() ? `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}` : path];
  });
}

describeWithSdk('actions that only read, on hostile repositories', () => {
  let server: SdkServer;
  let packages: string;
  const path = (...parts: string[]) => join(server.workplace.folder, ...parts);

  beforeAll(async () => {
    const files = Object.entries(REPOSITORIES).flatMap(([repository, its]) =>
      Object.entries({ ...its, 'victim/file': 'kept' }).map(([file, text]) => [`${repository}/${file}`, text] as const),
    );
    server = await startSdkServer(
      {
        ...Object.fromEntries(files),
        'mark/mark.csproj': projectXml(
          '<OutputType>Exe</OutputType><AssemblyName>dotnet</AssemblyName><UseAppHost>false</UseAppHost>',
        ),
        'mark/mark.cs': MARK,
      },
      {},
      // Of its own, so that a download shows.
      ({ folder }) => ({ NUGET_PACKAGES: join(folder, 'packages') }),
    );
    packages = path('packages');
    mkdirSync(packages);
    for (const repository of Object.keys(REPOSITORIES)) {
      mkdirSync(path(repository, 'feed'));
      server.workplace.write(`${repository}/feed/.keep`, '');
    }
    const sdk = {
      id: 'Mortise.Evil.Sdk',
      version: '1.0.0',
      files: { 'Sdk/Sdk.props': '<Project />', 'Sdk/Sdk.targets': '<Project />' },
    };
    writeFileSync(path('DOWNLOAD/feed/Mortise.Evil.Sdk.1.0.0.nupkg'), nupkg(sdk));
    makeSdk();
  });
  afterAll(() => server.close());

  /** An SDK in the repository whose program leaves a mark. */
  function makeSdk(): void {
    const env = { ...process.env, ...sdkEnvironment(server.workplace) };
    execFileSync('dotnet', ['build', path('mark'), '-o', path('mark/out'), '-v', 'q'], { env, stdio: 'ignore' });
    const folder = path('OWN_SDK/.sdk/sdk/10.0.999');
    mkdirSync(folder, { recursive: true });
    for (const name of ['dotnet.dll', 'dotnet.runtimeconfig.json']) cpSync(path('mark/out', name), join(folder, name));
    const host = dirname(realpathSync(execFileSync('sh', ['-c', 'command -v dotnet'], { encoding: 'utf8' }).trim()));
    symlinkSync(join(host, 'shared'), path('OWN_SDK/.sdk/shared'));
  }

  it('are told by the tables', () => {
    expect(READING.length).toBeGreaterThan(30);
  });

  for (const repository of Object.keys(REPOSITORIES)) {
    it.each(READING)(
      `${repository}: %s %s changes nothing and runs nothing`,
      async (tool, name, action, takesFolder) => {
        const args = argumentsOf(tool, name, action);
        expect(Object.values(args), 'a value of a required parameter: add it to VALUES').not.toContain(undefined);
        const before = treeOf(path(repository));
        const { text } = await server.call(tool, {
          ...args,
          ...(takesFolder && { workingDirectory: path(repository) }),
        });
        expect(treeOf(path(repository)), text).toEqual(before);
        expect(readdirSync(packages), text).toEqual([]);
      },
    );
  }

  it('refuse what they find, with the file and what to do', async () => {
    const analyze = async (repository: string) =>
      (await server.project('Analyze', { projectPath: 'App/App.csproj', workingDirectory: path(repository) })).text;
    expect(await analyze('FUNCTIONS')).toMatch(
      /evil\.props\(2\) has the property function .*GetParent\(…\)\.Delete.*INVALID_PARAMS/s,
    );
    expect(await analyze('DOWNLOAD')).toMatch(
      /the SDK Mortise\.Evil\.Sdk\/1\.0\.0, which would be downloaded.*INVALID_PARAMS/s,
    );
    expect(await analyze('OWN_SDK')).toMatch(
      /global\.json selects the \.NET SDK in .*\.sdk.*INVALID_PARAMS.*Dotnet\.TrustedFolders/s,
    );
    expect(await analyze('TARGETS')).not.toContain('INVALID_PARAMS');
    expect(await analyze('HIDDEN')).not.toContain('INVALID_PARAMS');
  });

  it('are needed to be careful: the CLI runs and changes all of it', () => {
    const env = { ...process.env, ...sdkEnvironment(server.workplace), NUGET_PACKAGES: packages };
    const run = (repository: string, ...args: string[]) => spawnSync('dotnet', args, { cwd: path(repository), env });
    run('TARGETS', 'msbuild', 'App', '-noAutoResponse', '-t:Nothing');
    expect(readdirSync(path('TARGETS/App'))).toContain('ran-Collect');
    for (const repository of ['FUNCTIONS', 'HIDDEN']) {
      run(repository, 'msbuild', 'App', '-getProperty:A');
      expect(existsSync(path(repository, 'victim'))).toBe(false);
      expect(readdirSync(path(repository))).toContain('ran-function');
    }
    run('DOWNLOAD', 'msbuild', 'App', '-getProperty:A');
    expect(readdirSync(packages)).toEqual(['mortise.evil.sdk']);
    run('OWN_SDK', '--version');
    expect(existsSync(path('OWN_SDK/ran-sdk'))).toBe(true);
  });
});

const MARK = 'System.IO.File.WriteAllText(System.IO.Path.Combine(System.Environment.CurrentDirectory, "ran-sdk"), "");';
