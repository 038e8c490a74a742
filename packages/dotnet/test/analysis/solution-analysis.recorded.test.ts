import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRecorded } from '../../../../test/support/recorded-dotnet/index.js';
import { loadProject } from '../../src/analysis/load-project.js';
import { analyzeSolution, solutionDependencies, validateSolution } from '../../src/analysis/solution-analysis.js';
import { isCompatible } from '../../src/analysis/solution-frameworks.js';
import { VALIDATION_QUERY, validateProject } from '../../src/analysis/validate.js';
import { type EvaluationQuery, evaluateProject } from '../../src/msbuild/evaluate.js';
import { readAssets } from '../../src/nuget/assets.js';
import { describeFramework } from '../../src/project-files/frameworks.js';
import { evaluationHost, folderWith } from '../msbuild/evaluations.js';

const project = (framework: string, content = '', sdk = 'Microsoft.NET.Sdk') =>
  `<Project Sdk="${sdk}"><PropertyGroup>${framework}<Nullable>enable</Nullable></PropertyGroup><ItemGroup>${content}</ItemGroup></Project>`;

const SOLUTION = {
  'S.slnx': `<Solution>${['App', 'Lib', 'Tests', 'Bad', 'Gone', 'Plain'].map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`,
  'App/App.csproj': project(
    '<OutputType>Exe</OutputType><TargetFramework>net10.0</TargetFramework>',
    '<PackageReference Include="Newtonsoft.Json" Version="13.0.1" /><ProjectReference Include="..\\Lib\\Lib.csproj" />',
  ),
  'Lib/Lib.csproj': project(
    '<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks>',
    `<PackageReference Include="newtonsoft.json" Version="13.0.3" /><PackageReference Include="Dapper" Version="2.1.66" Condition="'$(TargetFramework)' == 'net10.0'" />`,
  ),
  'Tests/Tests.csproj': project(
    '<TargetFramework>net8.0</TargetFramework><IsTestProject>true</IsTestProject>',
    '<PackageReference Include="Newtonsoft.Json" Version="13.0.1" /><ProjectReference Include="../App/App.csproj" />',
  ),
  'Bad/Bad.csproj': project('', '', 'Gone.Sdk'),
  'Plain/Plain.csproj': '<Project><PropertyGroup><OutputType>Exe</OutputType></PropertyGroup></Project>',
};

