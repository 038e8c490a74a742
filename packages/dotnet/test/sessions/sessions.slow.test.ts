import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { compilerServer } from '../../../../test/support/compiler-server.js';
import { createSessions } from '../../src/sessions/create-sessions.js';
import type { SessionStart, Sessions, SessionTable, StartedSession } from '../../src/sessions/session.js';
import { openProcesses, realDotnet } from '../process/support.js';
import { describeWithSdk, hasSdk, PROPERTIES } from '../sdk.js';

const PROGRAM = fileURLToPath(new URL('./fixtures/Program.cs', import.meta.url));
const PROJECT = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <ImplicitUsings>enable</ImplicitUsings>
    <Nullable>enable</Nullable>
  </PropertyGroup>
  <Target Name="Slow" AfterTargets="Build"><Exec Command="sleep 1" Condition="'$(SlowBuild)' != ''" /></Target>
</Project>`;

const ENVIRONMENT = { ...PROPERTIES, ...(hasSdk && compilerServer()) };

/** With builds, which take their time on a busy machine. */
const LONG = { timeout: 180_000 };
const WRITE_AGAIN_MS = 10_000;

describeWithSdk('programs in the background', () => {
  let temp: string;
  let server: ReturnType<typeof openProcesses>;
  let sessions: Sessions;
  let table: SessionTable;

  function makeProject(name: string): string {
    const folder = join(temp, name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'App.csproj'), PROJECT);
    cpSync(PROGRAM, join(folder, 'Program.cs'));
    return folder;
  }

  beforeAll(async () => {
    temp = mkdtempSync(join(tmpdir(), 'sessions-'));
    makeProject('app');
    const builder = openProcesses(realDotnet, ENVIRONMENT);
    expect(await builder.run(['build'], { cwd: join(temp, 'app') })).toMatchObject({ exitCode: 0 });
    await builder.processes.shutDown(1000);
  }, LONG.timeout);
  afterAll(() => rmSync(temp, { recursive: true, force: true }));

  beforeEach(() => {
    server = openProcesses(realDotnet, ENVIRONMENT);
    sessions = open();
  });
  afterEach(async () => {
    await table.close();
    await server.close();
  });

  function open(more: Partial<Parameters<typeof createSessions>[0]> = {}): Sessions {
    const { processes } = server;
    // A start that waits for its build waits long enough on a busy machine.
    table = createSessions({ processes, keepMs: 60_000, maxLines: 5000, startWaitMs: LONG.timeout, ...more });
    return table.of('a');
  }

  function request(args: readonly string[], more: Partial<SessionStart> = {}): SessionStart {
    const cwd = join(temp, 'app');
    return {
      args,
      cwd,
      target: cwd,
      kind: 'run',
      timeoutMs: LONG.timeout,
      signal: new AbortController().signal,
      ...more,
    };
  }

  /** Of the program that is built already. */
  const running = (...args: string[]) => request(['run', '--no-build', '--', ...args]);

  async function start(sessionStart: SessionStart): Promise<StartedSession['session']> {
    const answer = await sessions.start(sessionStart);
    if (!answer.started) throw new Error(answer.output);
    return answer.session;
  }

  /** Writes the file, again and again until it is seen: `dotnet watch` misses what is written while it begins to look. */
  async function untilSeen(file: string, content: string, isSeen: () => boolean): Promise<void> {
    let writtenAt = Number.NEGATIVE_INFINITY;
    const poll = () => {
      if (isSeen()) return true;
      if (performance.now() - writtenAt >= WRITE_AGAIN_MS) {
        writeFileSync(file, content);
        writtenAt = performance.now();
      }
      return false;
    };
    await expect.poll(poll, { timeout: 60_000, interval: 200 }).toBe(true);
  }

  const texts = (id: string) => sessions.lines(id)!.lines.map(({ text }) => text);

  it('exist for the principal alone that started them', async () => {
    const { sessionId } = await start(running('ticks'));
    const others = table.of('b');
    expect([others.list(), others.get(sessionId), others.lines(sessionId)]).toEqual([[], undefined, undefined]);
    expect(await others.stop(sessionId)).toBeUndefined();
    expect(sessions.get(sessionId)).toMatchObject({ status: 'running' });
  });

  it('answer their start at the first output, and are listed', async () => {
    const session = await start(running('ticks'));
    expect(session).toEqual({
      sessionId: expect.stringMatching(/^run-[0-9a-f]{8}$/),
      kind: 'run',
      pid: expect.any(Number),
      target: join(temp, 'app'),
      status: 'running',
      startedAt: expect.stringMatching(/Z$/),
      urls: [],
    });
    expect(texts(session.sessionId)[0]).toBe('tick 0');
    expect(sessions.list()).toEqual([session]);
    expect(server.groups.has(session.pid)).toBe(true);
  });

  it('give their lines by number, moment and stream', async () => {
    const { sessionId } = await start(running('ticks'));
    await expect.poll(() => texts(sessionId).includes('tick 12'), { timeout: 10_000 }).toBe(true);
    expect(sessions.lines(sessionId, { tailLines: 3 })).toMatchObject({ truncated: true });
    expect(sessions.lines(sessionId, { tailLines: 3 })!.lines.length).toBe(3);
    const errors = sessions.lines(sessionId, { stream: 'stderr' })!;
    expect(errors.lines.slice(0, 2).map(({ text }) => text)).toEqual(['error 4', 'error 9']);
    expect(errors).toMatchObject({ truncated: false, total: errors.lines.length });
    const sixth = sessions.lines(sessionId)!.lines.find(({ text }) => text === 'tick 6')!;
    const since = sessions.lines(sessionId, { since: new Date(sixth.at), stream: 'stdout', tailLines: 1000 })!;
    expect(since.lines[0]!.text).toBe('tick 6');
    expect(sessions.lines('run-00000000')).toBeUndefined();
  });

  it('are followed line by line until the time is over', async () => {
    const { sessionId } = await start(running('ticks'));
    const followed: string[] = [];
    const after = texts(sessionId).length;
    await sessions.follow(sessionId, {
      timeoutMs: 500,
      signal: new AbortController().signal,
      onLine: ({ text }) => followed.push(text),
    });
    expect(followed.length).toBeGreaterThan(2);
    expect(texts(sessionId).slice(after, after + followed.length)).toEqual(followed);
  });

  it('are followed until they end', async () => {
    const { sessionId } = await start(running('polite'));
    const followed: string[] = [];
    const following = sessions.follow(sessionId, {
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onLine: ({ text }) => followed.push(text),
    });
    await sessions.stop(sessionId);
    expect(await following).toMatchObject({ status: 'stopped' });
    expect(followed).toEqual(['goodbye']);
  });

  it('are stopped politely, and say so once', async () => {
    const { sessionId } = await start(running('polite'));
    const stopped = await sessions.stop(sessionId);
    // 3 mostly: under load `dotnet run`, which is signalled as well, may lose its program's exit code.
    expect(stopped).toMatchObject({ status: 'stopped', exitCode: expect.any(Number), endedAt: expect.any(String) });
    expect(texts(sessionId)).toEqual(['ready', 'goodbye']);
    expect(server.running()).toEqual([]);
    expect(await sessions.stop(sessionId)).toEqual(stopped);
    expect(await sessions.stop('run-00000000')).toBeUndefined();
  });

  it('are killed when they do not end', async () => {
    sessions = open({ stopGraceMs: 300 });
    const { sessionId } = await start(running('stubborn'));
    expect(await sessions.stop(sessionId)).toMatchObject({ status: 'stopped', exitCode: 137 });
    expect(server.running()).toEqual([]);
  });

  it('that crash at once have failed to start', async () => {
    const answer = await sessions.start(running('crash'));
    expect(answer).toMatchObject({
      started: false,
      command: 'dotnet run --no-build -- crash',
      session: { status: 'exited', exitCode: 134 },
      stderr: expect.stringContaining('InvalidOperationException: crashed at once'),
    });
    expect(sessions.get(answer.session.sessionId)).toEqual(answer.session);
  });

  it('that end without a word before the wait is over have failed to start', async () => {
    expect(await sessions.start(running('silent', '100', '5'))).toMatchObject({
      started: false,
      session: { exitCode: 5 },
      output: '',
    });
  });

  it('that are done at once have started', async () => {
    const answer = await sessions.start(running('hello'));
    expect(answer).toMatchObject({ started: true });
    await expect.poll(() => sessions.get(answer.session.sessionId)).toMatchObject({ status: 'exited', exitCode: 0 });
    expect(texts(answer.session.sessionId)).toEqual(['hello']);
  });

  it('that are silent have started when the wait is over', async () => {
    sessions = open({ startWaitMs: 1500 });
    expect(await start(running('silent', '60000', '0'))).toMatchObject({ status: 'running' });
  });

  it('are waited for from the end of the build, but no longer than the call takes', LONG, async () => {
    sessions = open({ startWaitMs: 100 });
    const args = ['run', '-p:SlowBuild=1', '--', 'silent', '60000', '0'];
    expect(await sessions.start(request(args))).toMatchObject({ started: true, missing: 'output' });
    expect(await sessions.start(request(args, { timeoutMs: 100 }))).toMatchObject({ started: true, missing: 'build' });
  });

  it('tell the addresses that they print, without the token of a dashboard', async () => {
    const session = await start(running('web'));
    expect(session.urls).toEqual([
      'http://localhost:5123',
      'https://localhost:7123',
      'https://localhost:17166/login?t=[REDACTED]',
    ]);
    expect(texts(session.sessionId).join('\n')).not.toContain('0123456789abcdef');
  });

  it('are built first, and say when that is over', LONG, async () => {
    const events: string[] = [];
    const args = ['run', '-p:SlowBuild=1', '--', 'silent', '60000', '0'];
    const starting = sessions.start(request(args, { onBuilt: () => events.push('built') }));
    await expect
      .poll(() => server.running().some((command) => command.includes('sleep 1')), { timeout: 60_000 })
      .toBe(true);
    expect(events).toEqual([]);
    await expect.poll(() => events, { timeout: 60_000 }).toEqual(['built']);
    expect(server.running().some((command) => command.includes('silent 60000 0') && !command.includes('run'))).toBe(
      true,
    );
    await table.close();
    expect(await starting).toMatchObject({ started: false, session: { status: 'stopped' } });
    expect(events).toEqual(['built']);
  });

  it('of one file are built first, too', LONG, async () => {
    const cwd = mkdtempSync(join(temp, 'file-'));
    // Ahead-of-time compilation, the default of file-based apps, would need a package.
    const text = '#:property PublishAot=false\nConsole.WriteLine("one file"); Thread.Sleep(Timeout.Infinite);';
    writeFileSync(join(cwd, 'app.cs'), text);
    let runningWhenBuilt: string[] = [];
    const session = await start(
      request(['run', '--file', 'app.cs'], {
        cwd,
        onBuilt: () => {
          runningWhenBuilt = server.running();
        },
      }),
    );
    expect(texts(session.sessionId)).toEqual(['one file']);
    expect(runningWhenBuilt).toContainEqual(expect.stringMatching(/\/app$|app\.dll/));
  });

  it('that do not compile have failed to start, with the diagnostics', LONG, async () => {
    const cwd = makeProject('broken');
    writeFileSync(join(cwd, 'Program.cs'), 'int x = "text";');
    const events: string[] = [];
    const sessionStart = request(['run'], { cwd, onBuilt: () => events.push('built') });
    expect(await sessions.start(sessionStart)).toMatchObject({
      started: false,
      session: { status: 'exited', exitCode: 1 },
      stdout: expect.stringMatching(/Program\.cs\(1,9\): error CS0029: /),
      stderr: expect.stringContaining('The build failed'),
    });
    expect(events).toEqual(['built']);
  });

  it('are not started by a call that was cancelled, and end when it is cancelled meanwhile', async () => {
    const cancelling = new AbortController();
    const starting = sessions.start({ ...running('silent', '60000', '0'), signal: cancelling.signal });
    await expect.poll(() => server.running().length, { timeout: 10_000 }).toBe(2);
    cancelling.abort(new Error('cancelled by the test'));
    expect(await starting).toMatchObject({ started: false, session: { status: 'stopped' } });
    expect(server.running()).toEqual([]);
    await expect(sessions.start({ ...running('ticks'), signal: cancelling.signal })).rejects.toThrow('cancelled');
    expect(sessions.list().map(({ status }) => status)).toEqual(['stopped']);
  });

  it('are forgotten some time after their end', async () => {
    sessions = open({ keepMs: 200 });
    const { sessionId } = await start(running('polite'));
    // One that runs is not forgotten.
    await delay(300);
    expect(sessions.get(sessionId)).toBeDefined();
    await sessions.stop(sessionId);
    expect(sessions.get(sessionId)).toBeDefined();
    await expect.poll(() => sessions.get(sessionId)).toBeUndefined();
  });

  it('end with the server, and none starts after that', async () => {
    const { sessionId } = await start(running('ticks'));
    await table.close();
    expect(sessions.get(sessionId)).toMatchObject({ status: 'stopped' });
    expect(server.running()).toEqual([]);
    await expect(sessions.start(running('ticks'))).rejects.toThrow('shutting down');
  });

  it('under dotnet watch run again after an edit, and say what they are at', LONG, async () => {
    const cwd = makeProject('watched');
    const program = join(cwd, 'Program.cs');
    const first = readFileSync(program, 'utf8');
    const second = first.replace('message: one', 'message: two');
    const session = await start(request(['watch', '--non-interactive', 'run'], { cwd, kind: 'watch' }));
    const { sessionId } = session;
    expect(session).toMatchObject({ kind: 'watch', sessionId: expect.stringMatching(/^watch-/) });
    const state = () => sessions.get(sessionId)?.state;
    await expect.poll(state, { timeout: 60_000 }).toBe('running');
    expect(texts(sessionId)).toContain('message: one');

    const saw = (words: string) => texts(sessionId).some((text) => text.includes(words));
    await untilSeen(program, second.replace('switch (args', 'switch args'), () => saw('error CS'));
    await untilSeen(program, second, () => saw('message: two'));
    await expect.poll(state, { timeout: 60_000 }).toBe('running');

    expect(await sessions.stop(sessionId)).toMatchObject({ status: 'stopped' });
    expect(sessions.get(sessionId)).not.toHaveProperty('state');
    expect(server.running()).toEqual([]);
  });

  it('under dotnet watch that do not compile wait for an edit', LONG, async () => {
    const cwd = makeProject('unwatchable');
    writeFileSync(join(cwd, 'Program.cs'), 'int x = "text";');
    const session = await start(request(['watch', '--non-interactive', 'run'], { cwd, kind: 'watch' }));
    expect(session).toMatchObject({ status: 'running', state: 'waiting' });
    expect(texts(session.sessionId).join('\n')).toContain('error CS0029');
  });
});
