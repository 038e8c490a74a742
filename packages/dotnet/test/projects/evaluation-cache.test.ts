import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ANALYSIS_QUERY, analyzeProject } from '../../src/projects/analyze.js';
import { createAssetsReader } from '../../src/projects/assets.js';
import { setProperty } from '../../src/projects/edit-project.js';
import { createEvaluationCache, type EvaluationCache } from '../../src/projects/evaluation-cache.js';
import { loadProject, type ProjectSource } from '../../src/projects/load-project.js';
import { getProperty, listItems } from '../../src/projects/query-project.js';
import { PROJECT_QUERY } from '../../src/projects/validate.js';
import { describeWithSdk } from '../sdk.js';
import { commands, dotnetCall, folderWith, writeIn } from './dotnet-call.js';

function remembering(): { cache: EvaluationCache; source: ProjectSource; environment: Record<string, string> } {
  const environment: Record<string, string> = {};
  const dotnet: typeof dotnetCall = (args, options) => dotnetCall(args, { ...options, env: environment });
  const cache = createEvaluationCache({
    dotnet,
    environment: () => ({ ...process.env, ...environment }),
    query: PROJECT_QUERY,
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => cache.settled());
  const source = {
    evaluate: (project: string, query: Parameters<EvaluationCache['evaluate']>[2]) =>
      cache.evaluate(dotnet, project, query),
    readAssets: createAssetsReader(),
  };
  return { cache, source, environment };
}

const APP = `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="extra.props" />
  <Import Project="imports/*.props" />
  <Import Project="../maybe.props" Condition="Exists('$(MSBuildThisFileDirectory)../maybe.props')" />
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <FromEnvironment>$(PROJECTS_TEST)</FromEnvironment>
  </PropertyGroup>
  <ItemGroup>
    <Shared Include="..\\shared\\**\\*.txt" />
  </ItemGroup>
</Project>
`;

const props = (name: string, value: string) =>
  `<Project><PropertyGroup><${name}>${value}</${name}></PropertyGroup></Project>`;

describeWithSdk('an evaluation that is remembered', () => {
  it('answers without a process, in a few milliseconds, until anything it depends on changes', async () => {
    const folder = await folderWith({
      'app/App.csproj': APP,
      'app/extra.props': props('Extra', '1'),
      'app/imports/one.props': props('One', '1'),
      'shared/a/b.txt': '',
      'app/src/A.cs': '',
    });
    const project = join(folder, 'app/App.csproj');
    const { cache, source, environment } = remembering();
    const property = async (name: string) => (await getProperty(source, project, name)).propertyValue;
    const items = async (type: string) => (await listItems(source, project, type)).items.map(({ include }) => include);
    const isRemembered = async (ask: () => Promise<unknown>) => {
      await cache.settled();
      commands.length = 0;
      await ask();
      return commands.length === 0;
    };
    const watched: [change: string, make: () => Promise<void>, ask: () => Promise<unknown>, expected: unknown][] = [
      [
        'the project',
        () => writeIn(folder, 'app/App.csproj', setProperty(APP, 'Own', '1').text),
        () => property('Own'),
        '1',
      ],
      ['an imported file', () => writeIn(folder, 'app/extra.props', props('Extra', '2')), () => property('Extra'), '2'],
      [
        'a glob of imports',
        () => writeIn(folder, 'app/imports/two.props', props('Two', '1')),
        () => property('Two'),
        '1',
      ],
      ['a file under Exists', () => writeIn(folder, 'maybe.props', props('Maybe', '1')), () => property('Maybe'), '1'],
      ['its removal', () => rm(join(folder, 'maybe.props')), () => property('Maybe'), ''],
      ['the user file', () => writeIn(folder, 'app/App.csproj.user', props('User', '1')), () => property('User'), '1'],
      [
        'what NuGet generates',
        () => writeIn(folder, 'app/obj/App.csproj.nuget.g.props', props('Generated', '1')),
        () => property('Generated'),
        '1',
      ],
      [
        'another generated file',
        () => writeIn(folder, 'app/obj/App.csproj.other.targets', props('Other', '1')),
        () => property('Other'),
        '1',
      ],
      [
        'Directory.Build.props above',
        () => writeIn(folder, 'Directory.Build.props', props('Above', '1')),
        () => property('Above'),
        '1',
      ],
      [
        'Directory.Build.rsp above',
        () => writeFile(join(folder, 'Directory.Build.rsp'), '-p:Response=1'),
        () => property('Response'),
        '1',
      ],
      [
        'a source file in a new folder',
        async () => {
          await mkdir(join(folder, 'app/src/deep'));
          await writeFile(join(folder, 'app/src/deep/B.cs'), '');
        },
        () => items('Compile'),
        ['src/A.cs', 'src/deep/B.cs'],
      ],
      [
        'a file that a glob elsewhere finds',
        () => writeIn(folder, 'shared/a/c.txt', ''),
        () => items('Shared'),
        ['../shared/a/b.txt', '../shared/a/c.txt'],
      ],
      [
        'the environment',
        async () => {
          environment.PROJECTS_TEST = '1';
        },
        () => property('FromEnvironment'),
        '1',
      ],
    ];
    const names = [
      'Own',
      'Extra',
      'Two',
      'Maybe',
      'User',
      'Generated',
      'Other',
      'Above',
      'Response',
      'FromEnvironment',
    ];
    await source.evaluate(project, { properties: names, itemTypes: ['Compile', 'Shared'] });
    for (const [change, make, ask, expected] of watched) {
      expect(await isRemembered(ask), `before ${change} changes`).toBe(true);
      expect(await ask(), `before ${change} changes`).not.toEqual(expected);
      await make();
      expect(await ask(), `after ${change} changed`).toEqual(expected);
    }
    await cache.settled();
    commands.length = 0;
    const times: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      const start = performance.now();
      analyzeProject(await loadProject(source, project, ANALYSIS_QUERY));
      times.push(performance.now() - start);
    }
    expect(commands).toEqual([]);
    expect(times.sort((a, b) => a - b)[10]).toBeLessThan(20);
  }, 180_000);

  it('is not remembered where a file asks the clock', async () => {
    const folder = await folderWith({
      'A.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework><Now>$([System.DateTime]::UtcNow.Ticks)</Now></PropertyGroup></Project>',
    });
    const { cache, source } = remembering();
    const now = async () => (await getProperty(source, join(folder, 'A.csproj'), 'Now')).propertyValue;
    const first = await now();
    await cache.settled();
    expect(await now()).not.toBe(first);
    commands.length = 0;
    expect(await now()).not.toBe(first);
    await cache.settled();
    expect(commands.map((args) => args.some((arg) => arg.startsWith('-preprocess')))).toEqual([false]);
  });

  it('has all frameworks of a project', async () => {
    const folder = await folderWith({
      'A.csproj':
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks></PropertyGroup><Import Project="only.props" Condition="\'$(TargetFramework)\' == \'netstandard2.0\'" /></Project>',
      'only.props': props('Only', '1'),
    });
    const project = join(folder, 'A.csproj');
    const { cache, source } = remembering();
    const first = await getProperty(source, project, 'Only');
    expect(first.valuesByFramework).toEqual({ 'net10.0': '', 'netstandard2.0': '1' });
    await cache.settled();
    commands.length = 0;
    expect(await getProperty(source, project, 'only')).toMatchObject({ valuesByFramework: first.valuesByFramework });
    expect(commands).toEqual([]);
    await writeIn(folder, 'only.props', props('Only', '2'));
    expect((await getProperty(source, project, 'Only')).valuesByFramework).toMatchObject({ 'netstandard2.0': '2' });
  });
});
