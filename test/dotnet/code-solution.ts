import { projectXml } from './sdk-server.js';

const WEB = projectXml('<Nullable>enable</Nullable><ImplicitUsings>enable</ImplicitUsings>').replace(
  'Microsoft.NET.Sdk',
  'Microsoft.NET.Sdk.Web',
);

const items = (...lines: string[]) => `<ItemGroup>${lines.join('')}</ItemGroup>`;
const project = (path: string) => `<ProjectReference Include="${path}" />`;

const XUNIT = Object.entries({
  'Microsoft.NET.Test.Sdk': '18.0.1',
  xunit: '2.9.3',
  'xunit.runner.visualstudio': '3.1.5',
});

/** The package Mortise.Words is in the folder `feed`, and Mortise.Absent is nowhere. */
const PACKAGES = items(
  ...XUNIT.map(([name, version]) => `<PackageVersion Include="${name}" Version="${version}" />`),
  '<PackageVersion Include="Mortise.Words" Version="1.0.0" />',
  '<PackageVersion Include="Mortise.Absent" Version="1.0.0" />',
);

const ONLY_NET = `<PackageReference Include="Mortise.Words" Condition="'$(TargetFramework)' == 'net10.0'" />`;

/**
 * A solution as people have them: central packages, several frameworks, generators of the SDK, Razor, F# beside C#, a
 * shared project, a linked file, a test project of xunit, one that cannot be restored, a file-based app, and a filter of
 * what can be restored. Each has warnings.
 */
