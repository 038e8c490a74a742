import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readAssets, resolvedPackages } from '../../src/nuget/assets.js';

const folder = mkdtempSync(join(tmpdir(), 'assets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(value: unknown) {
  const file = join(folder, 'project.assets.json');
  writeFileSync(file, JSON.stringify(value));
  return readAssets(file);
}

const targets = { 'net10.0': { 'A/1.0.0': { type: 'package' }, 'B/1.0.0': { type: 'project' } } };
const frameworks = { 'net10.0': { targetAlias: 'net10.0', dependencies: { A: { version: '[1.0.0, )' } } } };

it('reads the packages of a framework', async () => {
  const assets = await read({ version: 3, targets, project: { frameworks } });
  expect(resolvedPackages(assets!, 'net10.0')).toEqual([{ name: 'A', version: '1.0.0' }]);
});

it.each([
  ['null', null],
  ['a list', []],
  ['a target that is null', { targets: { 'net10.0': null }, project: { frameworks } }],
  ['a package that is a text', { targets: { 'net10.0': { 'A/1.0.0': 'x' } }, project: { frameworks } }],
  ['an alias that is a number', { targets, project: { frameworks: { 'net10.0': { targetAlias: 1 } } } }],
  ['a framework that is null', { targets, project: { frameworks: { 'net10.0': null } } }],
  ['dependencies that are a list', { targets, project: { frameworks: { 'net10.0': { dependencies: [] } } } }],
  ['a version that is a number', { targets, project: { frameworks: { a: { dependencies: { A: { version: 1 } } } } } }],
  ['a log that is a text', { targets, project: { frameworks }, logs: ['x'] }],
])('takes a damaged file for none: %s', async (_, value) => {
  expect(await read(value)).toBeUndefined();
});
