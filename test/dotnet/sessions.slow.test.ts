import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { CAN_SEE_PROCESSES, processesOf, type SeenProcess } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { connectSdk } from './connect-sdk.js';
import { type Called, CONSOLE, projectXml, type SdkServer, startSdkServer } from './sdk-server.js';

const TICKER = `if (args.Contains("crash")) throw new InvalidOperationException("no way");
Console.WriteLine("started");
Console.Error.WriteLine("careful");
Console.WriteLine("Server=db;Password=hunter2hunter2");
for (var n = 0; ; n++) { Thread.Sleep(100); Console.WriteLine($"tick {n}"); }
`;
const FILES = {
  'app/app.csproj': projectXml(CONSOLE),
  'app/Program.cs': TICKER,
  'bad/bad.csproj': projectXml(CONSOLE),
  'bad/Program.cs': 'Console.WriteLine(nope);\n',
  // A build of this takes longer than any program needs to start.
  'late/late.csproj': projectXml(
    CONSOLE,
    '<Target Name="Wait" BeforeTargets="CoreCompile"><Exec Command="sleep 20" /></Target>',
  ),
  'late/Program.cs': TICKER,
  'watched/watched.csproj': projectXml(CONSOLE),
  'watched/Program.cs': 'Console.WriteLine("first version");\nThread.Sleep(-1);\n',
};
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const app = { project: 'app/app.csproj' };
const isOurs = ({ command }: SeenProcess) =>
  /\b(?:dotnet|app|watched)\b(?!.*mortise\.mjs)/.test(command.split(' ')[0]!);

