import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { evaluateProject, propertyOf } from '../../src/msbuild/evaluate.js';
import { evaluateSolution } from '../../src/msbuild/evaluate-solution.js';
import { readProjects } from '../../src/msbuild/read-projects.js';
import { nupkg } from '../diagnostics/provoked/nupkg.js';
import { describeWithSdk } from '../sdk.js';
import { evaluationHost, folderWith, writeIn } from './evaluations.js';

const NOTHING = { properties: [], itemTypes: [] };
const project = (content: string) =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>${content}</Project>`;
const property = (value: string) => `<PropertyGroup><A>${value}</A></PropertyGroup>`;

const GET_PARENT = "[System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)victim/x')";

/** Contents of a project that would change files: the folders `made` and `victim` show whether they did. */
const REFUSED: readonly [what: string, content: string][] = [
  ['deletes a folder', property(`$(${GET_PARENT}.Delete(true))`)],
  ['creates a folder', property(`$(${GET_PARENT}.CreateSubdirectory('made'))`)],
  ['moves a folder', property(`$(${GET_PARENT}.MoveTo('$(MSBuildThisFileDirectory)made'))`)],
  [
    'copies a file',
    property(`$(${GET_PARENT}.GetFiles('file').GetValue(0).CopyTo('$(MSBuildThisFileDirectory)made'))`),
  ],
  ['empties a file', property(`$(${GET_PARENT}.GetFiles('file')[0].CreateText())`)],
  ['goes by a parent', property(`$(${GET_PARENT}.Parent.CreateSubdirectory('made'))`)],
  ['sets a property of the folder', property(`$(${GET_PARENT}.set_LastWriteTime($([System.DateTime]::MinValue)))`)],
  [
    'is written in another case',
    property(
      `$(${GET_PARENT.toUpperCase().replace('$(MSBUILDTHISFILEDIRECTORY)', '$(MSBuildThisFileDirectory)')}.DELETE(true))`,
    ),
  ],
  ['has white space', property(`$( [ System.IO.Directory ]::GetParent('victim/x') . Delete(true))`)],
  ['is in an argument', property(`$([System.String]::Concat('a', $(${GET_PARENT}.CreateSubdirectory('made'))))`)],
  ['is in a condition', `<PropertyGroup Condition="'$(${GET_PARENT}.CreateSubdirectory('made'))' != ''" />`],
  ['is in an item', `<ItemGroup><None Include="$(${GET_PARENT}.CreateSubdirectory('made'))" /></ItemGroup>`],
  [
    'is in metadata',
    `<ItemGroup><None Include="a"><M>$(${GET_PARENT}.CreateSubdirectory('made'))</M></None></ItemGroup>`,
  ],
  [
    'is in a definition of items',
    `<ItemDefinitionGroup><None><M>$(${GET_PARENT}.CreateSubdirectory('made'))</M></None></ItemDefinitionGroup>`,
  ],
  ['is in an import', `<Import Project="$(${GET_PARENT}.CreateSubdirectory('made'))" Condition="false" />`],
  ['is in attributes of a target', `<Target Name="T" BeforeTargets="$(${GET_PARENT}.CreateSubdirectory('made'))" />`],
  [
    'is in a task that is declared',
    `<UsingTask TaskName="T" AssemblyFile="$(${GET_PARENT}.CreateSubdirectory('made'))" />`,
  ],
  ['is in the XML of a value', property(`<x>$(${GET_PARENT}.CreateSubdirectory('made'))</x>`)],
  [
    'is written with entities',
    property(`$(&#91;System.IO.Directory&#x5D;::GetParent('$(MSBuildThisFileDirectory)victim/x').Delete(true))`),
  ],
  [
    'is cut by a comment',
    property(`$([System.IO.Dir<!-- -->ectory]::GetParent('$(MSBuildThisFileDirectory)victim/x').Delete(true))`),
  ],
  ['is in CDATA', property(`<![CDATA[$(${GET_PARENT}.Delete(true))]]>`)],
  [
    'is in a choice',
    `<Choose><When Condition="true">${property(`$(${GET_PARENT}.CreateSubdirectory('made'))`)}</When></Choose>`,
  ],
  ['creates a temporary file', property('$([System.IO.Path]::GetTempFileName())')],
  [
    "creates a folder of the user's",
    property('$([System.Environment]::GetFolderPath(SpecialFolder.Templates, SpecialFolderOption.Create))'),
  ],
  ['loads a check of builds', property(`$([MSBuild]::RegisterBuildCheck('evil.dll'))`)],
  ['asks for a type', property(`$([System.String]::Copy('a').GetType().Assembly)`)],
];

