import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { TOOLS } from '../../packages/dotnet/src/tools/index.js';
import { nupkg } from '../../packages/dotnet/test/diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { packageReferences } from './fixture-projects.js';
import { source } from './local-feed.js';
import { projectXml, type SdkServer, sdkEnvironment, startSdkServer } from './sdk-server.js';

/** A generator and an analyzer. Each leaves a mark when it runs, and the generator prints something. */
const generator = (mark: string) => `using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
[Generator]
public class Evil : IIncrementalGenerator
{
    public void Initialize(IncrementalGeneratorInitializationContext context) =>
        context.RegisterPostInitializationOutput(output =>
        {
            System.IO.File.WriteAllText(@"${mark}", "");
            System.Console.Write("a text between the answers of the process");
            output.AddSource("Made.g.cs", "public class Made { }");
        });
}
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public class EvilAnalyzer : DiagnosticAnalyzer
{
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => [new("EVIL1", "", "", "", DiagnosticSeverity.Warning, true)];
    public override void Initialize(AnalysisContext context) => System.IO.File.WriteAllText(@"${mark}-analyzer", "");
}
`;

const QUERIES = Object.entries(TOOLS.find(({ name }) => name === 'dotnet_code')!.actions).filter(
  ([, { isReadOnly }]) => isReadOnly,
);
/** What the queries that are not about a symbol need. */
const ARGUMENTS: Record<string, object> = {
  Diagnostics: {},
  Fixes: { file: 'User.cs', line: 1 },
  Rename: { symbol: 'User', newName: 'Person' },
};

const roslyn = '$(MSBuildToolsPath)/Roslyn/bincore/Microsoft.CodeAnalysis';
const reference = (name: string) =>
  `<Reference Include="${name}"><HintPath>${roslyn}${name.slice('Microsoft.CodeAnalysis'.length)}.dll</HintPath><Private>false</Private></Reference>`;

const USES = 'public class User { public Made M = null!; public int Wrong = "text"; }\n';

const FILES: Record<string, string> = {
  'nuget.config': source('<add key="here" value="feed" />'),
  'gen/Evil.csproj': projectXml(
    '<NoWarn>RS1036;RS1038;RS1041;RS1042;NETSDK1057</NoWarn>',
    `<ItemGroup>${reference('Microsoft.CodeAnalysis')}${reference('Microsoft.CodeAnalysis.CSharp')}</ItemGroup>`,
  ),
  'Item/Item.csproj': projectXml('', '<ItemGroup><Analyzer Include="../evil/Evil.dll" /></ItemGroup>'),
  'Item/User.cs': USES,
  'Package/Package.csproj': projectXml('', packageReferences('Mortise.Evil.Generator 1.0.0')),
  'Package/User.cs': USES,
  'Pack/Pack.csproj': projectXml(
    '<NetCoreTargetingPackRoot>$(MSBuildThisFileDirectory)packs</NetCoreTargetingPackRoot>',
  ),
  'Pack/User.cs': USES,
  'Emitting/Emitting.csproj': projectXml(
    '<EmitCompilerGeneratedFiles>true</EmitCompilerGeneratedFiles>',
    '<ItemGroup><Analyzer Include="../evil/Evil.dll" /></ItemGroup>',
  ),
  'Emitting/User.cs': 'public class User { public Made M = null!; }\n',
};