describeWithSdk('programs in the background', () => {
  let server: SdkServer;
  let sessionId: string;
  const call: SdkServer['project'] = (...args) => server.project(...args);
  const at = (path: string) => join(server.workplace.folder, path);
  const isApp = ({ command }: SeenProcess) => command.startsWith(at('app/bin/'));
  const logs = (args: object = {}) => call('Logs', { sessionId, ...args });
  const textsOf = ({ data }: Called): string[] => data.lines.map(({ text }: { text: string }) => text);
  beforeAll(async () => {
    // A first build on a busy machine takes longer than a person would wait.
    server = await startSdkServer(FILES, { Sessions: { StartWaitMs: 50_000 } });
  });
  afterAll(() => server.close());

  it('start with an answer that says how to continue; the lock is held until the program runs', async () => {
    const start = call('Run', { ...app, startMode: 'Background' });
    const edit = { ...app, propertyName: 'Version', propertyValue: '1.0.1', waitSeconds: 0 };
    const refused = await call('SetProperty', edit);
    expect(refused.data).toMatchObject({
      success: false,
      errors: [
        {
          code: 'CONCURRENCY_CONFLICT',
          category: 'Concurrency',
          mcpErrorCode: -32603,
          data: {
            exitCode: -1,
            additionalData: { operationType: 'edit', conflictingOperation: expect.stringMatching(/^run /) },
          },
        },
      ],
      lockInfo: { lockScope: 'project', lockKey: at('app/app.csproj'), lockContended: true, lockWaitedMs: 0 },
    });
    expect(refused.text).toMatch(
      / a conflicting operation is already in progress: run .*\(started at [\d-]{10} [\d:]{8}\)\n/,
    );

    const { text, data, isError } = await start;
    expect(isError).toBe(false);
    ({ sessionId } = data);
    expect(data).toMatchObject({
      success: true,
      sessionId: expect.stringMatching(/^run-\w+$/),
      pid: expect.any(Number),
      target: at('app/app.csproj'),
      startedAt: TIME,
      status: 'running',
      lockInfo: { lockScope: 'project', lockKey: at('app/app.csproj') },
    });
    expect(text.split('\n')).toEqual([
      'Process started in background mode',
      `Session ID: ${sessionId}`,
      `PID: ${data.pid}`,
      `Target: ${at('app/app.csproj')}`,
      `Logs: dotnet_project {"action":"Logs","sessionId":"${sessionId}"}`,
      `Stop: dotnet_project {"action":"Stop","sessionId":"${sessionId}"}`,
    ]);
    expect((await call('SetProperty', edit)).isError).toBe(false);
  });

  it('have logs of both streams, without secrets', async () => {
    const { text, data } = await logs();
    expect(data).toMatchObject({ sessionId, status: 'running', startedAt: TIME, truncated: false });
    expect(data.lines).toEqual(
      expect.arrayContaining([
        { at: TIME, stream: 'stdout', text: 'started' },
        { at: TIME, stream: 'stderr', text: 'careful' },
        { at: TIME, stream: 'stdout', text: 'Server=db;Password=[REDACTED]' },
      ]),
    );
    expect(text.split('\n').slice(0, 4)).toEqual([
      `Logs for session '${sessionId}':`,
      'Status: running',
      `Start Time: ${data.startedAt}`,
      '=== Output ===',
    ]);
    expect(text).toContain('\n[stderr] careful\n');
    expect(text).not.toContain('hunter2');
  });

  it('can be read from the end, from a time on, and by stream', async () => {
    const last = await logs({ tailLines: 2 });
    expect(last.data.lines).toHaveLength(2);
    expect(last.data.truncated).toBe(true);
    expect(last.text).toMatch(/\nReturned 2 of \d+ lines\n=== Output ===\n/);
    const errors = await logs({ stream: 'stderr' });
    expect(textsOf(errors)).toEqual(['careful']);
    const since = last.data.lines[0].at as string;
    const recent = await logs({ since });
    expect(recent.data.lines.length).toBeGreaterThanOrEqual(2);
    expect(recent.data.lines.every((line: { at: string }) => line.at >= since)).toBe(true);
    const later = await logs({ since: '2999-01-01T00:00:00Z' });
    expect(later.data.lines).toEqual([]);
    const bad = await logs({ since: 'yesterday' });
    expect(bad.data.errors[0].data.additionalData).toMatchObject({ parameter: 'since', reason: 'invalid format' });
  });

  it('can be followed: new lines are progress until the time is over', async () => {
    server.progress();
    const { data } = await call('Logs', { sessionId, follow: true, timeoutSeconds: 1 }, { onprogress() {} });
    const messages = server.progress().map(({ message }) => message!);
    expect(messages.filter((message) => /^tick \d+$/.test(message)).length).toBeGreaterThan(2);
    expect(textsOf({ data } as Called)).toEqual(expect.arrayContaining(messages));
    expect(data.status).toBe('running');
  });

  it('are listed, stopped with their exit code, and remembered', async () => {
    const listed = await call('ListSessions');
    expect(listed.data.sessions).toMatchObject([
      { sessionId, status: 'running', target: at('app/app.csproj'), kind: 'run' },
    ]);
    expect(listed.text).toContain(`${sessionId} run running (pid `);

    const stopped = await call('Stop', { sessionId });
    expect(stopped.text).toBe(`Successfully stopped session '${sessionId}'`);
    expect(stopped.data).toMatchObject({
      success: true,
      sessionId,
      status: 'stopped',
      exitCode: expect.any(Number),
      startedAt: TIME,
      endedAt: TIME,
    });
    const appProcesses = () => processesOf(server.workplace).filter(isApp);
    if (CAN_SEE_PROCESSES) await expect.poll(appProcesses, { timeout: 5000 }).toEqual([]);
    const after = await logs({ tailLines: 1 });
    expect(after.data).toMatchObject({ status: 'stopped', lines: [{ text: expect.stringMatching(/^tick /) }] });
    expect(after.text).toMatch(/\nStatus: stopped \(exit code \d+\)\n/);
    const again = await call('Stop', { sessionId });
    expect(again.data).toMatchObject({ success: true, changed: false });
    const unknown = await call('Stop', { sessionId: 'run-none' });
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toMatch(/^Error: Session 'run-none' was not found\nCode: INVALID_PARAMS\n/);
    expect(unknown.data.errors[0].data.additionalData).toMatchObject({ parameter: 'sessionId', reason: 'not found' });
  });

  it('that crash at once have failed to start, in the words of the program', async () => {
    const { text, data, isError } = await call('Run', {
      ...app,
      noBuild: true,
      appArgs: 'crash',
      startMode: 'Background',
    });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      success: false,
      sessionId: expect.stringMatching(/^run-/),
      status: 'exited',
      exitCode: 134,
      errors: [{ code: 'EXIT_134', message: expect.stringContaining('System.InvalidOperationException: no way') }],
    });
    expect(text).toMatch(/^Error: Unhandled exception\. System\.InvalidOperationException: no way\n/);
    expect((await call('Logs', { sessionId: data.sessionId })).text).toContain('no way');
  });

  it('that do not compile have failed to start, with the errors of the build', async () => {
    const { text, data } = await call('Run', { project: 'bad/bad.csproj', startMode: 'Background' });
    expect(data).toMatchObject({
      success: false,
      status: 'exited',
      errors: [{ code: 'CS0103', category: 'Compilation', file: at('bad/Program.cs'), line: 1, column: 19 }],
      exitCode: 1,
    });
    expect(text).toMatch(/^Error: Run failed: 1 error\nCode: CS0103\n/);
    const edit = { project: 'bad/bad.csproj', propertyName: 'Version', propertyValue: '1.0.1' };
    expect((await call('SetProperty', edit)).isError).toBe(false);
  });

  it('say that they are still building, when there is no output yet at the limit of the call', async () => {
    const settings = { Dotnet: { Enabled: true }, Sessions: { StartWaitMs: 1 } };
    const hasty = await connectSdk(server.workplace, { settings });
    try {
      const background = { action: 'Run', ...app, startMode: 'Background' };
      const built = await hasty.call('dotnet_project', background);
      expect(built.data.note).not.toBe('still building, no output yet');
      await hasty.call('dotnet_project', { action: 'Stop', sessionId: built.data.sessionId });
      const late = { ...background, project: 'late/late.csproj', timeoutSeconds: 1 };
      const { data, text } = await hasty.call('dotnet_project', late);
      expect(data).toMatchObject({ success: true, status: 'running', note: 'still building, no output yet' });
      expect(text).toMatch(/^Note: still building, no output yet$/m);
      await hasty.call('dotnet_project', { action: 'Stop', sessionId: data.sessionId });
    } finally {
      await hasty.close();
    }
  });

  it('are watched, and pick up an edit', async () => {
    const started = await call('Watch', { project: 'watched/watched.csproj', watchAction: 'run', noHotReload: true });
    expect(started.data).toMatchObject({
      success: true,
      sessionId: expect.stringMatching(/^watch-/),
      status: 'running',
    });
    expect(started.data).not.toHaveProperty('lockInfo');
    const watch = started.data.sessionId;
    const printed = (line: string) => async () => {
      const logs = await call('Logs', { sessionId: watch });
      return textsOf(logs).includes(line) && logs.data;
    };
    await waitFor(printed('first version'), { timeoutMs: 45_000 });
    const second = FILES['watched/Program.cs'].replace('first', 'second');
    // Again and again: `dotnet watch` misses what is written while it begins to look.
    const edit = setInterval(() => server.workplace.write('watched/Program.cs', second), 10_000);
    server.workplace.write('watched/Program.cs', second);
    const data = await waitFor(printed('second version'), { timeoutMs: 45_000 }).finally(() => clearInterval(edit));
    expect(data).toMatchObject({ status: 'running', state: 'running' });
    expect((await call('Stop', { sessionId: watch })).data).toMatchObject({ success: true, status: 'stopped' });
  }, 120_000);

  it.skipIf(!CAN_SEE_PROCESSES)('end with the server, and with its sudden death', async () => {
    const doomed = await startSdkServer();
    try {
      for (const one of [server, doomed]) {
        const { isError } = await one.project('Run', {
          project: at('app/app.csproj'),
          noBuild: true,
          startMode: 'Background',
        });
        expect(isError).toBe(false);
        expect(processesOf(one.workplace).filter(isApp)).toHaveLength(1);
      }
      process.kill((doomed.client.transport as StdioClientTransport).pid!, 'SIGKILL');
      await server.client.close();
      for (const { workplace } of [server, doomed])
        await expect.poll(() => processesOf(workplace).filter(isOurs), { timeout: 10_000 }).toEqual([]);
    } finally {
      await doomed.close();
    }
  });
});
