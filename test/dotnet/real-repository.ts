import { projectXml } from './sdk-server.js';

const CPM = '<ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally>';
const items = (...all: string[]) => `<ItemGroup>${all.join('')}</ItemGroup>`;
const reference = (path: string, metadata = '') => `<ProjectReference Include="../${path}" ${metadata} />`;
const packages = (...ids: string[]) => ids.map((id) => `<PackageReference Include="${id}" />`).join('');
const version = (id: string, value: string, condition = '') =>
  `    <PackageVersion Include="${id}" Version="${value}" ${condition && `Condition="${condition}" `}/>`;
const several = (project: string, frameworks: string) =>
  project.replace(/<TargetFramework>.*?<\/TargetFramework>/, `<TargetFrameworks>${frameworks}</TargetFrameworks>`);

/** The generator is compiled against the compiler of the SDK itself, so that no package has to fit it. */
const ROSLYN = ['Microsoft.CodeAnalysis', 'Microsoft.CodeAnalysis.CSharp']
  .map((name) => `<Reference Include="$(MSBuildToolsPath)/Roslyn/bincore/${name}.dll" Private="false" />`)
  .join('');
const GENERATOR = `using Microsoft.CodeAnalysis;
[Generator(LanguageNames.CSharp)]
public class Names : IIncrementalGenerator
{
    public void Initialize(IncrementalGeneratorInitializationContext context) =>
        context.RegisterPostInitializationOutput(static one =>
            one.AddSource("Names.g.cs", "public static class Generated { public const string Name = \\"generated\\"; }"));
}
`;

const solution = (...projects: string[]) =>
  `<Solution>\n${projects.map((path) => `  <Project Path="${path}" />\n`).join('')}</Solution>\n`;

/** Projects that build. */
export const GOOD = [
  'Core/Core.csproj',
  'Model/Model.csproj',
  'App/App.csproj',
  'Fs/Fs.fsproj',
  'Gen/Gen.csproj',
  'Uses/Uses.csproj',
  'Warns/Warns.csproj',
  'XTests/XTests.csproj',
  'NTests/NTests.csproj',
  'Plain/Plain.csproj',
];

