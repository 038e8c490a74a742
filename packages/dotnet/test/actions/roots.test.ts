import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkedPaths } from '../../src/actions/call-paths.js';
import { type Arguments, PARAMETERS, type ParameterName } from '../../src/actions/parameters.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'mortise-roots-')));
const root = join(base, 'root');
const outside = join(base, 'outside');
for (const folder of [join(root, 'src'), join(outside, 'deep'), join(base, 'root-2')])
  mkdirSync(folder, { recursive: true });
writeFileSync(join(outside, 'a.csproj'), '');
symlinkSync(outside, join(root, 'link'));
symlinkSync(join(outside, 'deep'), join(root, 'deep-link'));
symlinkSync(join(outside, 'missing'), join(root, 'dangling'));
symlinkSync('src', join(root, 'inner-link'));
symlinkSync('loop', join(root, 'loop'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const check = (args: object, cwd = root) => checkedPaths([root], args as Arguments, cwd);
const paths = (Object.keys(PARAMETERS) as ParameterName[]).filter((name) => {
  const parameter = PARAMETERS[name] as { kind?: string };
  return parameter.kind === 'path';
});

describe('Dotnet.Roots', () => {
  test.each(paths)('%s is refused outside', (name) => {
    for (const value of ['../outside/a.csproj', outside, join(root, 'link', 'a.csproj')]) {
      const isList = PARAMETERS[name].schema.type === 'array';
      expect(() => check({ [name]: isList ? ['src/ok.csproj', value] : value })).toThrow(
        'outside of the allowed folders',
      );
    }
  });

  test.each([
    '..',
    '/',
    '/etc/passwd',
    '../root-2/a.csproj',
    'src/../../outside/a.csproj',
    'link',
    'link/new/file',
    'link/../src/a.csproj',
    'deep-link/../a.csproj',
    'dangling',
    'dangling/new',
    './link/.',
    'src//..//..//outside',
  ])('%s is outside', (value) => expect(() => check({ output: value })).toThrow('outside'));

  test.each([
    '.',
    'src',
    'src/new/deeper',
    'inner-link/a.csproj',
    'src/../a.csproj',
    '..dots',
    'loop',
    root,
    join(root, 'src'),
  ])('%s is inside', (value) => expect(() => check({ output: value })).not.toThrow());

  test('sources, names and files to format count where they are paths', () => {
    for (const args of [
      { source: '../feed' },
      { source: `file://${outside}` },
      { nugetSource: outside },
      { templatePackage: '../outside/p.nupkg' },
      { name: '../outside/New' },
      { name: 'link' },
      { source: 'link' },
      { templatePackage: 'deep-link' },
      { additionalOptions: '--output ../outside' },
      { additionalOptions: ['-o', outside] },
      { additionalOptions: `--output=${outside}` },
      { additionalOptions: '-o:..' },
      { additionalOptions: '-o..' },
      { include: '../outside/**/*.cs' },
      { include: ['src/*.cs', join(outside, '*.cs')] },
    ])
      expect(() => check(args)).toThrow('outside');
    for (const args of [
      { source: 'https://api.nuget.org/v3/index.json' },
      { source: 'nuget.org' },
      { name: 'App' },
      { additionalOptions: '--no-restore --authority https://example.org/a -o src/New' },
      { include: '**/*.cs' },
    ])
      expect(() => check(args)).not.toThrow();
  });

  test('the folder of the call counts, and no roots allow everything', () => {
    expect(() => check({}, outside)).toThrow("Parameter 'workingDirectory' is outside");
    expect(() => checkedPaths([], { output: '/' } as Arguments, outside)).not.toThrow();
  });
});
