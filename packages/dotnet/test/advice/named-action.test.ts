import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RecommendedAction } from '@mortise/plugin';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assertNotSolution } from '../../src/actions/find-target.js';
import { InvalidParameterError } from '../../src/actions/invalid-parameter.js';
import { failureOf } from '../../src/advice/failure.js';
import { runOf } from '../diagnostics/fixture.js';

let folder: string;
const at = (path: string) => join(folder, path);

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  }
}

const project = (items: string, properties = '<TargetFramework>net10.0</TargetFramework>') =>
  `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${properties}</PropertyGroup><ItemGroup>${items}</ItemGroup></Project>`;
const reference = (id: string, version?: string) =>
  `<PackageReference Include="${id}"${version === undefined ? '' : ` Version="${version}"`} />`;

/** The first error of a command that printed these lines; `{}` stands for the folder. */
function errorOf(output: string, args: string[] = ['restore', 'A/A.csproj']) {
  const run = { ...runOf('none', 1, args), cwd: folder, output: output.replaceAll('{}', folder) };
  return failureOf(run, { label: 'Restore' }).errors[0]!;
}
const nextOf = (...call: Parameters<typeof errorOf>) => errorOf(...call).recommendedAction as RecommendedAction;
const argsOf = (...call: Parameters<typeof errorOf>) => (nextOf(...call) as { arguments?: object }).arguments;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'named-'));
  vi.stubEnv('NUGET_PACKAGES', at('cache'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const NOT_FOUND = (version: string, nearest: string) =>
  `{}/A/A.csproj : error NU1102: Unable to find package Plain with version (${version})\n` +
  `{}/A/A.csproj : error NU1102:   - Found 2 version(s) in feed [ Nearest version: ${nearest} ]`;

describe('a version that does not exist', () => {
  it('is replaced by the nearest, where the project references the package, also with central versions', () => {
    write({ 'A/A.csproj': project(reference('Plain')) });
    const { recommendedAction, hint, suggestedFixes } = errorOf(NOT_FOUND('>= 13.9.9', '2.0.0'));
    const update = { action: 'Update', packageId: 'Plain', version: '2.0.0', project: at('A/A.csproj') };
    expect(recommendedAction).toMatchObject({ toolName: 'dotnet_package', arguments: update });
    expect(hint).toBe('Change Plain to version 2.0.0, which exists.');
    expect(suggestedFixes!.join('\n')).not.toMatch(/"action":"Add"|</);
  });

  it('is looked up where the nearest is a prerelease that was not asked for', () => {
    write({ 'A/A.csproj': project(reference('Plain', '3.0.0')) });
    expect(argsOf(NOT_FOUND('>= 3.0.0', '4.0.0-beta'))).toMatchObject({ action: 'Search', exactMatch: true });
    expect(argsOf(NOT_FOUND('>= 3.0.0-rc', '4.0.0-beta'))).toMatchObject({ version: '4.0.0-beta' });
  });

  it('is corrected in the file that gives it to all projects', () => {
    const shared = '<Project><ItemGroup>\n<PackageReference Include="Plain" Version="9.0.0" />\n</ItemGroup></Project>';
    write({ 'A/A.csproj': project(''), 'Directory.Build.props': shared });
    expect(nextOf(NOT_FOUND('>= 9.0.0', '2.0.0'))).toEqual({
      actionKind: 'ManualStep',
      description: `Give Plain the version 2.0.0 in ${at('Directory.Build.props')}, line 2.`,
    });
  });

  it('of a pack of the SDK is no reference of the project', () => {
    write({ 'A/A.csproj': project('') });
    const pack = NOT_FOUND('= 8.0.31', '8.0.30').replaceAll('Plain', 'Microsoft.NETCore.App.Host.linux-arm64');
    const { description } = nextOf(pack, ['build', 'A/A.csproj', '-r', 'linux-arm64']);
    expect(description).toMatch(/^The SDK downloads Microsoft\.NETCore\.App\.Host\.linux-arm64 as a pack/);
    expect(description).toContain('or leave out runtime linux-arm64');
  });

  it('is the baseline of package validation where the project names one', () => {
    write({ 'A/A.csproj': project('', '<PackageValidationBaselineVersion>9.0.0</PackageValidationBaselineVersion>') });
    expect(argsOf(NOT_FOUND('= 9.0.0', '2.0.0'))).toMatchObject({
      action: 'SetProperty',
      propertyName: 'PackageValidationBaselineVersion',
      propertyValue: '2.0.0',
    });
  });

  it('of a tool is chosen by dotnet_tool, and no fix adds the tool to a project', () => {
    const line = 'Version 10.0.9 of package dotnet-ef is not found in NuGet feeds {}/feed.';
    const error = failureOf(
      { ...runOf('none', 1, ['tool', 'restore']), stderr: line, output: line },
      { label: 'Tool restore' },
    ).errors[0]!;
    expect(error).toMatchObject({
      code: 'NU1102',
      recommendedAction: { arguments: { action: 'Search', searchTerm: 'dotnet-ef', exactMatch: true } },
      hint: expect.stringContaining('dotnet_tool Update'),
    });
    expect(error.suggestedFixes!.join('\n')).not.toMatch(/"action":"Add"|PackageId/);
  });
});

describe('a package that is resolved in another version', () => {
  const higher = (name: string) =>
    `error NU1603: Warning As Error: ${name} depends on Plain (>= 0.5.0) but Plain 0.5.0 was not found. Plain 1.0.0 was resolved instead.`;

  it('is updated in the project that the message names', () => {
    write({
      'A/A.csproj': project('<ProjectReference Include="..\\Lib\\Lib.csproj" />'),
      'Lib/Lib.csproj': project(reference('Plain', '0.5.0')),
    });
    const update = { action: 'Update', packageId: 'Plain', version: '1.0.0', project: at('Lib/Lib.csproj') };
    expect(argsOf(`{}/A/A.csproj : ${higher('Lib')}`)).toEqual(update);
    expect(argsOf(`{}/Lib/Lib.csproj : ${higher('Lib')} [{}/A/A.csproj]`)).toEqual(update);
  });

  it('is referenced in the project of the lower reference', () => {
    write({
      'A/A.csproj': project('<ProjectReference Include="../Lib/Lib.csproj" />'),
      'Lib/Lib.csproj': project(reference('Plain', '1.0.0')),
    });
    const downgrade = (file: string, path: string) =>
      [
        'Detected package downgrade: Plain from 2.0.0 to 1.0.0. Reference the package directly from the project to select a different version.',
        ` ${path}AtLeast2 1.0.0 -> Plain (>= 2.0.0)`,
        ` ${path}Plain (>= 1.0.0)`,
      ]
        .map((line) => `${file} : error NU1605: ${line} [{}/A/A.csproj]`)
        .join('\n');
    const add = { action: 'Add', packageId: 'Plain', version: '2.0.0', project: at('Lib/Lib.csproj') };
    expect(argsOf(downgrade('{}/A/A.csproj', 'A -> Lib -> '))).toEqual(add);
    expect(argsOf(downgrade('{}/Lib/Lib.csproj', 'Lib -> '))).toEqual(add);
  });

  it('by transitive pinning is raised in the central file, line by line', () => {
    const central = '<Project><ItemGroup>\n\n<PackageVersion Include="Plain" Version="1.0.0" /></ItemGroup></Project>';
    write({ 'A/A.csproj': project(reference('AtLeast2')), 'Directory.Packages.props': central });
    const line =
      '{}/A/A.csproj : error NU1109: Detected package downgrade: Plain from 2.0.0 to centrally defined 1.0.0. Update the centrally managed package version to a higher version.';
    expect(nextOf(line).description).toBe(
      `Raise the central version of Plain to 2.0.0 in ${at('Directory.Packages.props')}, line 3.`,
    );
  });
});

describe('a name that is not there', () => {
  it('is compared with packages that are not missing too, and not with another word of the same family', () => {
    const unknown = (id: string) =>
      `{}/A/A.csproj : error NU1101: Unable to find package ${id}. No packages exist with this id in source(s): feed`;
    write({ 'A/A.csproj': project(reference('Contoso.DotNet', '1.0.0') + reference('Contoso.Git', '1.0.0')) });
    expect(nextOf(unknown('Contoso.DotNet'))).toMatchObject({ actionKind: 'ManualStep' });
    expect(argsOf(unknown('Contoso.Gti'))).toMatchObject({ searchTerm: 'Contoso.Git' });
    expect(nextOf([unknown('Contoso.Gti'), unknown('Contoso.Git')].join('\n'))).toMatchObject({
      actionKind: 'ManualStep',
    });
  });

  it('is corrected by the names of the central file', () => {
    const central =
      '<Project><ItemGroup><PackageVersion Include="Newtonsoft.Json" Version="13.0.3" /></ItemGroup></Project>';
    write({ 'A/A.csproj': project(reference('Newtonsoft.Jsn')), 'Directory.Packages.props': central });
    const line =
      '{}/A/A.csproj : error NU1010: The following PackageReference items do not define a corresponding PackageVersion item: Newtonsoft.Jsn. Projects using central package management must declare PackageReference and PackageVersion items with matching names.';
    expect(nextOf(line).description).toBe(
      `${at('Directory.Packages.props')} has Newtonsoft.Json, not Newtonsoft.Jsn: correct the name in ${at('A/A.csproj')}.`,
    );
  });

  it('is withheld by the package source mapping, whose file is named', () => {
    write({ 'A/A.csproj': project(''), 'NuGet.Config': '<configuration><packageSourceMapping /></configuration>' });
    const line =
      '{}/A/A.csproj : error NU1101: Unable to find package Plain. No packages exist with this id in source(s): other. PackageSourceMapping is enabled, the following source(s) were not considered: feed.';
    const { description } = nextOf(line);
    expect(description).toContain(`mapping of ${at('NuGet.Config')} does not allow Plain from feed`);
    expect(description).toContain('<package pattern="Plain" />');
  });
});

describe('a package without a version', () => {
  const line =
    '{}/A/A.csproj : error NU1015: The following PackageReference item(s) do not have a version specified: Plain';

  it('is added, which takes the newest', () => {
    write({ 'A/A.csproj': project(reference('Plain')) });
    expect(argsOf(line)).toEqual({ action: 'Add', packageId: 'Plain', project: at('A/A.csproj') });
  });

  it('has one that does not apply, whose place is named', () => {
    const props =
      '<Project><ItemGroup Condition="false"><PackageVersion Include="Plain" Version="1.0.0" /></ItemGroup></Project>';
    write({ 'A/A.csproj': project(reference('Plain')), 'Directory.Build.props': props });
    const { recommendedAction, suggestedFixes } = errorOf(line);
    expect((recommendedAction as RecommendedAction).description).toMatch(
      /Directory\.Build\.props, line 1 has a version of Plain, which does not apply/,
    );
    expect(suggestedFixes!.join('\n')).not.toContain('set ManagePackageVersionsCentrally');
  });
});

describe('what would fail again', () => {
  it('is not restored: a source that does not exist', () => {
    const line = "{}/A/A.csproj : error NU1301: The local source '{}/A/..\\feed' doesn't exist.";
    const config =
      '<configuration><packageSources><add key="local" value="..\\feed" /></packageSources></configuration>';
    write({ 'A/A.csproj': project(''), 'A/nuget.config': config });
    const { description } = nextOf(line);
    expect(description).toContain('source local');
    expect(argsOf(line)).toEqual({ action: 'ListSources' });
    write({ 'feed/x': '' });
    const update = { action: 'UpdateSource', name: 'local', source: '../feed', configFile: at('A/nuget.config') };
    expect(argsOf(line)).toEqual(update);
  });

  it('is not restored: a framework that the project does not target', () => {
    const both = '<TargetFrameworks>net8.0;net10.0</TargetFrameworks>';
    write({ 'A/A.csproj': project('', both) });
    const line =
      "{}/sdk.targets(1,1): error NETSDK1005: Assets file '{}/A/obj/project.assets.json' doesn't have a target for 'net9.0'. Ensure that restore has run. [{}/A/A.csproj]";
    const { description, ...next } = nextOf(line, ['build', 'A/A.csproj', '-f', 'net9.0']);
    expect(description).toBe('A.csproj does not target net9.0; it targets net8.0, net10.0.');
    expect(next).toMatchObject({ arguments: { framework: 'net10.0' } });
    expect(argsOf(line, ['build', 'A/A.csproj'])).toMatchObject({ action: 'Restore' });
  });

  it('is not listed: the solution of another filter', () => {
    const line = 'Invalid solution `{}/G.slnf`. Project `gone/G.csproj` could not be found in the solution.';
    const run = { ...runOf('none', 1, ['solution', 'G.slnf', 'list']), stderr: line, output: line };
    expect(failureOf(run, { label: 'List' }).errors[0]).toMatchObject({
      code: 'MSB5028',
      recommendedAction: { actionKind: 'ManualStep', description: expect.stringContaining('gone/G.csproj') },
    });
  });
});

it('the version of an SDK package in a lock file follows the SDK', () => {
  write({ 'A/A.csproj': project('') });
  const line = (id: string) =>
    `{}/A/A.csproj : error NU1004: The package reference ${id} version has changed from [10.0.11, ) to [10.0.12, ).The packages lock file is inconsistent.`;
  expect(nextOf(line('Microsoft.NET.ILLink.Tasks')).description).toContain('follows the SDK');
  expect(nextOf(line('Plain')).description).not.toContain('follows the SDK');
});

it('a solution is refused where a project is needed, with the projects of the solution', () => {
  write({ 'S.slnx': '<Solution><Project Path="A/A.csproj" /></Solution>', 'A/A.csproj': project('') });
  const of = (name: string) => ({ args: { project: name }, cwd: folder, resolve: at });
  expect(() => assertNotSolution(of('A/A.csproj'))).not.toThrow();
  expect(() => assertNotSolution(of('gone.slnx'))).not.toThrow();
  let error: unknown;
  try {
    assertNotSolution(of('S.slnx'));
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(InvalidParameterError);
  expect((error as InvalidParameterError).details).toMatchObject({
    reason: 'invalid value',
    entry: { recommendedAction: { arguments: { project: 'A/A.csproj' } } },
  });
});

describe('a cause that another line names', () => {
  it('is the generator that failed, not the name that it did not declare', () => {
    const lines = [
      "CSC : warning CS8785: Generator 'Names' failed to generate source. [{}/A/A.csproj]",
      "{}/A/A.cs(1,1): error CS0103: The name 'x' does not exist in the current context [{}/A/A.csproj]",
    ];
    expect(errorOf(lines.join('\n'))).toMatchObject({ code: 'CS0103', hint: expect.stringContaining('Names first') });
    expect(nextOf(lines.join('\n')).description).toContain('source generator Names');
    expect(nextOf(lines.join('\n').replace('CS0103', 'CS1002')).description).not.toContain('Names');
  });

  it('is what a program printed: the same build with verbosity detailed, once', () => {
    const line = '{}/x.targets(1,1): error MSB6006: "tool" exited with code 1. [{}/A/A.csproj]';
    expect(argsOf(line, ['build', 'A/A.csproj'])).toEqual({ verbosity: 'detailed' });
    expect(nextOf(line, ['build', 'A/A.csproj', '-v', 'detailed'])).toMatchObject({ actionKind: 'ManualStep' });
  });

  it('is a configuration whose name is like another one', () => {
    const line =
      '{}/S.slnx : error MSB4126: The specified solution configuration "Relase|Any CPU" is invalid. Please specify a valid one.';
    expect(argsOf(line, ['build', 'S.slnx', '-c', 'Relase'])).toEqual({ configuration: 'Release' });
  });

  it('is the framework that a run has to name', () => {
    const text =
      "Unable to run your project\nYour project targets multiple frameworks. Specify which framework to run using '--framework'.\n\nAvailable target frameworks:\n\n  1. net9.0\n  2. net10.0\n";
    const run = { ...runOf('none', 1, ['run']), stderr: text, output: text };
    const [error] = failureOf(run, { label: 'Run' }).errors;
    expect(error!.recommendedAction).toMatchObject({ arguments: { framework: 'net10.0' } });
  });
});
