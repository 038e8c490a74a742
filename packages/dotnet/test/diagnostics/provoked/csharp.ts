import { EXE, items, NET10, type ProjectCase, type ProvokingBuild, projectBuild, sdkProject } from './build.js';
import { SNIPPETS } from './csharp-snippets.js';

/** One project for the snippets of each stage of the compiler. */
export const CSHARP_SNIPPETS: readonly ProvokingBuild[] = Object.entries(SNIPPETS).map(([stage, snippets]) => {
  const texts = Object.entries(snippets).map(([code, text]) => [
    `${code}.cs`,
    stage === 'parsing' ? text : `namespace N${code} { ${text} }`,
  ]);
  return {
    name: `C# snippets: ${stage}`,
    files: { ...Object.fromEntries(texts), 'p.csproj': sdkProject(`${NET10}<Nullable>enable</Nullable>`) },
    commands: [{ args: ['build', '-v', 'q'] }],
    codes: Object.keys(snippets),
  };
});

const compiled = (properties: string, files: Record<string, string | Buffer>, rest = ''): ProjectCase => ({
  files: { 'p.csproj': sdkProject(NET10 + properties, rest), ...files },
});
const language = (version: number, source: string) =>
  compiled(`<LangVersion>${version}</LangVersion>`, { 'Source.cs': source });

const HELLO = 'System.Console.WriteLine();';
const BOTH_MAINS =
  'class C { static void Main() { } static async System.Threading.Tasks.Task Main(string[] a) { await System.Threading.Tasks.Task.Yield(); } }';
const BROKEN_ANALYZER = `using Microsoft.CodeAnalysis; using Microsoft.CodeAnalysis.Diagnostics;
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public class Broken : DiagnosticAnalyzer {
  public Broken() { throw new System.Exception("broken"); }
  public override System.Collections.Immutable.ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => default;
  public override void Initialize(AnalysisContext context) { }
}`;

/** The public key of ECMA-335: assemblies that are signed with it are told apart by version. */
const PUBLIC_KEY = Buffer.from('00000000000000000400000000000000', 'hex');

const library = (version: number) =>
  `[assembly: System.Reflection.AssemblyVersion("${version}.0.0.0")] public class Shared { }`;
const csc = (output: string, source: string, ...references: readonly string[]) =>
  `<Csc Sources="${source}" References="@(Core);${references.join(';')}" OutputAssembly="${output}" TargetType="library"
    NoConfig="true" KeyFile="key.snk" PublicSign="true" />`;

/** A project that calls the compiler itself, to make what a build would not put together. */
const assemblies = (files: Record<string, string>, ...tasks: readonly string[]): ProjectCase => ({
  files: {
    ...files,
    'key.snk': PUBLIC_KEY,
    'p.csproj': `<Project>
<UsingTask TaskName="Csc" AssemblyFile="$(MSBuildToolsPath)/Roslyn/Microsoft.Build.Tasks.CodeAnalysis.dll" />
<ItemGroup><Core Include="$(MSBuildToolsPath)/../../packs/Microsoft.NETCore.App.Ref/*/ref/net10.0/System.Runtime.dll" /></ItemGroup>
<Target Name="Build"><MakeDir Directories="1;2" />${tasks.join('')}</Target></Project>`,
  },
  steps: ['Build'],
});

/** What depends on the options of a project, on several files or on other assemblies. */
export const CSHARP_PROJECTS: ProvokingBuild = projectBuild('C# projects: options, files, references', {
  CS0006: compiled(
    '',
    {},
    `<Target Name="Add" BeforeTargets="CoreCompile">${items('<ReferencePathWithRefAssemblies Include="nope.dll" />')}</Target>`,
  ),
  CS0188: language(8, 'struct S { int a; S(int b) { M(); a = b; } void M() { } }'),
  CS0433: assemblies(
    { '1.cs': library(1), 'user.cs': 'class User { Shared shared; }' },
    csc('1/A.dll', '1.cs'),
    csc('2/B.dll', '1.cs'),
    csc('User.dll', 'user.cs', '1/A.dll', '2/B.dll'),
  ),
  CS1591: compiled('<GenerateDocumentationFile>true</GenerateDocumentationFile>', {
    'Source.cs': 'public class C { }',
  }),
  CS1705: assemblies(
    {
      '1.cs': library(1),
      '2.cs': library(2),
      'base.cs': 'public class Base : Shared { }',
      'user.cs': 'class User : Base { }',
    },
    csc('1/Shared.dll', '1.cs'),
    csc('2/Shared.dll', '2.cs'),
    csc('Base.dll', 'base.cs', '2/Shared.dll'),
    csc('User.dll', 'user.cs', 'Base.dll', '1/Shared.dll'),
  ),
  CS2001: compiled('', {}, items('<Compile Include="nope.cs" />')),
  CS5001: compiled(EXE, {}),
  CS8032: compiled(
    '',
    {
      'x/x.csproj': sdkProject(
        NET10,
        items('<Reference Include="$(MSBuildToolsPath)/Roslyn/bincore/Microsoft.CodeAnalysis.dll" Private="false" />'),
      ),
      'x/Broken.cs': BROKEN_ANALYZER,
    },
    items(
      '<ProjectReference Include="x/x.csproj" OutputItemType="Analyzer" ReferenceOutputAssembly="false" />',
      '<Compile Remove="x/**" />',
    ),
  ),
  CS8400: language(8, 'class C { C a = new(); }'),
  CS8652: language(14, 'class C { System.Collections.Generic.List<int> a = [with(capacity: 1), 2]; }'),
  CS8630: compiled('<LangVersion>7.3</LangVersion><Nullable>enable</Nullable>', { 'Source.cs': 'class C { }' }),
  CS8773: language(9, 'record struct S;'),
  CS8802: compiled(EXE, { 'One.cs': HELLO, 'Two.cs': HELLO }),
  CS8805: compiled('', { 'Source.cs': HELLO }),
  CS8892: compiled(EXE, { 'Source.cs': BOTH_MAINS }),
});
