import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LIST_TEMPLATES } from '../../packages/dotnet/src/sdk/sdk-info.js';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { finish, startMortise } from '../../packages/server/test/cli/run-mortise.js';
import { CAN_SEE_PROCESSES, processesOf, type SeenProcess } from '../support/processes.js';
import { waitFor } from '../support/wait-for.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import {
  type Called,
  CONSOLE,
  OWN_COMPILER,
  projectXml,
  type SdkServer,
  sdkEnvironment,
  startSdkServer,
} from './sdk-server.js';

/** The second project compiles, and then does not come to an end. */
const FILES = {
  'two.slnx': '<Solution><Project Path="quick/quick.csproj" /><Project Path="slow/slow.csproj" /></Solution>',
  'quick/quick.csproj': projectXml(),
  'quick/A.cs': 'public class A {}',
  'slow/slow.csproj': projectXml('', '<Target Name="Wait" AfterTargets="Build"><Exec Command="sleep 300" /></Target>'),
  'slow/B.cs': 'public class B {}',
  'start/start.csproj': projectXml(
    CONSOLE,
    '<Target Name="Wait" AfterTargets="CoreCompile"><Message Importance="high" Text="compiled" /><Exec Command="sleep 300" /></Target>',
  ),
  'start/P.cs': 'System.Console.WriteLine("started");',
};

const isOfBuild = ({ command }: SeenProcess) => /^(?:\S*\/)?(?:dotnet|VBCSCompiler|sleep|sh)\b/.test(command);
const isSlow = ({ command }: SeenProcess) => command.startsWith('sleep 300');
const isCompilerServer = ({ command }: SeenProcess) => command.includes('VBCSCompiler');
const isListing = ({ command }: SeenProcess) => command.endsWith(`dotnet ${LIST_TEMPLATES.join(' ')}`);
const list = { action: 'ListSessions' };
const statesOf = ({ data }: Called): string[] => data.operations.map(({ state }: { state: string }) => state);
const LIMIT_MS = 20_000;

