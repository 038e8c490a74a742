import { CONSOLE, projectXml } from './sdk-server.js';

/** Items of a project that references packages: `id version`. */
export function packageReferences(...packages: string[]): string {
  const items = packages
    .map((item) => item.split(' '))
    .map(([id, version]) => `<PackageReference Include="${id}" Version="${version}" />`);
  return `<ItemGroup>${items.join('')}</ItemGroup>`;
}

/** Packages of tests that VSTest runs. */
export const XUNIT = ['Microsoft.NET.Test.Sdk 18.0.1', 'xunit 2.9.3', 'xunit.runner.visualstudio 3.1.5'];

const beforeBuild = (xml: string) => `<Target Name="Ours" BeforeTargets="Build">${xml}</Target>`;

export const BUILD_PROJECTS = {
  'bad/bad.csproj': projectXml(CONSOLE),
  'bad/Program.cs': 'int x = "a";\nint y = 3;\nConsole.WriteLine(nope);\n',
  'warn/warn.csproj': projectXml(CONSOLE),
  'warn/Program.cs': Array.from({ length: 12 }, (_, index) => `int unused${index} = 1;\n`).join(''),
  'fs/fs.fsproj': projectXml('<OutputType>Exe</OutputType>', '<ItemGroup><Compile Include="A.fs" /></ItemGroup>'),
  'fs/A.fs': 'let x : int = "a"\nprintfn "%d" x\n',
  'vb/vb.vbproj': projectXml('<OutputType>Exe</OutputType>'),
  'vb/A.vb': 'Module M\n Sub Main()\n  Dim x As Integer = nope\n End Sub\nEnd Module\n',
  'multi/multi.csproj': projectXml().replace(
    /TargetFramework>net10.0<\/TargetFramework/,
    'TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks',
  ),
  'multi/A.cs': 'public class A { string s = nope; }\n',
  'two/two.slnx': '<Solution><Project Path="a/a.csproj" /><Project Path="b/b.csproj" /></Solution>',
  'two/a/a.csproj': projectXml(),
  'two/a/A.cs': 'public class A {}',
  'two/b/b.csproj': projectXml(),
  'two/b/B.cs': 'public class B { int F() => nope; }',
  'newer/newer.csproj': projectXml(CONSOLE, '', 'net15.0'),
  'missing/missing.csproj': projectXml(
    CONSOLE,
    '<ItemGroup><PackageReference Include="No.Such.Package.Of.Mortise" Version="1.0.0" /></ItemGroup>',
  ),
  'sdk/global.json': '{ "sdk": { "version": "6.0.100", "rollForward": "disable" } }',
  'sdk/sdk.csproj': projectXml(CONSOLE),
  'uncoded/uncoded.csproj': projectXml('', beforeBuild('<Error Text="not on Sundays" />')),
  'logged/logged.csproj': projectXml('', beforeBuild('<Error Text="ignored" ContinueOnError="ErrorAndContinue" />')),
  'live/live.csproj': projectXml(CONSOLE),
  'live/Directory.Build.rsp': '-tl:on\n',
  'live/Program.cs': 'int x = 1;\n',
  'mute/mute.csproj': projectXml(CONSOLE),
  'mute/Directory.Build.rsp': '# as we like it\n-noConsoleLogger\n',
  'mute/Program.cs': 'int x = 1;\n',
  'mute-bad/mute-bad.csproj': projectXml(CONSOLE),
  'mute-bad/Directory.Build.rsp': '-noConsoleLogger\n',
  'mute-bad/Program.cs': 'int x = "a";\n',
  'file/good.cs': 'Console.WriteLine("good");\n',
  'file/bad.cs': 'Console.WriteLine(nope);\n',
  'shared/Shared.cs': 'class Shared { void M() { int x = 1; } }',
  'shared/shared.slnx': '<Solution><Project Path="a/a.csproj" /><Project Path="b/b.csproj" /></Solution>',
  'shared/a/a.csproj': projectXml('', '<ItemGroup><Compile Include="../Shared.cs" /></ItemGroup>'),
  'shared/b/b.csproj': projectXml('', '<ItemGroup><Compile Include="../Shared.cs" /></ItemGroup>'),
  'docs/docs.csproj': projectXml(
    '<RunAnalyzers>true</RunAnalyzers><EnforceCodeStyleInBuild>true</EnforceCodeStyleInBuild><AnalysisLevel>latest-all</AnalysisLevel>',
  ),
  'docs/.editorconfig': '[*.cs]\ndotnet_diagnostic.IDE0005.severity = warning\n',
  'docs/A.cs': 'using System.Text;\nnamespace Docs { public sealed class A { } }\n',
  'wordless/wordless.csproj': projectXml('', beforeBuild('<Error Text="" />')),
  'exec/exec.csproj': projectXml(
    '',
    beforeBuild('<Exec Command="echo No licence for today. &amp;&amp; echo Ask Ada. &amp;&amp; exit 3" />'),
  ),
  'exit/exit.csproj': projectXml(CONSOLE),
  'exit/Program.cs':
    'Console.WriteLine("working");\nConsole.Error.WriteLine("data.txt: error E12: bad input");\nreturn 3;\n',
};

