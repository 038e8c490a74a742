import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DotnetNotFoundError, type OutputStream } from '../../src/process/command-run.js';
import { createDotnetProgram } from '../../src/process/find-dotnet.js';
import { openProcesses, program } from './support.js';

let server: ReturnType<typeof openProcesses>;

beforeEach(() => {
  server = openProcesses();
});
afterEach(() => server.close());

/** A signal that fires when the program has printed that it hangs. */
function cancelWhenHanging() {
  const cancelling = new AbortController();
  const onLine = (line: string) => {
    if (line === 'hanging') cancelling.abort();
  };
  return { signal: cancelling.signal, onLine };
}

describe('a command', () => {
  it('is told with its exit code, its output in order of arrival, and how long it took', async () => {
    const run = await server.run(program('text'));
    expect(run).toMatchObject({
      args: program('text'),
      command: expect.stringMatching(/^dotnet .*program\.mjs text$/),
      cwd: process.cwd(),
      terminatedBy: 'exited',
      exitCode: 0,
      output: 'out 1\nerr 2\r\nout 3\nwithout an end',
      stdout: 'out 1\nout 3\nwithout an end',
      stderr: 'err 2\r\n',
      omittedBytes: 0,
      startedAt: expect.any(Date),
    });
    expect(run.durationMs).toBeGreaterThan(90);
  });

  it('hands out each line as it comes, without its line end', async () => {
    const lines: [string, OutputStream][] = [];
    await server.run(program('text'), { onLine: (...line) => lines.push(line) });
    expect(lines).toEqual([
      ['out 1', 'stdout'],
      ['err 2', 'stderr'],
      ['out 3', 'stdout'],
      ['without an end', 'stdout'],
    ]);
  });

  it('keeps characters whole that come in several chunks', async () => {
    expect((await server.run(program('bytes'))).stdout).toBe('für 🚀\n');
  });

  it.each([
    ['exit', '7', 7],
    ['signal', 'SIGTERM', 143],
    ['signal', 'SIGKILL', 137],
  ])('that ends by %s %s has the exit code %i', async (what, value, exitCode) => {
    expect(await server.run(program(what, value))).toMatchObject({ terminatedBy: 'exited', exitCode });
  });

  it('gets its arguments as they are, its folder and its environment', async () => {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'run-')));
    const args = ['a b', '$HOME', '"', "'; exit 1 #", '', '*', 'ü'];
    const { stdout } = await server.run(program('facts', ...args), { cwd, env: { NO_COLOR: '0', EXTRA: '1' } });
    rmSync(cwd, { recursive: true });
    const details = JSON.parse(stdout);
    expect(details).toMatchObject({ args, cwd, env: { EXTRA: '1', NO_COLOR: '0', DOTNET_CLI_UI_LANGUAGE: 'en' } });
    expect(details.env.MORTISE_TEST_TAG).toMatch(/^[0-9a-f]{24}$/);
  });

  it('has an empty stdin, or what it is given', async () => {
    expect((await server.run(program('stdin'))).stdout).toBe('read ""');
    expect((await server.run(program('stdin'), { stdin: '{"ü":1}' })).stdout).toBe('read "{\\"ü\\":1}"');
    expect(await server.run(program('no-stdin'), { stdin: 'x'.repeat(1 << 20) })).toMatchObject({ exitCode: 0 });
  });

  it('keeps the first and the last lines of too much output', async () => {
    const run = await server.run(program('flood', '5000'), { maxBytes: 10_000 });
    const lines = run.output.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^ +0 x+$/);
    expect(lines[49]).toMatch(/^ +49 x+$/);
    expect(lines[50]).toBe('[490000 bytes omitted]');
    expect(lines[51]).toMatch(/^ +4950 x+$/);
    expect(lines.at(-1)).toMatch(/^ +4999 x+$/);
    expect(run.omittedBytes).toBe(490_000);
  });

  it('that prints a line without end hands it out in pieces', async () => {
    const lengths: number[] = [];
    const run = await server.run(program('line', '1000000'), { onLine: (line) => lengths.push(line.length) });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(200_000);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(1_000_000);
    expect(run.stdout.length).toBe(1_000_000);
  });

  it('that leaves a process with its pipes behind ends all the same, and the group stays owned', async () => {
    const run = await server.run(program('leave'));
    expect(run).toMatchObject({ terminatedBy: 'exited', exitCode: 0, stdout: expect.stringMatching(/^left \d+\n/) });
    expect(server.groups.size).toBe(1);
    await server.run(program('exit', '0'));
    expect(server.groups.size).toBe(1);
    await server.close();
    expect(server.groups.size).toBe(0);
  });
});

