import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ProjectSource } from '../../src/analysis/load-project.js';
import { PROJECT_QUERY } from '../../src/analysis/validate.js';
import { evaluateProject, itemsOf, propertyOf } from '../../src/msbuild/evaluate.js';
import { createEvaluationCache, type EvaluationCache } from '../../src/msbuild/evaluation-cache.js';
import { evaluationInputs, WATCH_PROPERTIES } from '../../src/msbuild/evaluation-inputs.js';
import { createAssetsReader } from '../../src/nuget/assets.js';
import { describeWithSdk } from '../sdk.js';
import { commands, dotnetCall, folderWith, writeIn } from './dotnet-call.js';

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

describeWithSdk('an evaluation that is remembered', () => {
  it('answers without a process, and is a fresh one after an import or a glob changed', async () => {
    const folder = await folderWith({
      'app/App.csproj': APP,
      'app/extra.props': props('Extra', '1'),
      'app/imports/one.props': props('One', '1'),
      'app/linked.props': props('Linked', '1'),
      'shared/a/b.txt': '',
    });
    const project = join(folder, 'app/App.csproj');
    const { cache, source, environment } = remembering();
    const query = { properties: ['Extra', 'One', 'Two', 'FromEnvironment'], itemTypes: ['Shared'] };
    const answer = async () => {
      await cache.settled();
      commands.length = 0;
      return (await source.evaluate(project, query)).inner[0]!;
    };
    const first = await answer();
    const again = await answer();
    expect(commands).toEqual([]);
    expect(again).toEqual(first);
    const changes: [() => Promise<unknown>, object][] = [
      [() => writeIn(folder, 'app/extra.props', props('Extra', '2')), { Extra: '2' }],
      [() => writeIn(folder, 'app/imports/two.props', props('Two', '1')), { Two: '1' }],
      [async () => Object.assign(environment, { PROJECTS_TEST: '1' }), { FromEnvironment: '1' }],
    ];
    for (const [change, properties] of changes) {
      await change();
      expect(await answer()).toMatchObject({ properties });
    }
    await writeIn(folder, 'shared/a/c.txt', '');
    expect(itemsOf(await answer(), 'Shared').map(({ include }) => include)).toEqual([
      '../shared/a/b.txt',
      '../shared/a/c.txt',
    ]);
  });

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
});
