import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDotnetProgram, findDotnet } from '../../src/process/find-dotnet.js';

let temp: string;
const platform = process.platform;

beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'find-dotnet-'));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

function makeProgram(folder: string, mode = 0o755): string {
  const path = join(temp, folder, 'dotnet');
  mkdirSync(join(temp, folder), { recursive: true });
  writeFileSync(path, '');
  chmodSync(path, mode);
  return path;
}

describe('dotnet is found', () => {
  it('by the setting alone where it is set, as a program or its folder', () => {
    const path = makeProgram('set');
    const env = { PATH: join(temp, 'path') };
    makeProgram('path');
    expect(findDotnet({ setting: path, env, platform })).toBe(path);
    expect(findDotnet({ setting: join(temp, 'set'), env, platform })).toBe(path);
    expect(findDotnet({ setting: join(temp, 'none'), env, platform })).toBeUndefined();
  });

  it('by DOTNET_HOST_PATH, then PATH, then DOTNET_ROOT', () => {
    const [host, first, second, root] = ['host', 'first', 'second', 'root'].map((folder) => makeProgram(folder));
    const env: Record<string, string> = {
      DOTNET_HOST_PATH: host!,
      PATH: ['relative', '', join(temp, 'none'), join(temp, 'first'), join(temp, 'second')].join(delimiter),
      DOTNET_ROOT: join(temp, 'root'),
    };
    for (const expected of [host, first, second, root]) {
      expect(findDotnet({ setting: '', env, platform })).toBe(expected);
      rmSync(expected!);
    }
    expect(findDotnet({ setting: '', env, platform })).toBeUndefined();
    expect(findDotnet({ setting: '', env: {}, platform })).toBeUndefined();
  });

  it('ignoring folders, and files that are not programs', () => {
    mkdirSync(join(temp, 'folder', 'dotnet'), { recursive: true });
    makeProgram('text', 0o644);
    const path = makeProgram('program');
    const env = { PATH: ['folder', 'text', 'program'].map((folder) => join(temp, folder)).join(delimiter) };
    expect(findDotnet({ setting: '', env, platform })).toBe(path);
  });

  it('not in what the working directory holds', () => {
    makeProgram('.');
    const cwd = process.cwd();
    process.chdir(temp);
    try {
      const env = { DOTNET_HOST_PATH: 'dotnet', PATH: ['', '.'].join(delimiter), DOTNET_ROOT: '.' };
      expect(findDotnet({ setting: '', env, platform })).toBeUndefined();
    } finally {
      process.chdir(cwd);
    }
  });

  it('or the place that was looked in is named', () => {
    const set = join(temp, 'none');
    expect(() => createDotnetProgram({ setting: set, env: {}, platform }).path()).toThrow(`Dotnet.Path is ${set}`);
  });

  it('once, and again after a failure', () => {
    const env = { PATH: join(temp, 'late') };
    const program = createDotnetProgram({ setting: '', env, platform });
    expect(() => program.path()).toThrow('not found');
    const path = makeProgram('late');
    expect(program.path()).toBe(path);
    rmSync(path);
    expect(program.path()).toBe(path);
    program.reset();
    expect(() => program.path()).toThrow('not found');
  });
});