describeWithSdk('a property function that could change something', () => {
  it.each(REFUSED)('%s: refused, with its file and line', async (_, content) => {
    const folder = await folderWith({ 'App.csproj': project(`\n${content}`), 'victim/file': 'kept' });
    await expect(evaluateProject(evaluationHost, join(folder, 'App.csproj'), NOTHING)).rejects.toMatchObject({
      name: 'FileError',
      reason: 'invalid value',
      message: expect.stringContaining(`${folder}/App.csproj(2) has the property function`),
    });
    expect(['made', 'victim/made', 'victim/file'].map((path) => existsSync(join(folder, path)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['Directory.Build.props', 'Directory.Build.props', ''],
    ['Directory.Build.targets above', '../Directory.Build.targets', ''],
    ['Directory.Packages.props', 'Directory.Packages.props', ''],
    ['a file of the user', 'App.csproj.user', ''],
    ['what NuGet generated', 'obj/App.csproj.nuget.g.props', ''],
    [
      'a package',
      'packages/evil/1.0.0/build/evil.props',
      '<Import Project="$(MSBuildThisFileDirectory)packages/evil/1.0.0/build/evil.props" />',
    ],
    ['an import by a wildcard', 'more/evil.props', '<Import Project="more/*.props" />'],
    [
      'a computed import',
      'evil.props',
      `<PropertyGroup><N>live</N></PropertyGroup><Import Project="$([MSBuild]::GetPathOfFileAbove('e$(N.Replace('l', '')).props'.Replace('eive', 'evil')))" Condition="false" /><Import Project="$([System.String]::Concat('ev', 'il')).props" />`,
    ],
    [
      'an import that the SDK makes of a property',
      'evil.targets',
      '<PropertyGroup><CustomAfterMicrosoftCommonTargets>$(MSBuildThisFileDirectory)evil.targets</CustomAfterMicrosoftCommonTargets></PropertyGroup>',
    ],
    ['an SDK in the repository', 'Own.Sdk/Sdk/Sdk.props', '<Import Project="Own.Sdk/Sdk/Sdk.props" />'],
  ])('is refused in %s', async (_, file, content) => {
    const evil = `<Project>${property(`$(${GET_PARENT}.CreateSubdirectory('made'))`)}</Project>`;
    const folder = await folderWith({ 'repo/App.csproj': project(content), [join('repo', file)]: evil });
    await expect(evaluateProject(evaluationHost, join(folder, 'repo/App.csproj'), NOTHING)).rejects.toMatchObject({
      message: expect.stringContaining('.CreateSubdirectory'),
    });
  });

  it('is refused in one project of a solution, and nothing is read of the others', async () => {
    const folder = await folderWith({
      'A.csproj': project(''),
      'B.csproj': project(property(`$(${GET_PARENT}.Delete(true))`)),
      'C.csproj': project(''),
    });
    const projects = ['A', 'B', 'C'].map((name) => join(folder, `${name}.csproj`));
    await expect(evaluateSolution(evaluationHost, join(folder, 'S.slnx'), projects, NOTHING)).rejects.toMatchObject({
      message: expect.stringContaining('B.csproj(1)'),
    });
  });

  it('is refused in an SDK that would be downloaded, and in one whose version is computed', async () => {
    for (const [sdk, what] of [
      ['<Sdk Name="Mortise.Gone.Sdk" Version="1.0" />', 'the SDK Mortise.Gone.Sdk/1.0, which would be downloaded'],
      ['<Import Project="Sdk.props" Sdk="Mortise.Gone.Sdk/2.0.0" />', 'the SDK Mortise.Gone.Sdk/2.0.0'],
      ['<Import Project="Sdk.props" Sdk="Mortise.Gone.Sdk" Version="$(A)" Condition="false" />', 'is computed'],
    ]) {
      const folder = await folderWith({ 'App.csproj': project(sdk!) });
      await expect(evaluateProject(evaluationHost, join(folder, 'App.csproj'), NOTHING)).rejects.toMatchObject({
        message: expect.stringContaining(what!),
      });
    }
  });
});

/** How a global.json can give an SDK its version; with each the resolver of NuGet downloads the package. */
const VERSION = '"msbuild-sdks":{"Mortise.Evil.Sdk":"1.0.0"}';
const VERSIONS: readonly [how: string, text: string][] = [
  ['a member', `{${VERSION}}`],
  ['a byte-order mark', `\uFEFF{${VERSION}}`],
  ['a member that is there twice', `{${VERSION},"msbuild-sdks":{}}`],
  ['a name that is there twice', '{"msbuild-sdks":{"Mortise.Evil.Sdk":"1.0.0","Mortise.Evil.Sdk":1}}'],
  ['text after the end', `{${VERSION}} x`],
  ['escaped characters', `{${VERSION.replace('Evil', '\\u0045vil')}}`],
  ['another case of the name', `{${VERSION.replace('Evil', 'EVIL')}}`],
  ['comments and a comma at the end', `{/* a */${VERSION},}`],
];

describeWithSdk('an SDK whose version is in global.json', () => {
  it.each(VERSIONS)('is not downloaded: %s', async (_, text) => {
    const folder = await folderWith({
      'repo/App.csproj': '<Project Sdk="Mortise.Evil.Sdk" />',
      'repo/global.json': text,
      'repo/NuGet.config':
        '<configuration><packageSources><clear /><add key="here" value="../feed" /></packageSources></configuration>',
      'feed/.keep': '',
    });
    const files = { 'Sdk/Sdk.props': '<Project />', 'Sdk/Sdk.targets': '<Project />' };
    writeFileSync(
      join(folder, 'feed/Mortise.Evil.Sdk.1.0.0.nupkg'),
      nupkg({ id: 'Mortise.Evil.Sdk', version: '1.0.0', files }),
    );
    const packages = join(folder, 'packages');
    vi.stubEnv('NUGET_PACKAGES', packages);
    try {
      // From another folder: the CLI itself would not start beside some of these files.
      const request = { projects: [{ path: join(folder, 'repo/App.csproj'), globalProperties: {} }], query: NOTHING };
      await expect(readProjects(evaluationHost, request, folder)).rejects.toMatchObject({
        message: expect.stringContaining('which would be downloaded'),
      });
      expect(existsSync(packages)).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

/** Shapes of imports and functions that are usual in public repositories; each sets a property. */
const sets = (name: string) => `<Project><PropertyGroup><${name}>yes</${name}></PropertyGroup></Project>`;
const ABOVE = "$([MSBuild]::GetPathOfFileAbove('Directory.Build.props', '$(MSBuildThisFileDirectory)../'))";
const USUAL = {
  'Directory.Build.props': sets('Root'),
  'eng/a.props': sets('A'),
  'eng/b.props': sets('B'),
  'eng/Versions.props': sets('Versions'),
  'marker.txt': '',
  'src/Directory.Build.props': `<Project><PropertyGroup><Up>${ABOVE}</Up></PropertyGroup>
    <Import Project="$(Up)" Condition="'$(Up)' != ''" /><Import Project="${ABOVE}" Condition="false" />
    <PropertyGroup>
      <RepoRoot>$([MSBuild]::NormalizeDirectory('$([MSBuild]::GetDirectoryNameOfFileAbove('$(MSBuildThisFileDirectory)', 'marker.txt'))'))</RepoRoot>
      <Parent>$([System.IO.Directory]::GetParent('$(MSBuildThisFileDirectory)').Parent.FullName)</Parent>
      <Year>$([System.DateTime]::UtcNow.ToString('yyyy'))</Year>
      <Major>$([System.Version]::Parse('1.2.3').Major)</Major>
      <Id>$([System.Guid]::NewGuid().ToString('N').Substring(0, 8))</Id>
      <Match>$([System.Text.RegularExpressions.Regex]::Match('v12', '\\d+').Value)</Match>
      <Short>$(MSBuildProjectName.Split('.')[0].ToLowerInvariant().Replace('x', 'y'))</Short>
      <Text Condition="Exists('$(RepoRoot)marker.txt')">$([System.IO.File]::ReadAllText('$(RepoRoot)marker.txt').Trim())</Text>
      <Windows>$([MSBuild]::IsOSPlatform('Windows'))</Windows>
      <Rid>$([System.Runtime.InteropServices.RuntimeInformation]::OSArchitecture.ToString().ToLowerInvariant())</Rid>
      <Home>$([System.Environment]::GetFolderPath(SpecialFolder.UserProfile))</Home>
      <PowerShell>pwsh -c "[System.IO.File]::WriteAllText('a', '$(Year)'); [System.IO.Directory]::CreateDirectory('b')"</PowerShell>
    </PropertyGroup></Project>`,
  'src/App/obj/App.csproj.nuget.g.props': `<Project><PropertyGroup><NuGetPackageRoot>$(MSBuildThisFileDirectory)../../../packages/</NuGetPackageRoot><PkgTool>$(NuGetPackageRoot)tool/1.0.0</PkgTool></PropertyGroup>
    <ImportGroup><Import Project="$(NuGetPackageRoot)tool/1.0.0/build/tool.props" Condition="Exists('$(NuGetPackageRoot)tool/1.0.0/build/tool.props')" /></ImportGroup></Project>`,
  'packages/tool/1.0.0/build/tool.props': sets('Tool'),
  'packages/tool/1.0.0/more.props': sets('More'),
  'src/App/net10.0.props': sets('ByFramework'),
  'src/App/App.csproj': `<Project>
    <Sdk Name="Microsoft.NET.Sdk" />
    <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
    <Import Project="$(RepoRoot)eng/*.props" />
    <Import Project="$(PkgTool)/more.props" />
    <Import Project="$(TargetFramework).props" />
    <Import Project="$(MSBuildExtensionsPath)\\gone\\gone.props" Condition="Exists('$(MSBuildExtensionsPath)\\gone\\gone.props')" />
    <Import Project="$(VSToolsPath)\\Web\\Microsoft.WebApplication.targets" Condition="'$(VSToolsPath)' != ''" />
    <Choose><When Condition="'$(Root)' == 'yes'"><PropertyGroup><Chosen>yes</Chosen></PropertyGroup></When><Otherwise /></Choose>
    <Target Name="T"><Exec Command="$([System.IO.Directory]::GetParent('x').Delete(true))" /></Target>
  </Project>`,
};

describeWithSdk('what repositories usually have', () => {
  it('is evaluated', async () => {
    const folder = await folderWith(USUAL);
    const names = ['Root', 'A', 'B', 'Versions', 'Tool', 'More', 'ByFramework', 'Chosen'];
    const query = { properties: [...names, 'Parent', 'Major', 'Match', 'PowerShell'], itemTypes: [] };
    const { outer } = await evaluateProject(evaluationHost, join(folder, 'src/App/App.csproj'), query);
    for (const name of names) expect(propertyOf(outer, name), name).toBe('yes');
    expect([propertyOf(outer, 'Parent'), propertyOf(outer, 'Major'), propertyOf(outer, 'Match')]).toEqual([
      folder,
      '1',
      '12',
    ]);
    expect(propertyOf(outer, 'PowerShell')).toContain('WriteAllText');
  });

  it('and an SDK in the packages folder is, without a download', async () => {
    const folder = await folderWith({ 'App.csproj': '<Project Sdk="Mortise.Local.Sdk/1.0" />' });
    const own = process.env.NUGET_PACKAGES;
    process.env.NUGET_PACKAGES = join(folder, 'packages');
    try {
      const root = 'packages/mortise.local.sdk/1.0.0';
      await writeIn(
        folder,
        `${root}/mortise.local.sdk.nuspec`,
        '<package><metadata><id>Mortise.Local.Sdk</id><version>1.0.0</version></metadata></package>',
      );
      await writeIn(folder, `${root}/.nupkg.metadata`, '{"version":2,"contentHash":"","source":""}');
      await writeIn(folder, `${root}/Sdk/Sdk.props`, sets('Local'));
      await writeIn(folder, `${root}/Sdk/Sdk.targets`, '<Project />');
      const { outer } = await evaluateProject(evaluationHost, join(folder, 'App.csproj'), {
        properties: ['Local'],
        itemTypes: [],
      });
      expect(propertyOf(outer, 'Local')).toBe('yes');
    } finally {
      if (own === undefined) delete process.env.NUGET_PACKAGES;
      else process.env.NUGET_PACKAGES = own;
    }
  });
});
