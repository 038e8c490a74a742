import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertNoRepositorySdk } from '../../src/sdk/repository-sdk.js';
import { folderWith } from '../msbuild/evaluations.js';

const globalJson = (...paths: unknown[]) => JSON.stringify({ sdk: { version: '10.0.100', paths } });

/** A folder with a global.json and an SDK, and what happens to a program that would start in a folder of it. */
async function startIn(text: string, { trusted = [] as string[], at = '.' } = {}) {
  const folder = await folderWith({ 'repo/global.json': text, 'repo/src/a.cs': '', 'repo/.sdk/dotnet': '' });
  return () =>
    assertNoRepositorySdk(
      join(folder, 'repo', at),
      trusted.map((one) => join(folder, one)),
    );
}

it.each([
  ['a relative path', globalJson('.sdk')],
  ['one beside that of the program', globalJson('$host$', '.sdk')],
  ['a path with dots', globalJson('./src/../.sdk')],
  ['escaped characters', globalJson('.sdk').replace('.sdk', '\\u002esdk')],
  ['a member that is there twice', '{"sdk":{"paths":[".sdk"]},"sdk":{}}'],
  ['comments and a comma at the end', '{/* a */"sdk":{"paths":[".sdk",]},}'],
  ['a byte-order mark', `\uFEFF${globalJson('.sdk')}`],
])('an SDK of the repository is refused, with the file and what to do: %s', async (_, text) => {
  const start = await startIn(text);
  expect(start).toThrow(/repo\/global\.json selects the \.NET SDK in .*repo\/\.sdk \(sdk\.paths\)/);
  expect(start).toThrow(expect.objectContaining({ hint: expect.stringContaining('Dotnet.TrustedFolders') }));
});

it('the one of a folder above is refused too', async () => {
  expect(await startIn(globalJson('.sdk'), { at: 'src' })).toThrow('selects');
});

it('a link to a folder in the repository, and a link that leads to the SDK, count as what they lead to', async () => {
  const folder = await folderWith({ 'repo/global.json': globalJson('linked'), 'elsewhere/dotnet': '' });
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'repo/linked'));
  symlinkSync(join(folder, 'repo'), join(folder, 'link'));
  expect(() => assertNoRepositorySdk(join(folder, 'link'), [])).toThrow(join(folder, 'elsewhere'));
  expect(() => assertNoRepositorySdk(join(folder, 'repo'), [join(folder, 'repo')])).toThrow('selects');
});

it.each([
  ['the SDK of the program', globalJson('$host$'), {}],
  ['a folder that is not there', globalJson('.gone'), {}],
  ['no paths', '{"sdk":{"version":"10.0.100"}}', {}],
  ['a text that is not JSON', '{', {}],
  ['entries that are not strings', globalJson(1, null), {}],
  ['a folder that is trusted', globalJson('.sdk'), { trusted: ['repo/.sdk'] }],
  ['a folder above it that is trusted', globalJson('.sdk'), { trusted: ['gone', 'repo'] }],
])('is used: %s', async (_, text, options) => {
  expect(await startIn(text, options)).not.toThrow();
});

it('a folder whose name only begins like a trusted one is refused', async () => {
  const folder = await folderWith({ 'repo/global.json': globalJson('../sdk-evil'), 'sdk-evil/dotnet': '' });
  mkdirSync(join(folder, 'sdk'));
  expect(() => assertNoRepositorySdk(join(folder, 'repo'), [join(folder, 'sdk')])).toThrow('sdk-evil');
});