describeWithSdk('generators in the workspaces of dotnet_code', () => {
  let server: SdkServer;
  const path = (...parts: string[]) => join(server.workplace.folder, ...parts);
  const ran = () => existsSync(path('ran'));
  const diagnostics = async (project: string) =>
    (await server.call('dotnet_code', { action: 'Diagnostics', project: `${project}/${project}.csproj` })).data;

  async function start(settings: object): Promise<void> {
    server = await startSdkServer(FILES, { Dotnet: { Enabled: true, ...settings } }, ({ folder }) => ({
      NUGET_PACKAGES: join(folder, 'packages'),
    }));
    writeFileSync(path('gen/Evil.cs'), generator(path('ran')));
    buildGenerator();
    const pack = path('Pack/packs/Microsoft.NETCore.App.Ref', packVersion());
    mkdirSync(join(pack, 'analyzers/dotnet/cs'), { recursive: true });
    cpSync(path('evil/Evil.dll'), join(pack, 'analyzers/dotnet/cs/Evil.dll'));
    mkdirSync(path('feed'));
    const files = { 'analyzers/dotnet/cs/Evil.dll': readFileSync(path('evil/Evil.dll')) };
    writeFileSync(
      path('feed/Mortise.Evil.Generator.1.0.0.nupkg'),
      nupkg({ id: 'Mortise.Evil.Generator', version: '1.0.0', files }),
    );
    const restored = await server.project('Restore', { project: 'Package/Package.csproj' });
    expect(restored.isError, restored.text).toBe(false);
  }

  function buildGenerator(): void {
    const env = { ...process.env, ...sdkEnvironment(server.workplace), NUGET_PACKAGES: undefined };
    execFileSync('dotnet', ['build', path('gen'), '-o', path('evil'), '-v', 'q'], { env, stdio: 'ignore' });
    rmSync(path('gen'), { recursive: true });
  }

  /** The version of the targeting pack of net10.0 that the SDK uses. */
  function packVersion(): string {
    const args = ['msbuild', path('Item/Item.csproj'), '-getProperty:BundledNETCoreAppPackageVersion'];
    return execFileSync('dotnet', args, { encoding: 'utf8' }).trim();
  }

  afterEach(() => server.close());

  it('of packages and of the repository do not run, and errors that they may explain are counted apart', async () => {
    await start({});
    for (const [project, withheld] of [
      ['Item', ['Evil.dll']],
      ['Package', ['Mortise.Evil.Generator']],
    ] as const) {
      const data = await diagnostics(project);
      expect(data).toMatchObject({ errorCount: 1, needingGenerators: 1, withheldGenerators: withheld });
      expect(data.diagnostics).toMatchObject([{ code: 'CS0029' }, { code: 'CS0246', needsGenerator: true }]);
    }
    await diagnostics('Pack');
    expect(ran()).toBe(false);
  });

  it('run in no query, and neither do analyzers', async () => {
    await start({});
    for (const project of ['Item', 'Package']) {
      for (const [action] of QUERIES) {
        const workingDirectory = path(project);
        const args = ARGUMENTS[action] ?? { symbol: 'User' };
        const { isError, text } = await server.call('dotnet_code', { action, workingDirectory, ...args });
        expect(isError, `${action}: ${text}`).toBe(false);
        expect([ran(), existsSync(path('ran-analyzer'))], action).toEqual([false, false]);
      }
    }
    const env = { ...process.env, ...sdkEnvironment(server.workplace), NUGET_PACKAGES: path('packages') };
    spawnSync('dotnet', ['build', path('Item'), '-p:RunAnalyzers=true'], { env });
    expect([ran(), existsSync(path('ran-analyzer'))]).toEqual([true, true]);
  });

  it('are not needed where a project keeps what its last build generated', async () => {
    await start({});
    const project = 'Emitting/Emitting.csproj';
    await server.project('Restore', { project });
    expect(await diagnostics('Emitting')).toMatchObject({ errorCount: 0, needingGenerators: 1 });
    const built = await server.project('Build', { project, noRestore: true });
    expect(built.isError, built.text).toBe(false);
    rmSync(path('ran'));
    const data = await diagnostics('Emitting');
    expect(data.diagnostics).toEqual([]);
    expect(ran()).toBe(false);
  });

  it.each([
    ['RunGenerators is always', () => ({ RunGenerators: 'always' })],
    ['the folder is trusted', () => ({ TrustedFolders: ['/'] })],
  ])('run if %s', async (_, settings) => {
    await start(settings());
    for (const project of ['Item', 'Package']) {
      const data = await diagnostics(project);
      expect(data.diagnostics).toMatchObject([{ code: 'CS0029' }]);
      expect(data).not.toHaveProperty('withheldGenerators');
      expect(ran()).toBe(true);
      rmSync(path('ran'), { force: true });
    }
  });
});