export const SOLUTION: Record<string, string> = {
  'All.slnx': `<Solution>
  <Folder Name="/src/">${['Core', 'App', 'Web', 'Tests', 'UnitTests'].map((name) => `<Project Path="src/${name}/${name}.csproj" />`).join('')}</Folder>
  <Project Path="src/Fs/Fs.fsproj" />
  <Project Path="src/Shared/Shared.shproj" />
</Solution>`,
  'Good.slnf': JSON.stringify({
    solution: {
      path: 'All.slnx',
      projects: [
        'Core\\Core.csproj',
        'App\\App.csproj',
        'Web\\Web.csproj',
        'UnitTests\\UnitTests.csproj',
        'Fs\\Fs.fsproj',
      ].map((project) => `src\\${project}`),
    },
  }),
  'Directory.Packages.props': `<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup>${PACKAGES}</Project>`,
  '.editorconfig':
    'root = true\n[*.cs]\ndotnet_diagnostic.CS0219.severity = none\ndotnet_diagnostic.CS0162.severity = error\n',
  'src/Shared/Shared.shproj': '<Project><Import Project="Shared.projitems" Label="Shared" /></Project>',
  'src/Shared/Shared.projitems':
    '<Project><ItemGroup><Compile Include="$(MSBuildThisFileDirectory)Clock.cs" /></ItemGroup></Project>',
  'src/Shared/Clock.cs': `namespace Shop;

internal static class Clock
{
    public static int Now() { int unused; return 1; }
}
`,
  'src/Core/Core.csproj': projectXml(
    '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks><LangVersion>latest</LangVersion><Nullable>enable</Nullable><GenerateDocumentationFile>true</GenerateDocumentationFile>',
    `<Import Project="../Shared/Shared.projitems" Label="Shared" />${items(ONLY_NET, '<InternalsVisibleTo Include="App" />')}`,
  ).replace('<TargetFramework>net10.0</TargetFramework>', ''),
  'src/Core/Order.cs': `namespace Shop;

/// <summary>An <see cref="Missing"/> order.</summary>
public class Order
{
    public string Title { get; set; }
    internal int At => Clock.Now();
    [System.Obsolete("old")]
    public object Old() { int silent = 1; return silent; }
#if NET
    public Newtonsoft.Json.Linq.JObject OfPackage() => new();
#endif
#if NETSTANDARD
    public object OfStandard() { object? none = null; return none; }
#endif
}
`,
  'src/Common/Linked.cs': `namespace Shop;

internal static class Linked
{
    public static string Text() { string text = null; return text; }
}
`,
  'src/Fs/Fs.fsproj': projectXml('', items('<Compile Include="Prices.fs" />')),
  'src/Fs/Prices.fs': 'namespace Prices\n\nmodule Price =\n    let twice (amount: int) = amount * 2\n',
  'src/App/App.csproj': projectXml(
    '<OutputType>Exe</OutputType><ImplicitUsings>enable</ImplicitUsings><Nullable>enable</Nullable>',
    items(
      project('../Core/Core.csproj'),
      project('../Fs/Fs.fsproj'),
      '<Compile Include="../Common/Linked.cs" Link="Linked.cs" />',
    ),
  ),
  'src/App/Program.cs': `using System.Text.Json.Serialization;
using System.Text.RegularExpressions;
using Shop;

var order = new Order { Title = Linked.Text() };
Console.WriteLine(order.Old() + Names.Short().Match("aa").Value + order.At);
Console.WriteLine(Prices.Price.twice(2) + OrderJson.Default.Order.ToString());

partial class Names
{
    [GeneratedRegex("a+")]
    public static partial Regex Short();
}

[JsonSerializable(typeof(Order))]
partial class OrderJson : JsonSerializerContext;
`,
  'src/Web/Web.csproj': WEB.replace(
    '</Project>',
    `${items(project('../Core/Core.csproj'), '<Compile Include="../Common/Linked.cs" />')}</Project>`,
  ),
  'src/Web/Program.cs':
    'var app = WebApplication.CreateBuilder(args).Build();\napp.MapGet("/orders/{id}", (int id) => id);\napp.Run();\n',
  'src/Web/_Imports.razor': '@using Shop\n@using Microsoft.AspNetCore.Components\n',
  'src/Web/Counter.razor': `<p>@_order.Title @Linked.Text()</p>
<Label Text="@_order.Title" />

@code {
    private readonly Order _order = new();

    private void Add() { string name = null; _order.Old(); }
}
`,
  'src/Web/Label.razor': '<b>@Text</b>\n\n@code {\n    [Parameter] public string Text { get; set; }\n}\n',
  'src/Web/Pages/Index.cshtml': `@page
@model Shop.Order
<h1>@Model.Title</h1>
@{ string none = null; }
<p>@none.Length</p>
`,
  'src/Tests/Tests.csproj': projectXml(
    '<IsTestProject>true</IsTestProject>',
    items('<PackageReference Include="Mortise.Absent" />', project('../Core/Core.csproj')),
  ),
  'src/Tests/OrderTests.cs': `using Absent;

public class OrderTests
{
    [Fact]
    public void Has_a_title() => new Shop.Order { Title = "" }.Title.ToString();
}
`,
  'src/UnitTests/UnitTests.csproj': projectXml(
    '',
    items(...XUNIT.map(([name]) => `<PackageReference Include="${name}" />`), project('../Core/Core.csproj')),
  ),
  'src/UnitTests/OrderFacts.cs': `using Shop;
using Xunit;

public class OrderFacts
{
    [Fact]
    public void Has_a_title() => Assert.Equal("Tea", new Order { Title = "Tea" }.Title);

    [Theory]
    [InlineData("Tea")]
    public void Is_old(string title) { int unused; Assert.NotNull(new Order { Title = title }.Old()); }
}
`,
  'scripts/count.cs': `#!/usr/bin/env dotnet
// Counts orders.
#:property DefineConstants=$(DefineConstants);COUNTING
#:package Mortise.Words
#:project ../src/Core

using Shop;

var tally = new Tally();
tally.Add(new Order { Title = null });
#if COUNTING
Console.WriteLine(Newtonsoft.Json.JsonConvert.SerializeObject(tally.Sum));
#endif

class Tally
{
    public int Sum { get; private set; }

    public void Add(Order order) { string none = null; Sum += order.Title.Length; }
}
`,
};
