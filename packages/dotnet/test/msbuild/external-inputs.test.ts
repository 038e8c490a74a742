import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { externalInputs } from '../../src/msbuild/external-inputs.js';
import { areUnchanged, folderTree, isChangedSince, stateHashesOf } from '../../src/project-files/file-state.js';
import { parseXml } from '../../src/xml/parse-xml.js';
import { folderWith, writeIn } from './dotnet-call.js';

const target = {
  file: '/repo/build/a.props',
  project: '/repo/app/App.csproj',
  constants: { NuGetPackageRoot: '/pkg/' },
};
const inputsOf = (content: string) => externalInputs(parseXml(`<Project>${content}</Project>`), target);
const NONE = { paths: [], globRoots: [] };

describe('outsideInfluence', () => {
  it.each([
    ["<Import Project='x' Condition=\"Exists('$(MSBuildThisFileDirectory)x')\" />", ['/repo/build/x']],
    ["<A Condition=\" '$(B)' == '' and exists( '$(NuGetPackageRoot)b\\c' ) \" />", ['/pkg/b/c']],
    ['<A Condition="!Exists($(MSBuildProjectDirectory))" />', ['/repo/app']],
    ['<A Condition="Exists(\'../x\')" />', ['/repo/x']],
    ["<A Condition=\"Exists('x') Or Exists('/y')\" />", ['/repo/app/x', '/repo/build/x', '/y']],
  ])('finds the paths of %s', (content, paths) => {
    expect(inputsOf(content)).toEqual({ ...NONE, paths });
  });

  it.each([
    ['<I Include="../shared/**/*.cs;a.cs" />', ['/repo/shared']],
    ['<I Include="$(MSBuildThisFileDirectory)src\\a*.cs" />', ['/repo/build/src']],
    ['<I Include="*.cs" />', ['/repo/app', '/repo/build']],
    ['<Import Project="imports/*.props" />', ['/repo/app/imports', '/repo/build/imports']],
    ['<PropertyGroup><Glob>/data/**</Glob></PropertyGroup>', ['/data']],
  ])('finds the root of %s', (content, globRoots) => {
    expect(inputsOf(content)).toEqual({ ...NONE, globRoots });
  });

  it.each([
    '<A>$([System.IO.File]::ReadAllText(x))</A>',
    '<A>$([System.IO.Path]::Combine(a, b))</A>',
    '<A>$([ System.DateTime ]::Now)</A>',
    '<A>$([System.Guid]::NewGuid())</A>',
    '<A>$([System.Environment]::TickCount)</A>',
    '<A>$([MSBuild]::GetRegistryValueFromView(x))</A>',
    "<Import Project=\"$([MSBuild]::GetPathOfFileAbove('x.props', '..'))\" />",
    '<A>$(Registry:HKEY_LOCAL_MACHINE\\Software@X)</A>',
    '<A>$([Microsoft.Build.Utilities.ToolLocationHelper]::GetPathToDotNetFramework(x))</A>',
    '<I Include="@(Candidates->Exists())" />',
    '<I Include="@(Candidates->\'%(Identity).x\'->Exists())" />',
    '<I Include="a"><M>%(ModifiedTime)</M></I>',
    '<A Condition="Exists(\'$(Unknown)/x\')" />',
    '<I Include="$(Root)/**/*.cs" />',
    '<I Include="@(Folders->\'%(Identity)/*.cs\')" />',
  ])('gives up at %s', (content) => {
    expect(inputsOf(content)).toBeUndefined();
  });

  it.each([
    "<A>$([MSBuild]::Add(1, 2)) $([System.String]::IsNullOrEmpty('')) $(B.Replace('/', ''))</A>",
    "<A>$([System.Environment]::GetEnvironmentVariable('X')) $([MSBuild]::IsOSPlatform('Linux'))</A>",
    '<Target Name="T"><A>$([System.DateTime]::Now)</A><I Include="$(X)**" Condition="Exists(\'$(Y)\')" /></Target>',
    '<!-- $([System.DateTime]::Now) -->',
    "<A Condition=\"'$(B)' != '*'\">x</A>",
  ])('finds nothing in %s', (content) => {
    expect(inputsOf(content)).toEqual(NONE);
  });
});

describe('stamps', () => {
  it('tell what was written, made and removed', async () => {
    const folder = await folderWith({ a: '1' });
    const paths = ['a', 'b', '.'].map((name) => join(folder, name));
    const before = stateHashesOf(paths);
    expect(areUnchanged(before)).toBe(true);
    const startedAtMs = Date.now() + 1000;
    expect(paths.map((path) => isChangedSince(path, startedAtMs))).toEqual([false, false, false]);
    expect(isChangedSince(paths[0]!, startedAtMs - 60_000)).toBe(true);
    await writeIn(folder, 'a', '2');
    expect(areUnchanged(before)).toBe(false);
    const between = stateHashesOf(paths);
    await writeIn(folder, 'b', '');
    expect(areUnchanged(between)).toBe(false);
  });

  it('know all folders of a tree, through links, up to a limit', async () => {
    const folder = await folderWith({ 'a/b/c.txt': '', 'bin/d.txt': '', 'e/f.txt': '' });
    await symlink(join(folder, 'a'), join(folder, 'e/link'));
    await symlink(folder, join(folder, 'e/loop'));
    await mkdir(join(folder, 'g'));
    const skips = (path: string) => path === join(folder, 'bin');
    const names = ['', 'a', 'e', 'g', 'a/b', 'e/link', 'e/loop'].map((name) => join(folder, name));
    expect(folderTree(folder, 100, skips)).toEqual(expect.arrayContaining(names));
    expect(folderTree(folder, 100, skips)).not.toContain(join(folder, 'bin'));
    expect(folderTree(folder, 3, skips)).toBeUndefined();
    expect(folderTree(join(folder, 'nowhere'), 3)).toEqual([join(folder, 'nowhere')]);
  });
});
