import { existsSync, readdirSync } from 'node:fs';
import { rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { propertyOf } from '../../src/msbuild/evaluate.js';
import { createEvaluationCache } from '../../src/msbuild/evaluation-cache.js';
import { folderWith, writeIn } from './dotnet-call.js';
import { createFakeMSBuild } from './fake-msbuild.js';

const GLOB = '<ItemGroup><Shared Include="..\\shared\\**\\*.txt" /></ItemGroup>';
const EXISTS = `<Import Project="../maybe.props" Condition="Exists('$(MSBuildThisFileDirectory)../maybe.props')" />`;
const IMPORTS = '<Import Project="imports/*.props" />';
const APP = `<Project Sdk="Microsoft.NET.Sdk">${IMPORTS}${EXISTS}${GLOB}</Project>`;
const FILES = {
  'app/App.csproj': APP,
  'app/extra.props': '<Project>1</Project>',
  'app/imports/one.props': '<Project />',
  'app/src/A.cs': '',
  'elsewhere.props': '<Project>1</Project>',
  'shared/a/b.txt': '',
  'dotnet/sdk/10.0.401/Microsoft.Common.props': '<Project />',
};

/** A cache over a fake MSBuild, for the project of {@link FILES}. */
async function open(files: Readonly<Record<string, string>> = {}, properties: Readonly<Record<string, string>> = {}) {
  const folder = await folderWith({ ...FILES, ...files });
  await symlink(join(folder, 'elsewhere.props'), join(folder, 'app/linked.props'));
  const at = (path: string) => join(folder, path);
  const imports = () => {
    const globbed = existsSync(at('app/imports'))
      ? readdirSync(at('app/imports')).map((name) => `imports/${name}`)
      : [];
    const own = ['App.csproj', 'App.csproj.user', 'extra.props', 'linked.props', '../maybe.props', ...globbed];
    return [...own.map((path) => at(`app/${path}`)), at('dotnet/sdk/10.0.401/Microsoft.Common.props')].filter(
      existsSync,
    );
  };
  const sdk = { MSBuildExtensionsPath: at('dotnet/sdk/10.0.401/'), MSBuildToolsPath: at('dotnet/sdk/10.0.401') };
  const fake = createFakeMSBuild({ TargetFramework: 'net10.0', ...sdk, ...properties }, imports);
  const environment: Record<string, string> = {};
  const cache = createEvaluationCache({
    environment: () => environment,
    query: { properties: [], itemTypes: [] },
    onError: (error) => expect.fail(String(error)),
  });
  onTestFinished(() => cache.settled());
  const evaluation = async () => {
    const query = { properties: ['Serial'], itemTypes: ['Compile'] };
    const evaluated = await cache.evaluate(fake.dotnet, at('app/App.csproj'), query);
    await cache.settled();
    return evaluated;
  };
  /** The number of the evaluation that is answered. */
  const serial = async () => Number(propertyOf((await evaluation()).inner.at(-1)!, 'Serial'));
  return { folder, at, fake, environment, evaluation, serial };
}

/** Lets the clock pass the resolution of file times: the fake evaluation is faster than a file system can tell. */
const settle = () => setTimeout(10);

type Opened = Awaited<ReturnType<typeof open>>;
type Change = readonly [what: string, make: (opened: Opened) => Promise<unknown>];

const write = (path: string, text: string) => (opened: Opened) => writeIn(opened.folder, path, text);
const remove = (path: string) => (opened: Opened) => rm(opened.at(path), { recursive: true });

/** Each kind of input that an evaluation depends on (docs/spec/dotnet-evaluation.md#evaluation-cache), changed once. */
const CHANGES: readonly Change[] = [
  ['the project', write('app/App.csproj', `${APP}\n`)],
  ['an imported file', write('app/extra.props', '<Project>2</Project>')],
  [
    'an imported file, of the same size and time',
    async ({ folder, at }) => {
      const { atime, mtime } = await stat(at('app/extra.props'));
      await writeIn(folder, 'app/extra.props', '<Project>3</Project>');
      await utimes(at('app/extra.props'), atime, mtime);
    },
  ],
  ['what an imported link leads to', write('elsewhere.props', '<Project>2</Project>')],
  [
    'where an imported link leads to',
    async ({ folder, at }) => {
      await writeIn(folder, 'other.props', '<Project>3</Project>');
      await rm(at('app/linked.props'));
      await symlink(at('other.props'), at('app/linked.props'));
    },
  ],
  ['a glob of imports', write('app/imports/two.props', '<Project />')],
  ['the glob of imports again', remove('app/imports/two.props')],
  ['a file under Exists', write('maybe.props', '<Project />')],
  ['the file under Exists again', remove('maybe.props')],
  ['the user file', write('app/App.csproj.user', '<Project />')],
  ['the user file again', remove('app/App.csproj.user')],
  ['what NuGet generates', write('app/obj/App.csproj.nuget.g.props', '<Project />')],
  ['another generated file', write('app/obj/App.csproj.other.targets', '<Project />')],
  ['Directory.Build.props above', write('Directory.Build.props', '<Project />')],
  ['a nearer Directory.Build.props', write('app/Directory.Build.props', '<Project />')],
  ['the nearer one again', remove('app/Directory.Build.props')],
  ['Directory.Build.targets', write('Directory.Build.targets', '<Project />')],
  ['Directory.Packages.props', write('Directory.Packages.props', '<Project />')],
  ['Directory.Build.rsp', write('Directory.Build.rsp', '-p:Response=1')],
  ['Directory.Build.rsp again', write('Directory.Build.rsp', '-p:Response=2')],
  ['global.json', write('global.json', '{}')],
  ['a source file in a new folder', write('app/src/deep/B.cs', '')],
  ['the name of a folder', ({ at }) => rename(at('app/src/deep'), at('app/src/low'))],
  ['a removed source file', remove('app/src/low')],
  ['a file that a glob elsewhere finds', write('shared/a/c.txt', '')],
  ['an SDK that is installed', write('dotnet/sdk/10.0.402/Microsoft.Common.props', '<Project />')],
  [
    'the environment',
    async ({ environment }) => {
      environment.PROJECTS_TEST = '1';
    },
  ],
];

describe('an evaluation that is remembered', () => {
  it('answers without a process, and is a fresh one after anything changed', async () => {
    const opened = await open();
    const { fake, serial } = opened;
    for (const [what, make] of CHANGES) {
      await settle();
      const before = await serial();
      const { evaluations } = fake;
      expect(await serial(), `before ${what} changes`).toBe(before);
      expect(fake, `before ${what} changes`).toMatchObject({ evaluations });
      await make(opened);
      await settle();
      expect(await serial(), `after ${what} changed`).toBe(before + 1);
    }
  });

  it.each([
    ['a folder that no glob looks into', 'app/.git/index'],
    ['what a build writes', 'app/bin/Debug/App.dll'],
    ['a file of another project', 'other/Other.csproj'],
  ])('is the same after a change of %s', async (_, path) => {
    const { folder, serial } = await open({ 'app/.git/HEAD': '', 'app/bin/Debug/App.pdb': '' });
    await settle();
    const before = await serial();
    await writeIn(folder, path, 'changed');
    await settle();
    expect(await serial()).toBe(before);
  });

  it('fails as a fresh one does, and answers again afterwards', async () => {
    const { folder, fake, serial } = await open();
    await settle();
    expect([await serial(), await serial()]).toEqual([1, 1]);
    await writeIn(folder, 'global.json', JSON.stringify({ sdk: { version: '1.0.0' } }));
    await settle();
    fake.exitCode = 155;
    await expect(serial()).rejects.toMatchObject({ name: 'EvaluationError', run: { exitCode: 155 } });
    fake.exitCode = 0;
    await writeIn(folder, 'global.json', '{}');
    await settle();
    expect([await serial(), await serial()]).toEqual([2, 2]);
  });

  it('is not remembered where a file asks the clock', async () => {
    const now = '<PropertyGroup><Now>$([System.DateTime]::UtcNow.Ticks)</Now></PropertyGroup>';
    const { serial } = await open({ 'app/App.csproj': `<Project>${now}</Project>` });
    await settle();
    expect([await serial(), await serial(), await serial()]).toEqual([1, 2, 3]);
  });

  it('is not remembered where a file changed while the project was evaluated', async () => {
    const { at, fake, folder, serial } = await open();
    await settle();
    const { dotnet } = fake;
    const cache = createEvaluationCache({
      environment: () => ({}),
      query: { properties: [], itemTypes: [] },
      onError: (error) => expect.fail(String(error)),
    });
    const query = { properties: ['Serial'], itemTypes: [] };
    await cache.evaluate(
      async (...call) => {
        const run = await dotnet(...call);
        await settle();
        await writeIn(folder, 'app/extra.props', '<Project>9</Project>');
        return run;
      },
      at('app/App.csproj'),
      query,
    );
    await cache.settled();
    await settle();
    expect((await cache.evaluate(dotnet, at('app/App.csproj'), query)).inner[0]!.properties.Serial).toBe('2');
    await cache.settled();
    expect(await serial()).toBe(3);
  });

  it('has all frameworks of a project', async () => {
    const frameworks = ['net10.0', 'netstandard2.0'];
    const { fake, evaluation } = await open({}, { TargetFramework: '', TargetFrameworks: frameworks.join(';') });
    await settle();
    for (const { inner } of [await evaluation(), await evaluation()]) {
      expect(inner.map((one) => propertyOf(one, 'TargetFramework'))).toEqual(frameworks);
    }
    expect(fake.evaluations).toBe(1);
  });
});
