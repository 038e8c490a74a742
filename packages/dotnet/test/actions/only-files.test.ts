import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkedPaths } from '../../src/actions/call-paths.js';

const root = mkdtempSync(join(tmpdir(), 'mortise-only-files-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function makeFolder(): string {
  const folder = mkdtempSync(join(root, 'w-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/App.csproj'), '<Project />');
  writeFileSync(join(folder, 'global.json'), '{}');
  return folder;
}

describe.skipIf(process.platform === 'win32')('a command', () => {
  it.each([
    ['src/Other.csproj', {}],
    ['src/App.csproj.user', {}],
    ['src/All.slnx', {}],
    ['src/named', { project: 'named' }],
    ['Directory.Build.props', {}],
    ['Directory.Packages.props', {}],
    ['nuget.config', {}],
    ['src/global.json', {}],
  ])('is not run where %s is a named pipe', (path, args) => {
    const folder = makeFolder();
    spawnSync('mkfifo', [join(folder, path)]);
    expect(() => checkedPaths([], args, join(folder, 'src'))).toThrow(`${join(folder, path)} is a named pipe`);
  });

  it('is run where files are files, links lead to them, or nothing is there', () => {
    const folder = makeFolder();
    symlinkSync(join(folder, 'src/App.csproj'), join(folder, 'src/Link.csproj'));
    symlinkSync('/nowhere/at/all', join(folder, 'src/Gone.csproj'));
    spawnSync('mkfifo', [join(folder, 'src/queue')]);
    checkedPaths([], { project: 'App.csproj', solution: 'none.sln' }, join(folder, 'src'));
  });
});
