import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evaluateProject, itemsOf } from '../../src/msbuild/evaluate.js';
import { describeWithSdk } from '../sdk.js';
import { evaluationHost, folderWith, writeIn } from './evaluations.js';

const APP = `<Project Sdk="Microsoft.NET.Sdk">
  <Import Project="extra.props" />
  <Import Project="imports/*.props" />
  <Import Project="../maybe.props" Condition="Exists('$(MSBuildThisFileDirectory)../maybe.props')" />
  <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <Shared Include="..\\shared\\**\\*.txt" />
  </ItemGroup>
</Project>
`;

const props = (name: string, value: string) =>
  `<Project><PropertyGroup><${name}>${value}</${name}></PropertyGroup></Project>`;

describeWithSdk('an evaluation in the warm process', () => {
  it('is a fresh one after each change', async () => {
    const folder = await folderWith({
      'app/App.csproj': APP,
      'app/extra.props': props('Extra', '1'),
      'app/imports/one.props': props('One', '1'),
      'shared/a/b.txt': '',
    });
    const query = { properties: ['Extra', 'One', 'Two', 'Maybe', 'Above', 'User', 'Restored'], itemTypes: ['Shared'] };
    const answer = async () => {
      const { inner } = await evaluateProject(evaluationHost, join(folder, 'app/App.csproj'), query);
      return inner[0]!;
    };
    expect(await answer()).toMatchObject({ properties: { Extra: '1', One: '1', Two: '', Maybe: '', Above: '' } });
    const changes: readonly [path: string, text: string, properties: object][] = [
      ['app/extra.props', props('Extra', '2'), { Extra: '2' }],
      ['app/imports/two.props', props('Two', '1'), { Two: '1' }],
      ['maybe.props', props('Maybe', '1'), { Maybe: '1' }],
      ['Directory.Build.props', props('Above', '1'), { Above: '1' }],
      ['Directory.Build.rsp', '-p:Above=2', { Above: '2' }],
      ['app/App.csproj.user', props('User', '1'), { User: '1' }],
      ['app/obj/App.csproj.nuget.g.props', props('Restored', '1'), { Restored: '1' }],
    ];
    for (const [path, text, properties] of changes) {
      await writeIn(folder, path, text);
      expect.soft(await answer(), path).toMatchObject({ properties });
    }
    await writeIn(folder, 'shared/a/c.txt', '');
    expect(itemsOf(await answer(), 'Shared').map(({ include }) => include)).toEqual([
      '../shared/a/b.txt',
      '../shared/a/c.txt',
    ]);
  });

  it('sees 100 edits of an import with the same length and time', async () => {
    const folder = await folderWith({
      'App.proj': '<Project><Import Project="extra.props" /></Project>',
      'extra.props': props('Extra', '000'),
    });
    const time = new Date(2026, 0, 1);
    for (let number = 100; number < 200; number += 1) {
      await writeIn(folder, 'extra.props', props('Extra', String(number)));
      await utimes(join(folder, 'extra.props'), time, time);
      const query = { properties: ['Extra'], itemTypes: [] };
      const { outer } = await evaluateProject(evaluationHost, join(folder, 'App.proj'), query);
      expect(outer.properties.Extra).toBe(String(number));
    }
  });

  it('answers after a project that was refused, once the project is repaired', async () => {
    const evil = '$([System.IO.Path]::GetTempFileName())';
    const folder = await folderWith({ 'App.proj': props('A', evil) });
    const evaluate = () =>
      evaluateProject(evaluationHost, join(folder, 'App.proj'), { properties: ['A'], itemTypes: [] });
    for (let round = 0; round < 2; round += 1) {
      await expect(evaluate()).rejects.toMatchObject({ message: expect.stringContaining('GetTempFileName') });
    }
    await writeIn(folder, 'App.proj', props('A', 'good'));
    expect((await evaluate()).outer.properties.A).toBe('good');
  });
});