describeWithSdk('the end of a build', () => {
  let server: SdkServer;
  beforeAll(async () => {
    // A start waits for its build, however busy the machine is.
    server = await startSdkServer(FILES, { Sessions: { StartWaitMs: 120_000 } }, OWN_COMPILER);
  });
  afterAll(() => server.close());

  /** Waits for the processes of a call that is under way. */
  const untilSeen = ({ workplace }: SdkServer, ...wanted: ((seen: SeenProcess) => boolean)[]) =>
    waitFor(
      () => {
        const seen = processesOf(workplace);
        return wanted.every((isWanted) => seen.some(isWanted));
      },
      { timeoutMs: 60_000 },
    );
  const expectNone = ({ workplace }: SdkServer) =>
    expect.poll(() => processesOf(workplace).filter(isOfBuild), { timeout: LIMIT_MS }).toEqual([]);

  it('by timeoutSeconds is OPERATION_TIMEOUT, with what was printed', async () => {
    const { text, data, isError } = await server.project('Build', { project: 'slow/slow.csproj', timeoutSeconds: 20 });
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      success: false,
      project: 'slow/slow.csproj',
      errors: [
        {
          code: 'OPERATION_TIMEOUT',
          category: 'Cancellation',
          message: expect.stringMatching(/^Build did not end within 2\d s$/),
          hint: expect.stringMatching(
            /^The process tree of the command was ended\. .*slow.* Give a longer timeoutSeconds, or raise the setting Dotnet\.TimeoutMs\.$/,
          ),
          rawOutput: expect.stringContaining('slow -> '),
          mcpErrorCode: -32603,
          data: { command: 'dotnet build slow/slow.csproj', exitCode: -1 },
        },
      ],
      exitCode: -1,
      lockInfo: { lockScope: 'project' },
    });
    expect(text).toMatch(/^Error: Build did not end within 2\d s\nCode: OPERATION_TIMEOUT\nHint: /);
    expect(text).toMatch(/Exit Code: -1$/);
    if (CAN_SEE_PROCESSES) await expectNone(server);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('by a cancel ends everything that it started, and frees the lock', async () => {
    const cancel = new AbortController();
    const build = server.project('Build', { project: 'two.slnx' }, { signal: cancel.signal });
    const outcome = build.catch((error: Error) => error.message);
    await untilSeen(server, isSlow, isCompilerServer);
    cancel.abort('enough');
    expect(await outcome).toContain('enough');
    await expectNone(server);
    // The client has no answer: what became of the build is here.
    const isOfTwo = ({ target }: { target: string }) => target.endsWith('/two.slnx');
    const listed = await waitFor(async () => {
      const answer = await server.project('ListSessions');
      return answer.data.operations.find(isOfTwo).state !== 'stopping' && answer;
    });
    expect(listed.data.operations.find(isOfTwo)).toMatchObject({
      ...{ tool: 'dotnet_project', action: 'Build', state: 'cancelled', endedAt: expect.any(String), processes: [] },
    });
    expect(listed.text).toMatch(/Build of .*\/two\.slnx: cancelled at .*; no process of it is running$/m);
    const edited = await server.project('SetProperty', {
      project: 'slow/slow.csproj',
      propertyName: 'Version',
      propertyValue: '2.0.0',
    });
    expect(edited).toMatchObject({ isError: false, text: expect.any(String) });
  });

  /** Cancels a call when it is under way: what the log then says of it, and what is kept. */
  async function cancelled(
    args: object,
    untilUnderWay: (connection: SdkConnection) => Promise<unknown>,
    env: Record<string, string> = {},
  ) {
    const connection = await connectSdk(server.workplace, { env });
    try {
      const cancel = new AbortController();
      const call = connection.client
        .callTool({ name: 'dotnet_project', arguments: { ...args } }, { signal: cancel.signal, timeout: 120_000 })
        .catch((error: Error) => error.message);
      await untilUnderWay(connection);
      cancel.abort('enough');
      expect(await call).toContain('enough');
      const lineOf = () => connection.errorOutput().match(/^\{.*"msg":"call cancelled"\}$/m)?.[0];
      await expect.poll(lineOf, { timeout: LIMIT_MS }).toBeDefined();
      const line = JSON.parse(lineOf()!);
      const { contents } = await connection.client.readResource({ uri: line.outcome });
      return { line, outcome: JSON.parse((contents[0] as { text: string }).text) };
    } finally {
      await connection.close();
    }
  }

  it.skipIf(!CAN_SEE_PROCESSES)('by a cancel is in the log and kept, with command, lock and output', async () => {
    const { line, outcome } = await cancelled(
      { action: 'Build', project: 'slow/slow.csproj', machineReadable: true },
      () => untilSeen(server, isSlow),
    );
    const lockInfo = { lockScope: 'project', lockKey: expect.stringContaining('slow.csproj') };
    const command = 'dotnet build slow/slow.csproj';
    expect(line).toMatchObject({ code: 'OPERATION_CANCELLED', command, lockInfo });
    expect(line.rawOutput).toContain('slow -> ');
    expect(outcome).toMatchObject({
      success: false,
      errors: [
        {
          code: 'OPERATION_CANCELLED',
          rawOutput: expect.stringContaining('slow -> '),
          data: { command, exitCode: -1 },
        },
      ],
      exitCode: -1,
    });
    // What the end itself caused is not an error of the build.
    expect(outcome.errors).toHaveLength(1);
    expect(outcome.errors[0].rawOutput).not.toContain('MSB3073');
  });

  it.skipIf(!CAN_SEE_PROCESSES)('of New comes also while its templates are read', async () => {
    const { line, outcome } = await cancelled(
      { action: 'New', template: 'console', output: 'made', machineReadable: true },
      () => untilSeen(server, isListing),
      { DOTNET_CLI_HOME: join(server.workplace.folder, 'home') },
    );
    const command = `dotnet ${LIST_TEMPLATES.join(' ')}`;
    expect(line).toMatchObject({ code: 'OPERATION_CANCELLED', command });
    expect(outcome.errors).toMatchObject([{ code: 'OPERATION_CANCELLED', data: { command } }]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('of a call that waits for a lock says that nothing was run', async () => {
    const cancel = new AbortController();
    const build = server.project('Build', { project: 'slow/slow.csproj' }, { signal: cancel.signal }).catch(() => {});
    await untilSeen(server, isSlow);
    const { outcome } = await cancelled(
      { action: 'Build', project: 'slow/slow.csproj', waitSeconds: 60, machineReadable: true },
      ({ call }) => expect.poll(async () => statesOf(await call('dotnet_project', list))).toContain('waiting'),
    );
    cancel.abort();
    await build;
    expect(outcome.errors).toMatchObject([
      { code: 'OPERATION_CANCELLED', hint: expect.stringMatching(/slow\.csproj; nothing was run\.$/), rawOutput: '' },
    ]);
    expect(outcome).not.toHaveProperty('lockInfo');
    await expectNone(server);
  });

  it.skipIf(!CAN_SEE_PROCESSES)(
    'by Stop of a program that still starts is a result with what it had done',
    async () => {
      const start = server.project('Run', {
        project: 'start/start.csproj',
        startMode: 'Background',
        timeoutSeconds: 60,
      });
      await untilSeen(server, isSlow);
      const { data: listed } = await server.project('ListSessions');
      const [{ sessionId }] = listed.sessions;
      expect((await server.project('Stop', { sessionId })).isError).toBe(false);
      const { data, isError } = await start;
      expect(isError).toBe(true);
      expect(data).toMatchObject({
        ...{ success: false, sessionId, status: 'stopped' },
        errors: [
          { code: 'OPERATION_CANCELLED', data: { command: 'dotnet run --project start/start.csproj', exitCode: -1 } },
        ],
        exitCode: -1,
        lockInfo: { lockScope: 'project' },
      });
      await expectNone(server);
    },
  );

  it.skipIf(!CAN_SEE_PROCESSES)('by Ctrl+C in mortise call keeps what the build had done', async () => {
    const { workplace } = server;
    const args = ['call', 'dotnet_project', '--config', workplace.config, '--machine-readable'];
    const build = startMortise({ ...workplace, env: sdkEnvironment(workplace, OWN_COMPILER) }, [
      ...args,
      '--json',
      JSON.stringify({ action: 'Build', project: 'slow/slow.csproj', workingDirectory: workplace.folder }),
    ]);
    const finished = finish(build);
    await untilSeen(server, isSlow);
    build.kill('SIGINT');
    const { code, stdout } = await finished;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      errors: [
        {
          code: 'OPERATION_CANCELLED',
          rawOutput: expect.stringContaining('slow -> '),
          data: { command: expect.stringContaining('dotnet build slow/slow.csproj') },
        },
      ],
      exitCode: -1,
    });
    await expectNone(server);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('leaves build servers for the next one, which end with the server', async () => {
    const built = await server.project('Build', { project: 'quick/quick.csproj', noIncremental: true });
    expect(built.text).toBe('Build succeeded.\n1 project, 0 warnings\nExit Code: 0');
    const [compiler] = processesOf(server.workplace).filter(isCompilerServer);
    expect(compiler).toBeDefined();
    await server.project('Build', { project: 'quick/quick.csproj', noIncremental: true });
    const after = processesOf(server.workplace).filter(isCompilerServer);
    expect(after.map(({ pid }) => pid)).toEqual([compiler!.pid]);
    await server.client.close();
    await expectNone(server);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('comes with the death of the server, however sudden', async () => {
    const doomed = await startSdkServer(FILES, {}, OWN_COMPILER);
    try {
      const outcome = doomed.project('Build', { project: 'two.slnx' }).catch(() => 'gone');
      await untilSeen(doomed, isSlow);
      process.kill((doomed.client.transport as StdioClientTransport).pid!, 'SIGKILL');
      expect(await outcome).toBe('gone');
      await expectNone(doomed);
    } finally {
      await doomed.close();
    }
  });
});