export const LOCATION_PROJECTS = {
  'entry/entry.csproj': projectXml('<OutputType>Exe</OutputType>'),
  'entry/C.cs': 'class C { }',
  'some/some.csproj': projectXml().replace(
    '<TargetFramework>net10.0</TargetFramework>',
    '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>',
  ),
  'some/C.cs': 'class C {\n#if NETSTANDARD\n  int a = nope;\n#endif\n}',
  'gone/gone.csproj': projectXml('', '<ItemGroup><ProjectReference Include="../moved/moved.csproj" /></ItemGroup>'),
  'gone/C.cs': 'class C { Moved.Thing t = null; }',
  'text/text.csproj': projectXml(
    '',
    '<Target Name="T" BeforeTargets="Build"><Error File="data/a.txt" Code="TXT1" Text="Bad text." /></Target>',
  ),
  'All.slnx': `<Solution>${['entry', 'some', 'gone', 'text'].map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`,
  'newer/newer.csproj': projectXml('', '', 'net99.0'),
  'missing/missing.csproj': projectXml(
    CONSOLE,
    '<ItemGroup><PackageReference Include="No.Such.Package.Of.Mortise" Version="1.0.0" /></ItemGroup>',
  ),
};

export const ANSWER_PROJECTS = {
  'x/x.csproj': projectXml('', packageReferences(...XUNIT, 'coverlet.collector 6.0.4')),
  'x/T.cs': `using Xunit;
public static class Calc { public static int Two() => 2; }
public class T
{
  [Fact] public void Good() => Assert.Equal(2, Calc.Two());
  [Fact(Skip = "later")] public void Later() {}
  [Fact] public void Crash() { if (System.Environment.GetEnvironmentVariable("CRASH") == "1") { System.Threading.Thread.Sleep(3000); System.Environment.FailFast("boom"); } }
}
`,
  'n/n.csproj': projectXml(
    '',
    packageReferences('Microsoft.NET.Test.Sdk 18.0.1', 'NUnit 4.4.0', 'NUnit3TestAdapter 5.2.0'),
  ),
  'n/T.cs': `using NUnit.Framework;
public class T
{
  [Test] public void Good() {}
  [Test] public void Bad() => Assert.That(1, Is.EqualTo(2));
  [Test, Ignore("later")] public void Ign() {}
  [Test] public void Inc() => Assert.Inconclusive("unknown");
  [Test, Explicit] public void Exp() {}
  [Test] public void Warns() => Assert.Warn("careful");
  [Test] public void Assumes() => Assume.That(false);
  [TestCase(1)][TestCase(2)] public void Case(int n) {}
}
`,
  'm/m.csproj': projectXml('<NoWarn>MSTEST0025</NoWarn>', packageReferences('MSTest 4.5.2')),
  'm/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting;
[TestClass] public class T
{
  public TestContext TestContext { get; set; }
  [TestMethod] public void Bad() => Assert.AreEqual(1, 2);
  [TestMethod, Ignore("later")] public void Ign() {}
  [TestMethod] public void Inc() => Assert.Inconclusive("unknown");
  [TestMethod] public void Att() { var p = System.IO.Path.GetFullPath("att.txt"); System.IO.File.WriteAllText(p, "x"); TestContext.AddResultFile(p); }
}
`,
  'noadapter/noadapter.csproj': projectXml('', packageReferences('Microsoft.NET.Test.Sdk 18.0.1', 'xunit 2.9.3')),
  'noadapter/T.cs': 'public class T { [Xunit.Fact] public void Good() {} }',
  'empty/empty.csproj': projectXml('', packageReferences(...XUNIT)),
  'empty/N.cs': 'public class Nothing {}',
  'v3/v3.csproj': projectXml('<OutputType>Exe</OutputType>', packageReferences('xunit.v3 3.2.1')),
  'v3/T.cs': 'public class T { [Xunit.Fact] public void Good() {} }',
  'unbuilt/unbuilt.csproj': projectXml('', packageReferences(...XUNIT)),
  'unbuilt/T.cs': 'public class T { [Xunit.Fact] public void Good() {} }',
  'own/own.csproj': projectXml(
    '<OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings>',
    packageReferences('TUnit 1.81.10'),
  ),
  'own/T.cs':
    'public class T { [Test] public async Task Good() { var two = 1 + 1; await Assert.That(two).IsEqualTo(2); } }',
};

const LIBRARY = '<ItemGroup><ProjectReference Include="../lib/lib.csproj" /></ItemGroup>';
const LIBRARY_TESTS = `using Xunit;
public class T
{
  [Fact] public void Good() {}
  [Fact] public void Bad() => Assert.Equal(1, Calc.Two());
  [Fact(Skip = "later")] public void Later() {}
}
`;

export const RUN_PROJECTS = {
  'lib/lib.csproj': projectXml(),
  'lib/Calc.cs': 'public static class Calc { public static int Two() => 2; }',
  'v2/v2.csproj': projectXml('', packageReferences(...XUNIT) + LIBRARY),
  'v2/T.cs': LIBRARY_TESTS,
  'v3/v3.csproj': projectXml(
    '<OutputType>Exe</OutputType><TestingPlatformDotnetTestSupport>true</TestingPlatformDotnetTestSupport>',
    packageReferences('xunit.v3 3.2.1') + LIBRARY,
  ),
  'v3/T.cs': LIBRARY_TESTS,
};

export const NAME_PROJECTS = {
  'x/x.csproj': projectXml('', packageReferences(...XUNIT)),
  'x/T.cs': `using Xunit; namespace Shop.Tests;
public class T(Xunit.Abstractions.ITestOutputHelper output)
{
  [Fact(Skip = "not yet")] public void Later() {}
  [Fact] public void Bad() { output.WriteLine("looked at row 7"); Assert.Equal(1, 2); }
  [Theory, InlineData(1)] public void Rows(int n) => Assert.Equal(0, n);
}`,
  'm/m.csproj': projectXml(
    '',
    packageReferences('Microsoft.NET.Test.Sdk 18.0.1', 'MSTest.TestFramework 4.5.2', 'MSTest.TestAdapter 4.5.2'),
  ),
  'm/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting; namespace Shop.Tests;
[TestClass] public class T
{
  [TestMethod, Ignore("not yet")] public void Later() {}
  [TestMethod] public void Bad() { System.Console.WriteLine("looked at row 7"); Assert.AreEqual(1, 2); }
  [TestMethod, DataRow(1)] public void Rows(int n) => Assert.AreEqual(0, n);
}`,
  'n/n.csproj': projectXml(
    '',
    packageReferences('Microsoft.NET.Test.Sdk 18.0.1', 'NUnit 4.4.0', 'NUnit3TestAdapter 5.2.0'),
  ),
  'n/T.cs': `using NUnit.Framework; namespace Shop.Tests;
[TestFixture(7), TestFixture(8)] public class P(int n)
{
  [Test] public void Vals() => Assert.That(n, Is.EqualTo(1));
  [TestCase(1), TestCase(2)] public void Case(int a) => Assert.That(a, Is.EqualTo(n));
}
[TestFixture("a.b(c", TestName = "Named, twice")] public class F(string s) { [Test] public void In() => Assert.Fail(s); }
[TestFixture("x, y")] public class S(string s) { [Test] public void In() => Assert.Fail(s); }
[TestFixture(typeof(int), typeof(string))] public class G<A, B> { [Test] public void In() => Assert.Fail(); }
public class Q
{
  [TestCase("a(b", TestName = "My nice name")] public void A(string s) => Assert.Fail(s);
  [TestCase("a(b", TestName = "Odd (name) | 12% of 'it'")] public void B(string s) => Assert.Fail(s);
  [TestCase("a(b", 2)] public void C(string s, int n) => Assert.Fail(s);
  public class Inner { [Test] public void In() => Assert.Fail(); }
}`,
};

