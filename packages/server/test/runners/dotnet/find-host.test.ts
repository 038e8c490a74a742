import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findDotnet } from '../../../src/runners/dotnet/find-host.js';

const PROGRAM = process.platform === 'win32' ? 'dotnet.exe' : 'dotnet';

/** A folder with programs, by their paths in it. */
function makeFolder(...programs: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'mortise-dotnet-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const program of programs) {
    mkdirSync(join(root, program, '..'), { recursive: true });
    writeFileSync(join(root, program), '');
    chmodSync(join(root, program), 0o755);
  }
  return root;
}

const find = (env: Record<string, string>, setting = '') => findDotnet({ setting, env, platform: process.platform });

describe('the program dotnet', () => {
  it('is the one of DOTNET_HOST_PATH, then of PATH, then of DOTNET_ROOT', () => {
    const root = makeFolder('host/program', `path/${PROGRAM}`, `root/${PROGRAM}`);
    const env = {
      DOTNET_HOST_PATH: join(root, 'host/program'),
      PATH: join(root, 'path'),
      DOTNET_ROOT: join(root, 'root'),
    };
    expect(find(env)).toBe(env.DOTNET_HOST_PATH);
    expect(find({ ...env, DOTNET_HOST_PATH: join(root, 'gone') })).toBe(join(root, 'path', PROGRAM));
    expect(find({ DOTNET_ROOT: env.DOTNET_ROOT, PATH: join(root, 'empty') })).toBe(join(root, 'root', PROGRAM));
    expect(find({ PATH: join(root, 'empty') })).toBeUndefined();
    expect(find({})).toBeUndefined();
  });

  it('is the one of the setting alone, which names it or its folder', () => {
    const root = makeFolder(`mine/${PROGRAM}`, `path/${PROGRAM}`);
    const env = { PATH: join(root, 'path') };
    expect(find(env, join(root, 'mine'))).toBe(join(root, 'mine', PROGRAM));
    expect(find(env, join(root, 'mine', PROGRAM))).toBe(join(root, 'mine', PROGRAM));
    expect(find(env, join(root, 'gone'))).toBeUndefined();
  });

  it('is neither a folder, nor what the working directory holds', () => {
    const root = makeFolder(`folder/${PROGRAM}/file`);
    expect(find({ PATH: join(root, 'folder') })).toBeUndefined();
    const cwd = process.cwd();
    process.chdir(makeFolder(PROGRAM));
    onTestFinished(() => process.chdir(cwd));
    expect(find({ PATH: '.' })).toBeUndefined();
    expect(find({ PATH: '' })).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('is one that may be run', () => {
    const root = makeFolder(`path/${PROGRAM}`);
    chmodSync(join(root, 'path', PROGRAM), 0o644);
    expect(find({ PATH: join(root, 'path') })).toBeUndefined();
  });
});