/** Solutions of ten and more projects, with what real ones have. */
export const REPOSITORY: Record<string, string> = {
  'Good.slnx': solution(...GOOD),
  'Fail.slnx': solution(...GOOD, 'Bad/Bad.csproj', 'Strict/Strict.csproj'),
  'Missing.slnx': solution(...GOOD, 'Missing/Missing.csproj'),
  'Names.slnx': solution(...GOOD, 'twin/Plain/Plain.csproj'),
  'Part.slnf': JSON.stringify({
    solution: { path: 'Good.slnx', projects: ['Core/Core.csproj', 'Model/Model.csproj', 'Fs/Fs.fsproj'] },
  }),
  'Directory.Build.props': `<Project><PropertyGroup>${CPM}<LangVersion>latest</LangVersion></PropertyGroup></Project>`,
  'Directory.Packages.props': `<Project>
  <ItemGroup>
${version('Newtonsoft.Json', '13.0.1', "'$(TargetFramework)' == 'netstandard2.0'")}
${version('Newtonsoft.Json', '13.0.3', "'$(TargetFramework)' != 'netstandard2.0'")}
${version('Microsoft.NET.Test.Sdk', '18.0.1')}
${version('xunit', '2.9.3')}
${version('xunit.runner.visualstudio', '3.1.5')}
${version('NUnit', '4.4.0')}
${version('NUnit3TestAdapter', '5.2.0')}
${version('MSTest.TestFramework', '4.5.2')}
${version('MSTest.TestAdapter', '4.5.2')}
${version('xunit.v3', '3.2.1')}
${version('No.Such.Package.Of.Anyone', '1.0.0')}
  </ItemGroup>
</Project>
`,
  '.editorconfig':
    'root = true\n[Strict/*.cs]\ndotnet_diagnostic.CA1305.severity = error\ndotnet_diagnostic.CA1050.severity = none\n',
  'Core/Core.csproj': several(projectXml('', items(packages('Newtonsoft.Json'))), 'netstandard2.0;net10.0'),
  'Core/Core.cs': 'namespace Core { public class Order { public int Total; } }\n',
  'Model/Model.csproj': projectXml('', items(reference('Core/Core.csproj'))),
  'Model/Model.cs': 'namespace Model;\npublic class Basket { public Core.Order Order = new(); }\n',
  'App/App.csproj': projectXml('<OutputType>Exe</OutputType>', items(reference('Model/Model.csproj'))),
  'App/Program.cs':
    'System.Console.WriteLine($"total {new Model.Basket().Order.Total}");\nreturn args.Length == 0 ? 0 : int.Parse(args[0]);\n',
  'Fs/Fs.fsproj': projectXml('', items('<Compile Include="Fs.fs" />', reference('Core/Core.csproj'))),
  'Fs/Fs.fs': 'module Fs\nlet total (order: Core.Order) = order.Total\n',
  'Gen/Gen.csproj': projectXml('<NoWarn>MSB3277</NoWarn>', items(ROSLYN), 'netstandard2.0'),
  'Gen/Names.cs': GENERATOR,
  'Uses/Uses.csproj': projectXml(
    '',
    items(reference('Gen/Gen.csproj', 'OutputItemType="Analyzer" ReferenceOutputAssembly="false"')),
  ),
  'Uses/Uses.cs': 'public static class Uses { public static string Name => Generated.Name; }\n',
  'Warns/Warns.csproj': several(projectXml(), 'netstandard2.0;net10.0'),
  'Warns/Warns.cs': `public class Warns
{
    public void A() { int unused; }
  public int B() { int assigned = 1; return 2; }
    [System.Obsolete("old")] public void Old() { }
    public void C() { Old(); }
}
`,
  'XTests/XTests.csproj': projectXml(
    '',
    items(packages('Microsoft.NET.Test.Sdk', 'xunit', 'xunit.runner.visualstudio'), reference('Model/Model.csproj')),
  ),
  'XTests/XTests.cs': `using Xunit;
namespace Shop;
public abstract class Bases { [Fact] public void Inherited() => Assert.NotNull(new Model.Basket()); }
public class XTests : Bases
{
    [Fact] public void Adds() => Assert.Equal(2, 1 + 1);
    [Fact] public void Fails() => Assert.Equal(3, 1 + 1);
    [Fact(Skip = "later")] public void Skipped() { }
    [Theory, InlineData(1), InlineData(2)] public void Rows(int row) => Assert.True(row < 2);
}
`,
  'NTests/NTests.csproj': projectXml('', items(packages('Microsoft.NET.Test.Sdk', 'NUnit', 'NUnit3TestAdapter'))),
  'NTests/NTests.cs': `using NUnit.Framework;
namespace Shop.More;
public class NTests
{
    [Test] public void Adds() => Assert.That(1 + 1, Is.EqualTo(2));
    [Test] public void Fails() => Assert.That(1 + 1, Is.EqualTo(3));
}
`,
  'Plain/Plain.csproj': projectXml(),
  'Plain/Plain.cs': 'public class Plain { }\n',
  'twin/Plain/Plain.csproj': projectXml(),
  'Bad/Bad.csproj': several(projectXml('', items(reference('Core/Core.csproj'))), 'netstandard2.0;net10.0'),
  'Bad/Bad.cs': 'public class Bad { Missing a; int b = "text"; void C() { Nope(); } }\n',
  'Strict/Strict.csproj': projectXml('<RunAnalyzers>true</RunAnalyzers><AnalysisMode>Recommended</AnalysisMode>'),
  'Strict/Strict.cs': 'public static class Strict { public static string Text(int x) => x.ToString(); }\n',
  // Another runner has a global.json of its own, and so a folder of its own.
  'platform/global.json': '{ "test": { "runner": "Microsoft.Testing.Platform" } }',
  'platform/Platform.slnx': solution('MTests/MTests.csproj', 'VTests/VTests.csproj'),
  'platform/MTests/MTests.csproj': projectXml(
    '<OutputType>Exe</OutputType><EnableMSTestRunner>true</EnableMSTestRunner><NoWarn>MSTEST0025</NoWarn>',
    items(packages('MSTest.TestFramework', 'MSTest.TestAdapter')),
  ),
  'platform/MTests/MTests.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting;
namespace Shop.M;
public abstract class Bases { [TestMethod] public void Inherited() => Assert.Fail("inherited"); }
[TestClass] public class MTests : Bases
{
    [TestMethod] public void Adds() => Assert.AreEqual(2, 1 + 1);
    [TestMethod] public void Fails() => Assert.AreEqual(3, 1 + 1);
    [TestMethod, Ignore("later")] public void Skipped() { }
    [TestMethod, DataRow(1), DataRow(2)] public void Rows(int row) => Assert.IsTrue(row < 2);
}
`,
  'platform/VTests/VTests.csproj': projectXml('<OutputType>Exe</OutputType>', items(packages('xunit.v3'))),
  'platform/VTests/VTests.cs': `using Xunit;
namespace Shop.V;
public class VTests
{
    [Fact] public void Adds() => Assert.Equal(2, 1 + 1);
    [Fact] public void Fails() => Assert.Equal(3, 1 + 1);
    [Fact(Skip = "later")] public void Skipped() { }
}
`,
  'Missing/Missing.csproj': projectXml('', items(packages('No.Such.Package.Of.Anyone'))),
};