describe('a command that is cancelled', () => {
  it('is asked by SIGINT, and never judged by its exit code', async () => {
    const run = await server.run(program('polite'), cancelWhenHanging());
    expect(run).toMatchObject({ terminatedBy: 'cancelled', exitCode: -1, stdout: 'hanging\ncancelled\n' });
  });

  it('is killed when it does not end', async () => {
    const run = await server.run(program('stubborn'), { ...cancelWhenHanging(), graceMs: 200 });
    expect(run).toMatchObject({ terminatedBy: 'cancelled', exitCode: -1, stdout: 'hanging\nno SIGINT\n' });
  });

  it.each(['tree', 'escape'])('ends with all that it started: %s', async (what) => {
    const run = await server.run(program(what), { ...cancelWhenHanging(), graceMs: 300 });
    expect(run.terminatedBy).toBe('cancelled');
    expect(server.running()).toEqual([]);
    expect(server.groups.size).toBe(0);
  });

  it('before its start is not started', async () => {
    const run = await server.run(program('exit', '0'), { signal: AbortSignal.abort() });
    expect(run).toMatchObject({ terminatedBy: 'cancelled', exitCode: -1, output: '' });
  });

  it('leaves the commands beside it alone', async () => {
    const besides = new AbortController();
    let isHanging = () => {};
    const hanging = new Promise<void>((resolve) => {
      isHanging = resolve;
    });
    const neighbour = server.run(program('tree'), { signal: besides.signal, graceMs: 100, onLine: () => isHanging() });
    await hanging;
    await server.run(program('tree'), { ...cancelWhenHanging(), graceMs: 100 });
    expect(server.running().length).toBe(2);
    besides.abort();
    expect((await neighbour).terminatedBy).toBe('cancelled');
  });
});

describe('a command', () => {
  it('whose time is over ends with all that it started', async () => {
    const run = await server.run(program('tree'), { timeoutMs: 300, graceMs: 100 });
    expect(run).toMatchObject({ terminatedBy: 'timed out', exitCode: -1 });
    expect(server.running()).toEqual([]);
  });

  it('may have more time than a timer can count', async () => {
    expect((await server.run(program('exit', '3'), { timeoutMs: 1e12 })).exitCode).toBe(3);
  });

  it('that runs when the server ends, ends', async () => {
    const run = server.run(program('polite'), {
      onLine: () => void server.processes.shutDown(1000),
    });
    await run;
    expect(server.running()).toEqual([]);
  });

  it('that is asked to end is heard to the last word of what it started', async () => {
    const run = await server.run(program('last-words'), {
      onLine: (line) => line === 'hanging' && void server.processes.shutDown(5000),
    });
    expect(run.stdout).toBe('hanging\ngoodbye\n');
  });

  it('cannot be run where there is no dotnet', async () => {
    const dotnet = createDotnetProgram({ setting: '', env: { PATH: '/nowhere' }, platform: process.platform });
    const run = openProcesses(dotnet).run(['build', 'My App.csproj']);
    await expect(run).rejects.toThrow(DotnetNotFoundError);
    await expect(run).rejects.toMatchObject({
      command: 'dotnet build "My App.csproj"',
      detail: expect.stringContaining('PATH'),
    });
  });

  it('cannot be run by what is not a program', async () => {
    const run = openProcesses({ find: () => import.meta.filename, path: () => import.meta.filename, reset() {} }).run([
      '--version',
    ]);
    await expect(run).rejects.toMatchObject({ name: 'DotnetNotFoundError', detail: expect.stringContaining('EACCES') });
  });

  it('cannot be run in a folder that is not there, which is not a fault of dotnet', async () => {
    const run = server.run(program('exit', '0'), { cwd: '/nowhere/at/all' });
    await expect(run).rejects.toThrow('The working directory /nowhere/at/all is not a folder');
    await expect(run).rejects.not.toThrow(DotnetNotFoundError);
  });
});