describeRecorded('a solution', () => {
  it('is analyzed, broken projects aside', async () => {
    const folder = await folderWith(SOLUTION);
    const solution = join(folder, 'S.slnx');
    const { data, text } = await analyzeSolution({ host: evaluationHost, readAssets, cwd: folder }, solution);
    expect(data).toMatchObject({
      success: true,
      solution,
      projects: [
        {
          name: 'App',
          path: join(folder, 'App/App.csproj'),
          sdk: 'Microsoft.NET.Sdk',
          outputType: 'Exe',
          targetFrameworks: ['net10.0'],
          packageCount: 1,
          packages: [{ name: 'Newtonsoft.Json', version: '13.0.1' }],
          projectReferenceCount: 1,
          restored: false,
        },
        { name: 'Lib', outputType: 'Library', targetFrameworks: ['net10.0', 'netstandard2.0'], packageCount: 3 },
        { name: 'Tests', isTestProject: true, targetFrameworks: ['net8.0'] },
        { name: 'Plain', targetFrameworks: [] },
      ],
      references: [
        { from: 'App', to: 'Lib' },
        { from: 'Tests', to: 'App' },
      ],
      sharedPackages: [
        {
          name: 'Newtonsoft.Json',
          versions: [
            { version: '13.0.1', projects: ['App', 'Tests'] },
            { version: '13.0.3', projects: ['Lib'] },
          ],
        },
      ],
      packageCount: 3,
      isValid: false,
    });
    expect(data.issues).toEqual(
      expect.arrayContaining([
        { severity: 'error', projects: ['Bad'], code: 'MSB4236', message: expect.stringContaining('Gone.Sdk') },
        { severity: 'error', projects: ['Gone'], message: expect.stringContaining('does not exist') },
        { severity: 'error', projects: ['Plain'], message: expect.stringContaining('target framework') },
        { severity: 'error', projects: ['Tests', 'App'], code: 'NU1201', message: expect.stringContaining('net8.0') },
        expect.objectContaining({
          severity: 'warning',
          message: expect.stringContaining('13.0.1 (App), 13.0.3 (Lib)'),
        }),
      ]),
    );
    // What could be better can wait until the errors are repaired.
    expect(data.issues!.map(({ severity }) => severity)).not.toContain('recommendation');
    expect(text.join('\n')).toContain('Projects: 4 (Exe: 2, Library: 1, Test: 1)');
    expect(text.join('\n')).toContain('Bad: MSB4236');
    expect(text.join('\n')).toContain(
      [
        'App (Exe, net10.0): App/App.csproj',
        '  Packages: Newtonsoft.Json 13.0.1',
        '  References: Lib',
        'Lib (Library, net10.0, netstandard2.0): Lib/Lib.csproj',
      ].join('\n'),
    );
    expect(data.recommendedAction).toMatchObject({
      actionKind: 'ManualStep',
      description: expect.stringContaining('Correct this first: Gone: '),
    });
  });

  it('has lines about its dependencies and its health', async () => {
    const { 'App/App.csproj': app, 'Lib/Lib.csproj': lib } = SOLUTION;
    const folder = await folderWith({
      'S.slnx': '<Solution><Project Path="App/App.csproj" /><Project Path="Lib/Lib.csproj" /></Solution>',
      'App/App.csproj': app,
      'Lib/Lib.csproj': lib.replace('13.0.3', '13.0.1'),
    });
    const source = { host: evaluationHost, readAssets, cwd: folder };
    const dependencies = await solutionDependencies(source, join(folder, 'S.slnx'));
    expect(dependencies.data).not.toHaveProperty('issues');
    expect(dependencies.text.join('\n')).not.toMatch(/Warnings|Recommendations|Next/);
    expect(dependencies.text).toContain('  App -> Lib');
    expect(dependencies.text).toContain('  Newtonsoft.Json 13.0.1: App, Lib');
    const validation = await validateSolution(source, join(folder, 'S.slnx'));
    expect(validation.data).toMatchObject({ isValid: true });
    expect(validation.text).toContain('The solution is healthy.');
  });

  it('has an error for what keeps a restore from working, and the next action repairs the first one', async () => {
    const folder = await folderWith({
      'S.slnx': `<Solution>${['Core', 'Tests', 'Web'].map((name) => `<Project Path="${name}/${name}.csproj" />`).join('')}</Solution>`,
      'Directory.Packages.props':
        '<Project><PropertyGroup><ManagePackageVersionsCentrally>true</ManagePackageVersionsCentrally></PropertyGroup><ItemGroup><PackageVersion Include="Newtonsoft.Json" Version="13.0.3" /></ItemGroup></Project>',
      'Core/Core.csproj': project('<TargetFramework>net10.0</TargetFramework>'),
      'Tests/Tests.csproj': project(
        '<TargetFramework>net10.0</TargetFramework><IsTestProject>true</IsTestProject>',
        '<PackageReference Include="Newtonsoft.Jsn" /><PackageReference Include="Quite.Else" />',
      ),
      'Web/Web.csproj': project('<TargetFramework>net19.0</TargetFramework>'),
    });
    const { data, text } = await analyzeSolution(
      { host: evaluationHost, readAssets, cwd: folder },
      join(folder, 'S.slnx'),
    );
    expect(data.issues).toEqual(
      expect.arrayContaining([
        {
          severity: 'error',
          projects: ['Tests'],
          message:
            'The package Newtonsoft.Jsn has no PackageVersion in Directory.Packages.props. Did you mean Newtonsoft.Json, which has one?',
        },
        {
          severity: 'error',
          projects: ['Web'],
          message: expect.stringMatching(/cannot target net19\.0: the newest framework .* is net\d+\.0 \(NETSDK1045\)/),
        },
        {
          severity: 'warning',
          projects: ['Tests'],
          message: 'A test project references no project of the solution: add a reference to what it tests.',
        },
      ]),
    );
    expect(data.recommendedAction).toEqual({
      actionKind: 'ManualStep',
      description: `Correct Newtonsoft.Jsn to Newtonsoft.Json in ${join(folder, 'Tests/Tests.csproj')}.`,
    });
    expect(text.join('\n')).toContain('  Packages: Newtonsoft.Jsn, Quite.Else\n');
    const evaluate = (path: string, query: EvaluationQuery) => evaluateProject(evaluationHost, path, query);
    const web = await loadProject({ evaluate, readAssets }, join(folder, 'Web/Web.csproj'), VALIDATION_QUERY);
    expect(validateProject(web).recommendedAction).toMatchObject({
      toolName: 'dotnet_project',
      arguments: {
        action: 'SetProperty',
        project: join(folder, 'Web/Web.csproj'),
        propertyName: 'TargetFramework',
        propertyValue: expect.stringMatching(/^net\d+\.0$/),
      },
    });
  });

  it('is valid only if MSBuild can load it', async () => {
    const library = project('<TargetFramework>net10.0</TargetFramework>');
    const listed = (...paths: string[]) =>
      `<Solution>\n${paths.map((path) => `  <Project Path="${path}" />\n`).join('')}</Solution>\n`;
    const folder = await folderWith({
      'Names.slnx': listed('x/Lib/Lib.csproj', 'y/Lib/Lib.csproj'),
      'Twice.slnx': listed('x/Lib/Lib.csproj', 'x/Lib/Lib.csproj'),
      'Good.slnx': listed('x/Lib/Lib.csproj'),
      'Filter.slnf': JSON.stringify({ solution: { path: 'Good.slnx', projects: ['y/Lib/Lib.csproj'] } }),
      'x/Lib/Lib.csproj': library,
      'y/Lib/Lib.csproj': library,
    });
    const validate = (name: string) =>
      validateSolution({ host: evaluationHost, readAssets, cwd: folder }, join(folder, name));
    const names = await validate('Names.slnx');
    expect(names.data).toMatchObject({
      isValid: false,
      issues: [
        {
          severity: 'error',
          projects: [],
          code: 'MSB4025',
          message:
            "line 3: The project file could not be loaded. Project name 'Lib' already exists in the 'Root' solution folder.",
        },
      ],
    });
    expect(names.text).toContain(
      "  The solution: MSB4025: line 3: The project file could not be loaded. Project name 'Lib' already exists in the 'Root' solution folder.",
    );
    expect(names.text).not.toContain('The solution is healthy.');
    expect((await validate('Twice.slnx')).data).toMatchObject({ isValid: false, issues: [{ code: 'MSB4025' }] });
    const filter = {
      code: 'MSB4025',
      message: expect.stringMatching(/loaded\. Solution filter file at .+ not in the/),
    };
    expect((await validate('Filter.slnf')).data).toMatchObject({ isValid: false, issues: [filter] });
    expect((await validate('Good.slnx')).data).toMatchObject({ isValid: true });
  });

  it('is read with the metadata of references, the conditions of versions, and names that can be used', async () => {
    const reference = (path: string, metadata = '') => `<ProjectReference Include="../${path}" ${metadata} />`;
    const json = (version: string, framework: string) =>
      `<PackageReference Include="Newtonsoft.Json" Version="${version}" Condition="'$(TargetFramework)' == '${framework}'" />`;
    const old = '<TargetFramework>netstandard2.0</TargetFramework>';
    const both = '<TargetFrameworks>net8.0;net10.0</TargetFrameworks>';
    const tool = 'tool/Web/Web.csproj';
    const folder = await folderWith({
      'S.slnx': `<Solution><Folder Name="/a/"><Project Path="web/Web.csproj" /></Folder>${[
        'Order',
        'Fixed',
        'Plain',
        'Lib',
      ]
        .map((name) => `<Project Path="${name}/${name}.csproj" />`)
        .join('')}<Project Path="Lib/Lib2.csproj" /><Project Path="${tool}" /></Solution>`,
      [tool]: project(both, json('13.0.1', 'net8.0') + json('13.0.3', 'net10.0')),
      'web/Web.csproj': project('<TargetFramework>net10.0</TargetFramework>', json('13.0.3', 'net10.0')),
      'Order/Order.csproj': project(old, reference(tool, 'ReferenceOutputAssembly="false"')),
      'Fixed/Fixed.csproj': project(
        old,
        reference(tool, 'ReferenceOutputAssembly="false" SetTargetFramework="TargetFramework=net10.0"'),
      ),
      'Plain/Plain.csproj': project(old, reference(tool, 'SkipGetTargetFrameworkProperties="true"')),
      'Lib/Lib.csproj': project(old),
      'Lib/Lib2.csproj': project(old),
    });
    const { data, text } = await validateSolution(
      { host: evaluationHost, readAssets, cwd: folder },
      join(folder, 'S.slnx'),
    );
    expect(data.references).toEqual([
      { from: 'Order', to: tool },
      { from: 'Fixed', to: tool },
      { from: 'Plain', to: tool },
    ]);
    const message = (user: string) =>
      `${user} (netstandard2.0) references ${tool}, which is built for net8.0, net10.0 only.`;
    expect(data.issues).toEqual([
      { severity: 'error', projects: ['Order', tool], message: message('Order') },
      { severity: 'error', projects: ['Plain', tool], code: 'NU1201', message: message('Plain') },
      { severity: 'warning', projects: ['Lib', 'Lib2'], message: expect.stringContaining('share the folder obj') },
    ]);
    expect(text.join('\n')).not.toContain('The project is not restored');
  });

  it('with no projects is an error', async () => {
    const folder = await folderWith({ 'S.slnx': '<Solution />' });
    await expect(
      analyzeSolution({ host: evaluationHost, readAssets, cwd: folder }, join(folder, 'S.slnx')),
    ).rejects.toMatchObject({
      reason: 'not found',
      message: expect.stringContaining('no projects'),
    });
  });
});

describe('isCompatible', () => {
  it.each([
    ['net10.0', 'net8.0', true],
    ['net8.0', 'net10.0', false],
    ['net8.0', 'netstandard2.1', true],
    ['net472', 'netstandard2.0', true],
    ['net472', 'netstandard2.1', false],
    ['net46', 'netstandard2.0', false],
    ['net48', 'net472', true],
    ['net472', 'net48', false],
    ['netstandard2.0', 'net8.0', false],
    ['netstandard2.0', 'netstandard2.1', false],
    ['net8.0', 'netcoreapp3.1', true],
    ['netcoreapp3.1', 'net8.0', false],
    ['net8.0', 'net472', false],
    ['net8.0-windows', 'net8.0', true],
    ['net8.0', 'net8.0-windows', false],
  ])('%s can use %s: %s', (from, to, expected) => {
    expect(isCompatible(describeFramework(from)!, describeFramework(to)!)).toBe(expected);
  });
});