const platformProject = (id: string, properties: string, ...packages: string[]) =>
  projectXml(
    `<PackageId>${id}.Fixture</PackageId>${CONSOLE}<NoWarn>MSTEST0025</NoWarn>${properties}`,
    packageReferences(...packages),
  );

/** Projects of Microsoft.Testing.Platform: in each, two tests of `Shop.Tests.T` fail, one is skipped, and one passes. */
export const PLATFORM_PROJECTS = {
  'global.json': '{ "test": { "runner": "Microsoft.Testing.Platform" } }',
  'tunit/tunit.csproj': platformProject('TUnit', '', 'TUnit 1.81.10'),
  'tunit/T.cs': `namespace Shop.Tests;
public class T
{
  [Test, Skip("not yet")] public void Later() {}
  [Test] public async Task Bad() { Console.WriteLine("looked at row 7"); var n = 1; await Assert.That(n).IsEqualTo(2); }
  [Test, Arguments(1)] public async Task Rows(int n) => await Assert.That(n).IsEqualTo(0);
  [Test] public async Task Good() { if (Environment.GetEnvironmentVariable("HANG") == "1") await Task.Delay(600_000); }
}
`,
  'nunit/nunit.csproj': platformProject(
    'NUnit',
    '<EnableNUnitRunner>true</EnableNUnitRunner>',
    'Microsoft.NET.Test.Sdk 18.0.1',
    'NUnit 4.4.0',
    'NUnit3TestAdapter 5.2.0',
  ),
  'nunit/T.cs': `using NUnit.Framework; namespace Shop.Tests;
public class T
{
  [Test, Ignore("not yet")] public void Later() {}
  [Test] public void Bad() { Console.WriteLine("looked at row 7"); Assert.That(1, Is.EqualTo(2)); }
  [TestCase(1)] public void Rows(int n) => Assert.That(n, Is.EqualTo(0));
  [Test] public void Good() { if (Environment.GetEnvironmentVariable("HANG") == "1") Thread.Sleep(600_000); }
}
`,
  'mstest/mstest.csproj': platformProject('MSTest', '<EnableMSTestRunner>true</EnableMSTestRunner>', 'MSTest 4.5.2'),
  'mstest/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting; namespace Shop.Tests;
[TestClass] public class T
{
  [TestMethod, Ignore("not yet")] public void Later() {}
  [TestMethod] public void Bad() { Console.WriteLine("looked at row 7"); Assert.AreEqual(1, 2); }
  [TestMethod, DataRow(1)] public void Rows(int n) => Assert.AreEqual(0, n);
  [TestMethod] public void Good() { if (Environment.GetEnvironmentVariable("HANG") == "1") Thread.Sleep(600_000); }
}
`,
  'xunit/xunit.csproj': platformProject('xUnit', '', 'xunit.v3 3.2.1'),
  'xunit/T.cs': `using Xunit; namespace Shop.Tests;
public class T(ITestOutputHelper output)
{
  [Fact(Skip = "not yet")] public void Later() {}
  [Fact] public void Bad() { output.WriteLine("looked at row 7"); Assert.Equal(1, 2); }
  [Theory, InlineData(1)] public void Rows(int n) => Assert.Equal(0, n);
  [Fact] public void Good() { if (Environment.GetEnvironmentVariable("HANG") == "1") Thread.Sleep(600_000); }
}
`,
};

const MSTEST = ['MSTest.TestFramework 4.5.2', 'MSTest.TestAdapter 4.5.2'];
const mstestProject = (id: string) => platformProject(id, '<EnableMSTestRunner>true</EnableMSTestRunner>', ...MSTEST);
const solution = (...projects: string[]) =>
  `<Solution>${projects.map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`;

/** Solutions of Microsoft.Testing.Platform: of one test framework, and of two. */
export const PLATFORM_SOLUTIONS = {
  'global.json': '{ "test": { "runner": "Microsoft.Testing.Platform" } }',
  'One.slnx': solution('a', 'b'),
  'Mixed.slnx': solution('a', 'x'),
  'a/a.csproj': mstestProject('A'),
  'a/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting; namespace A;
[TestClass] public class T { [TestMethod] public void Only() {} [TestMethod] public void Both() {} }
`,
  'b/b.csproj': mstestProject('B'),
  'b/T.cs': `using Microsoft.VisualStudio.TestTools.UnitTesting; namespace B;
public abstract class Numbers { protected abstract int N { get; } [TestMethod] public void Positive() => Assert.IsTrue(N > 0); }
[TestClass] public class Minus : Numbers { protected override int N => -1; }
[TestClass] public class Zero : Numbers { protected override int N => 0; }
[TestClass] public class One : Numbers { protected override int N => 1; }
[TestClass] public class Ends
{
  [TestMethod] public void Both() { if (Environment.GetEnvironmentVariable("CRASH") == "1") { System.Threading.Thread.Sleep(3000); Environment.FailFast("boom"); } }
}
`,
  'x/x.csproj': platformProject('X', '', 'xunit.v3.mtp-v2 3.2.2'),
  'x/T.cs':
    'namespace X; public class T { [Xunit.Fact] public void MigrateUp() {} [Xunit.Fact] public void Down() {} }',
};

/** Solutions that VSTest runs: one project fails, one can crash, one does not build. */
export const VSTEST_SOLUTIONS = {
  'Crash.slnx': solution('a', 'b'),
  'Broken.slnx': solution('a', 'broken', 'user'),
  'a/a.csproj': projectXml('', packageReferences(...XUNIT)),
  'a/T.cs': `using Xunit; namespace A;
public class T
{
  [Fact] public void Good() {}
  [Theory, InlineData("🎉 𠀀")] public void Fails(string s) => Assert.Equal("😀", s);
}
`,
  'b/b.csproj': projectXml('', packageReferences(...XUNIT)),
  'b/T.cs': 'namespace B; public class T { [Xunit.Fact] public void Boom() => System.Environment.FailFast("boom"); }',
  'broken/broken.csproj': projectXml('', packageReferences(...XUNIT)),
  'broken/T.cs': 'public class T { [Xunit.Fact] public void Good() => nope(); }',
  'user/user.csproj': projectXml(
    '',
    `${packageReferences(...XUNIT)}<ItemGroup><ProjectReference Include="../broken/broken.csproj" /></ItemGroup>`,
  ),
  'user/T.cs': 'public class U { [Xunit.Fact] public void Good() {} }',
  'gate/gate.csproj': projectXml(
    '',
    `${packageReferences(...XUNIT)}<Target Name="Gate" AfterTargets="VSTest"><Error Text="Coverage 22 is below 100" /></Target>`,
  ),
  'gate/T.cs': 'public class T { [Xunit.Fact] public void Good() {} }',
};
