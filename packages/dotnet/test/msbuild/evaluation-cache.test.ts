import { rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ANALYSIS_QUERY, analyzeProject } from '../../src/analysis/analyze.js';
import { loadProject, type ProjectSource } from '../../src/analysis/load-project.js';
import { PROJECT_QUERY } from '../../src/analysis/validate.js';
import { evaluateProject, itemsOf, type ProjectEvaluation, propertyOf } from '../../src/msbuild/evaluate.js';
import { createEvaluationCache, type EvaluationCache } from '../../src/msbuild/evaluation-cache.js';
import { evaluationInputs, WATCH_PROPERTIES } from '../../src/msbuild/evaluation-inputs.js';
import { createAssetsReader } from '../../src/nuget/assets.js';
import { setProperty } from '../../src/project-files/edit-project.js';
import { describeWithSdk } from '../sdk.js';
import { commands, dotnetCall, folderWith, getProperty, writeIn } from './dotnet-call.js';

function remembering(): { cache: EvaluationCache; source: ProjectSource; environment: Record<string, string> } {
  const environment: Record<string, string> = {};
  const dotnet: typeof dotnetCall = (args, options) => dotnetCall(args, { ...options, env: environment });
  const cache = createEvaluationCache({
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
  <Import Project="linked.props" />
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

/** Everything that the changes below show in. */
const NAMES = [
  ...['Own', 'Extra', 'Linked', 'Two', 'Maybe', 'User', 'Generated', 'Other', 'Above', 'Near', 'Targets', 'Central'],
  ...['Response', 'FromEnvironment', 'MSBuildProjectExtensionsPath'],
];
const TYPES = ['Compile', 'Shared', 'None'];

/** What a change is seen by: a property, or the includes of an item type. */
type Seen = { readonly property: string } | { readonly items: string };
type Change = readonly [what: string, make: () => Promise<unknown>, seen: Seen, expected: unknown];

/** Each kind of input that an evaluation depends on (docs/spec/dotnet-runtime.md#evaluation-cache), changed once. */
function changesIn(folder: string, environment: Record<string, string>): readonly Change[] {
  const write = (path: string, text: string) => () => writeIn(folder, path, text);
  const remove = (path: string) => () => rm(join(folder, path), { recursive: true });
  const at = (path: string) => join(folder, path);
  /** Another text of the same length, with the times of the old one. */
  const secretly = (path: string, text: string) => async () => {
    const { atime, mtime } = await stat(at(path));
    await writeIn(folder, path, text);
    await utimes(at(path), atime, mtime);
  };
  return [
    ['the project', write('app/App.csproj', setProperty(APP, 'Own', '1').text), { property: 'Own' }, '1'],
    ['an imported file', write('app/extra.props', props('Extra', '2')), { property: 'Extra' }, '2'],
    [
      'an imported file, of the same size and time',
      secretly('app/extra.props', props('Extra', '3')),
      { property: 'Extra' },
      '3',
    ],
    ['what an imported link leads to', write('elsewhere.props', props('Linked', '2')), { property: 'Linked' }, '2'],
    [
      'where an imported link leads to',
      async () => {
        await writeIn(folder, 'other.props', props('Linked', '3'));
        await rm(at('app/linked.props'));
        await symlink(at('other.props'), at('app/linked.props'));
      },
      { property: 'Linked' },
      '3',
    ],
    ['a glob of imports', write('app/imports/two.props', props('Two', '1')), { property: 'Two' }, '1'],
    ['the glob of imports again', remove('app/imports/two.props'), { property: 'Two' }, ''],
    ['a file under Exists', write('maybe.props', props('Maybe', '1')), { property: 'Maybe' }, '1'],
    ['the file under Exists again', remove('maybe.props'), { property: 'Maybe' }, ''],
    ['the user file', write('app/App.csproj.user', props('User', '1')), { property: 'User' }, '1'],
    ['the user file again', remove('app/App.csproj.user'), { property: 'User' }, ''],
    [
      'what NuGet generates',
      write('app/obj/App.csproj.nuget.g.props', props('Generated', '1')),
      { property: 'Generated' },
      '1',
    ],
    [
      'another generated file',
      write('app/obj/App.csproj.other.targets', props('Other', '1')),
      { property: 'Other' },
      '1',
    ],
    ['Directory.Build.props above', write('Directory.Build.props', props('Above', '1')), { property: 'Above' }, '1'],
    [
      'a nearer Directory.Build.props',
      write('app/Directory.Build.props', props('Near', '1')),
      { property: 'Above' },
      '',
    ],
    ['the nearer one again', remove('app/Directory.Build.props'), { property: 'Above' }, '1'],
    ['Directory.Build.targets', write('Directory.Build.targets', props('Targets', '1')), { property: 'Targets' }, '1'],
    [
      'Directory.Packages.props',
      write('Directory.Packages.props', props('Central', '1')),
      { property: 'Central' },
      '1',
    ],
    ['Directory.Build.rsp', write('Directory.Build.rsp', '-p:Response=1'), { property: 'Response' }, '1'],
    ['Directory.Build.rsp again', write('Directory.Build.rsp', '-p:Response=2'), { property: 'Response' }, '2'],
    [
      'a source file in a new folder',
      write('app/src/deep/B.cs', ''),
      { items: 'Compile' },
      ['src/A.cs', 'src/deep/B.cs'],
    ],
    [
      'the name of a folder',
      () => rename(at('app/src/deep'), at('app/src/low')),
      { items: 'Compile' },
      ['src/A.cs', 'src/low/B.cs'],
    ],
    ['a removed source file', remove('app/src/low'), { items: 'Compile' }, ['src/A.cs']],
    [
      'a file that a glob elsewhere finds',
      write('shared/a/c.txt', ''),
      { items: 'Shared' },
      ['../shared/a/b.txt', '../shared/a/c.txt'],
    ],
    [
      'the environment',
      async () => {
        environment.PROJECTS_TEST = '1';
      },
      { property: 'FromEnvironment' },
      '1',
    ],
  ];
}

describeWithSdk('an evaluation that is remembered', () => {
  it('answers without a process, in a few milliseconds, and is a fresh one after anything changed', async () => {
    const folder = await folderWith({
      'app/App.csproj': APP,
      'app/extra.props': props('Extra', '1'),
      'app/imports/one.props': props('One', '1'),
      'elsewhere.props': props('Linked', '1'),
      'shared/a/b.txt': '',
      'app/src/A.cs': '',
    });
    await symlink(join(folder, 'elsewhere.props'), join(folder, 'app/linked.props'));
    const project = join(folder, 'app/App.csproj');
    const { cache, source, environment } = remembering();
    const query = { properties: NAMES, itemTypes: TYPES };
    const fresh = async () => {
      const dotnet: typeof dotnetCall = (args, options) => dotnetCall(args, { ...options, env: environment });
      return evaluateProject(dotnet, project, query);
    };
    const seenIn = ({ inner: [evaluation] }: ProjectEvaluation, seen: Seen) =>
      'property' in seen
        ? propertyOf(evaluation!, seen.property)
        : itemsOf(evaluation!, seen.items).map(({ include }) => include);
    const answersOf = (evaluation: ProjectEvaluation) => [
      ...NAMES.map((name) => propertyOf(evaluation.inner[0]!, name)),
      ...TYPES.map((type) => itemsOf(evaluation.inner[0]!, type)),
    ];
    let answers = answersOf(await source.evaluate(project, query));
    expect(answers).toEqual(answersOf(await fresh()));
    for (const [what, make, seen, expected] of changesIn(folder, environment)) {
      await cache.settled();
      commands.length = 0;
      const before = await source.evaluate(project, query);
      expect(commands, `before ${what} changes`).toEqual([]);
      expect(seenIn(before, seen), `before ${what} changes`).not.toEqual(expected);
      await make();
      const after = await source.evaluate(project, query);
      expect(seenIn(after, seen), `after ${what} changed`).toEqual(expected);
      expect(commands, `after ${what} changed`).not.toEqual([]);
      answers = answersOf(after);
    }
    expect(answers).toEqual(answersOf(await fresh()));
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
  }, 600_000);

  it('fails as a fresh one does where global.json wants an SDK that is not there', async () => {
    const xml =
      '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>';
    const folder = await folderWith({ 'app/App.csproj': xml });
    const { cache, source } = remembering();
    const framework = async () => {
      await cache.settled();
      commands.length = 0;
      return (await getProperty(source, join(folder, 'app/App.csproj'), 'TargetFramework')).propertyValue;
    };
    expect(await framework()).toBe('net10.0');
    expect(await framework()).toBe('net10.0');
    expect(commands).toEqual([]);
    await writeIn(folder, 'global.json', JSON.stringify({ sdk: { version: '1.0.0', rollForward: 'disable' } }));
    await expect(framework()).rejects.toMatchObject({ name: 'EvaluationError', run: { exitCode: 155 } });
    await writeIn(folder, 'global.json', JSON.stringify({ sdk: { rollForward: 'latestMajor' } }));
    expect(await framework()).toBe('net10.0');
    expect(commands).not.toEqual([]);
  }, 120_000);

  it('depends on what an installed SDK changes', async () => {
    const xml =
      '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>';
    const folder = await folderWith({ 'App.csproj': xml });
    const query = { properties: WATCH_PROPERTIES, itemTypes: [] };
    const evaluation = await evaluateProject(dotnetCall, join(folder, 'App.csproj'), query);
    const root = join(propertyOf(evaluation.outer, 'MSBuildExtensionsPath'), '../..');
    const inputs = evaluationInputs(evaluation, [])!;
    for (const name of ['sdk', 'packs', 'library-packs', 'sdk-manifests']) expect(inputs).toContain(join(root, name));
  });

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
    expect(commands).toHaveLength(1);
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
