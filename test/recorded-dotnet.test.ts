import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { projectionOf } from './support/recorded-dotnet/answer.js';
import { createClock, createIds, createPlaceholders } from './support/recorded-dotnet/placeholders.js';
import type { RecordedRun } from './support/recorded-dotnet/recording-file.js';
import { createWorkplace, ROOT } from './support/workplace.js';

const MODULE = fileURLToPath(new URL('./support/recorded-dotnet/dotnet.cjs', import.meta.url));

/** A program `dotnet` with the recorded runs of one test. */
function programOf(runs: (folder: string) => readonly RecordedRun[]) {
  const { folder } = createWorkplace();
  const program = join(folder, 'program');
  for (const path of [program, join(folder, 'taken')]) mkdirSync(path);
  writeFileSync(join(program, 'dotnet'), `#!${process.execPath}\nrequire(${JSON.stringify(MODULE)})(__dirname);\n`);
  chmodSync(join(program, 'dotnet'), 0o755);
  const files = { taken: join(folder, 'taken'), unrecorded: join(folder, 'unrecorded') };
  const state = { mode: 'replay', test: 0, name: 'a test', runs: runs(folder), how: 'Record again.', ...files };
  writeFileSync(join(program, 'state.json'), JSON.stringify(state));
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(program, 'dotnet'), args, { cwd: folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  return { folder, run, program: join(program, 'dotnet') };
}

describe('the program of a recording', () => {
  it('prints, writes and exits as the command did, the n-th time as it did the n-th time', () => {
    const { folder, run } = programOf((cwd) => [
      {
        args: ['build', 'a.csproj'],
        cwd,
        exitCode: 1,
        lines: ['1 first', '2 sorry', '1-no line end'],
        files: { [`${cwd}/obj/a.txt`]: ['one', 'two', ''], [`${cwd}/obj/a.dll`]: 'binary' },
      },
      { args: ['build', 'b.csproj'], cwd, exitCode: 0, lines: ['1 other'] },
      { args: ['build', 'a.csproj'], cwd, exitCode: 0, lines: ['1 second'], files: { [`${cwd}/obj/a.txt`]: null } },
    ]);
    expect(run('build', 'a.csproj')).toEqual({ status: 1, stdout: 'first\nno line end', stderr: 'sorry\n' });
    expect(readFileSync(join(folder, 'obj/a.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(readFileSync(join(folder, 'obj/a.dll'))).toHaveLength(0);
    expect(run('build', 'a.csproj')).toEqual({ status: 0, stdout: 'second\n', stderr: '' });
    expect(existsSync(join(folder, 'obj/a.txt'))).toBe(false);
    expect(run('build', 'b.csproj')).toMatchObject({ status: 0, stdout: 'other\n' });
  });

  it('refuses what is not recorded, and what is asked more often than it was recorded', () => {
    const { folder, run } = programOf((cwd) => [{ args: ['--version'], cwd, exitCode: 0, lines: ['1 10.0.401'] }]);
    const message = (args: string) =>
      `'dotnet ${args}' in ${folder} is not recorded for the test 'a test'. Record again.\n`;
    expect(run('restore')).toEqual({ status: 199, stdout: '', stderr: message('restore') });
    expect(run('--version')).toMatchObject({ status: 0 });
    expect(run('--version')).toMatchObject({ status: 199 });
    expect(readFileSync(join(folder, 'unrecorded'), 'utf8')).toBe(message('restore') + message('--version'));
  });

  it('gives a command the temporary names of this run', () => {
    const { folder, run } = programOf((cwd) => [
      {
        args: ['msbuild', '-p:Result=/tmp/‹own 1›/result.json'],
        cwd,
        exitCode: 0,
        lines: ['1 wrote ‹own 1›'],
        files: { [`${cwd}/‹own 1›/result.json`]: ['"‹own 1›"'] },
      },
    ]);
    const answer = run('msbuild', '-p:Result=/tmp/mortise-solution-aB3dE6/result.json');
    expect(answer).toMatchObject({ status: 0, stdout: 'wrote mortise-solution-aB3dE6\n' });
    expect(readFileSync(join(folder, 'mortise-solution-aB3dE6/result.json'), 'utf8')).toBe('"mortise-solution-aB3dE6"');
  });

  it('stays until a signal where the command did', async () => {
    const { folder, program } = programOf((cwd) => [
      { args: ['run'], cwd, exitCode: 130, untilSignal: true, lines: ['1 serving'] },
    ]);
    const child = spawn(program, ['run'], { cwd: folder });
    const [printed] = await once(child.stdout, 'data');
    expect(String(printed)).toBe('serving\n');
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([130, null]);
  });
});

describe('a recording', () => {
  const { hide, fill } = createPlaceholders({ work: '/tmp/mortise-test-abc', feed: '127.0.0.1:4711' });

  it('has names in the place of the texts of a machine and a run', () => {
    const text = `/tmp/mortise-test-abc/app/App.csproj : error in ${ROOT}packages, see http://127.0.0.1:4711/index.json`;
    expect(hide(text)).toBe('‹work›/app/App.csproj : error in ‹repository›/packages, see http://‹feed›/index.json');
    expect(fill(hide(text))).toBe(text);
    expect(hide('/tmp/mortise-test-abcd and 127.0.0.1:47110')).not.toMatch(/work|feed/);
  });

  it('has the same times in each run, and different ones where they differ', () => {
    const clock = createClock();
    expect(clock('Time Elapsed 00:00:01.52')).toBe('Time Elapsed 00:00:01.00');
    expect(clock('Restored a.csproj (in 1.34 sec).')).toBe('Restored a.csproj (in 1 sec).');
    expect(clock('Passed T.Good [45 ms]')).toBe('Passed T.Good [1 ms]');
    expect(clock('at 2026-11-27T02:13:55.123+00:00, then 2026-11-27 02:13:56')).toBe(
      'at 2026-01-01T00:00:01.000+00:00, then 2026-01-01 00:00:02',
    );
    expect(clock('at 2026-11-27T02:13:55.123+00:00')).toBe('at 2026-01-01T00:00:01.000+00:00');
  });

  it('numbers the ids of a report, the same id with the same number', () => {
    const ids = createIds();
    const [one, two] = ['8f14e45f-ceea-467f-a8d4-a1d2f9a3b001', '45c48cce-2e2d-4fbd-9aa0-b3d1c0e5f002'];
    const number = (last: number) => `00000000-0000-0000-0000-00000000000${last}`;
    expect(ids(`${one} ${two} ${one}`)).toBe(`${number(1)} ${number(2)} ${number(1)}`);
  });

  it('keeps of an answer what was read, without our words, times and the order of lists', () => {
    const answer = {
      errors: [
        { code: 'CS0103', file: '/tmp/mortise-test-abc/b.cs', line: 2, hint: 'Check the name.' },
        { code: 'CS0029', file: '/tmp/mortise-test-abc/a.cs', line: 1 },
      ],
      durationMs: 45,
      warningCount: 3,
      metadata: { callId: 'c1' },
    };
    expect(projectionOf(answer, hide)).toEqual({
      errors: [
        { code: 'CS0029', file: '‹work›/a.cs', line: 1 },
        { code: 'CS0103', file: '‹work›/b.cs', line: 2 },
      ],
      warningCount: 3,
      metadata: {},
    });
  });
});
