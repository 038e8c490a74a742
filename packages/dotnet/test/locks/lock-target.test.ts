import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProjectsOf, isConflict } from '../../src/locks/conflicts.js';
import { makeOwnFolder } from '../../src/locks/lock-files.js';
import { lockTargetFor } from '../../src/locks/lock-target.js';
import { runtimeFolder } from '../../src/locks/runtime-folder.js';

let temp: string;

beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'lock-target-')));
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

describe('lockTargetFor', () => {
  it.each([
    ['src/App.csproj', 'project'],
    ['src/App.FSPROJ', 'project'],
    ['src/App.vbproj', 'project'],
    ['All.sln', 'solution'],
    ['All.slnx', 'solution'],
    ['src', 'workingDirectory'],
    ['app.cs', 'workingDirectory'],
    ['build.proj', 'workingDirectory'],
  ])('gives %s the scope %s', (path, scope) => {
    expect(lockTargetFor(path, temp)).toEqual({ scope, path: join(temp, path) });
  });

  it('takes the working directory where no path is given', () => {
    expect(lockTargetFor(undefined, temp)).toEqual({ scope: 'workingDirectory', path: temp });
  });

  it('resolves symlinks as far as the path exists', () => {
    mkdirSync(join(temp, 'real'));
    symlinkSync(join(temp, 'real'), join(temp, 'link'));
    expect(lockTargetFor('link/new/App.csproj', temp).path).toBe(join(temp, 'real', 'new', 'App.csproj'));
    expect(lockTargetFor('./link/../real/', temp).path).toBe(join(temp, 'real'));
  });

  it('gives a solution filter its solution', () => {
    mkdirSync(join(temp, 'filters'));
    const filter = { solution: { path: '..\\All.sln', projects: ['src\\App.csproj'] } };
    writeFileSync(join(temp, 'filters', 'App.slnf'), `\uFEFF${JSON.stringify(filter)}`);
    expect(lockTargetFor('filters/App.slnf', temp)).toEqual({ scope: 'solution', path: join(temp, 'All.sln') });
  });

  it.each(['{', '{"solution":{"path":7}}', 'null'])('leaves a filter that says %s to the command', (text) => {
    writeFileSync(join(temp, 'App.slnf'), text);
    expect(lockTargetFor('App.slnf', temp).path).toBe(join(temp, 'App.slnf'));
  });
});

describe('the projects of a solution', () => {
  it('are read from .sln, without its folders', () => {
    writeFileSync(
      join(temp, 'All.sln'),
      [
        'Microsoft Visual Studio Solution File, Format Version 12.00',
        'Project("{2150E333-8FDC-42A3-9474-1A3956D46DE8}") = "src", "src", "{11111111-0000-0000-0000-000000000000}"',
        'EndProject',
        'Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "App", "src\\App\\App.csproj", "{22222222-0000-0000-0000-000000000000}"',
        'EndProject',
        '  Project("{F2A71F9B-5D33-465A-A702-920D77279786}")="Lib","src/Lib/Lib.fsproj","{3}"',
        'EndProject',
      ].join('\r\n'),
    );
    expect([...createProjectsOf()(join(temp, 'All.sln'))]).toEqual([
      join(temp, 'src', 'App', 'App.csproj'),
      join(temp, 'src', 'Lib', 'Lib.fsproj'),
    ]);
  });

  it('are read from .slnx, without comments', () => {
    writeFileSync(
      join(temp, 'All.slnx'),
      `<Solution><!-- <Project Path="old.csproj" /> --><Folder Name="/src/">
        <Project Id="1"\n Path='R&amp;D/App.csproj'><Build Project="false" /></Project></Folder>
        <Project Path="Lib.vbproj"/></Solution>`,
    );
    expect([...createProjectsOf()(join(temp, 'All.slnx'))]).toEqual([
      join(temp, 'R&D', 'App.csproj'),
      join(temp, 'Lib.vbproj'),
    ]);
  });

  it('are read again when the file has changed, and are none when it is not there', () => {
    const projectsOf = createProjectsOf();
    const solution = join(temp, 'All.slnx');
    expect([...projectsOf(solution)]).toEqual([]);
    writeFileSync(solution, '<Solution><Project Path="A.csproj"/></Solution>');
    expect([...projectsOf(solution)]).toEqual([join(temp, 'A.csproj')]);
    writeFileSync(solution, '<Solution><Project Path="A.csproj"/><Project Path="B.csproj"/></Solution>');
    expect(projectsOf(solution).size).toBe(2);
  });
});

describe('a lock of a folder', () => {
  const conflicts = (one: string, other: string) =>
    isConflict(lockTargetFor(one, temp), lockTargetFor(other, temp), createProjectsOf());

  beforeEach(() => {
    for (const folder of ['App', 'Other']) mkdirSync(join(temp, folder));
    writeFileSync(join(temp, 'Shop.slnx'), '<Solution><Project Path="App/App.csproj"/></Solution>');
    writeFileSync(join(temp, 'App', 'App.csproj'), '<Project Sdk="Microsoft.NET.Sdk"/>');
    writeFileSync(join(temp, 'Other', 'Other.csproj'), '<Project Sdk="Microsoft.NET.Sdk"/>');
  });

  it.each([
    ['.', 'Shop.slnx'],
    ['.', 'App/App.csproj'],
    ['.', 'App'],
    ['App', 'Shop.slnx'],
    ['App', 'App/App.csproj'],
  ])('%s conflicts with one of %s, which a command without a path reaches', (one, other) => {
    expect([conflicts(one, other), conflicts(other, one)]).toEqual([true, true]);
  });

  it.each([
    ['.', 'Other/Other.csproj'],
    ['Other', 'Shop.slnx'],
    ['Other', 'App'],
  ])('%s does not conflict with one of %s', (one, other) => {
    expect([conflicts(one, other), conflicts(other, one)]).toEqual([false, false]);
  });
});

describe('the folder for locks', () => {
  const options = { platform: 'linux', env: {}, homeDir: '/home/u', uid: 4_000_123 } as const;

  it.each([
    ['the session folder', { ...options, env: { XDG_RUNTIME_DIR: tmpdir() } }, join(tmpdir(), 'mortise', 'locks')],
    ['/tmp where there is none', options, '/tmp/mortise-locks-4000123'],
    ['/tmp where it is relative', { ...options, env: { XDG_RUNTIME_DIR: '.' } }, '/tmp/mortise-locks-4000123'],
    ['Caches on macOS', { ...options, platform: 'darwin' }, '/home/u/Library/Caches/mortise/locks'],
  ] as const)('is %s', (_case, caseName, expected) => {
    expect(runtimeFolder('locks', caseName)).toBe(expected);
  });

  it('must belong to the user', () => {
    makeOwnFolder(join(temp, 'own'), process.getuid?.());
    expect(() => makeOwnFolder(join(temp, 'own'), 4_000_123)).toThrow('belongs to another user');
    symlinkSync(join(temp, 'own'), join(temp, 'link'));
    expect(() => makeOwnFolder(join(temp, 'link'), process.getuid?.())).toThrow('is not a folder');
  });
});
