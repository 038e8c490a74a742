import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { finish, startMortise } from '../../packages/server/test/cli/run-mortise.js';
import { CAN_SEE_PROCESSES, processesOf, type SeenProcess, untilProcesses } from '../support/processes.js';
import { projectXml, type SdkServer, sdkEnvironment, startSdkServer } from './sdk-server.js';

/** The second project compiles, and then does not come to an end. */
const FILES = {
  'two.slnx': '<Solution><Project Path="quick/quick.csproj" /><Project Path="slow/slow.csproj" /></Solution>',
  'quick/quick.csproj': projectXml(),
  'quick/A.cs': 'public class A {}',
  'slow/slow.csproj': projectXml('', '<Target Name="Wait" AfterTargets="Build"><Exec Command="sleep 300" /></Target>'),
  'slow/B.cs': 'public class B {}',
};

const isOfBuild = ({ command }: SeenProcess) => /^(?:\S*\/)?(?:dotnet|VBCSCompiler|sleep|sh)\b/.test(command);
const isSlow = ({ command }: SeenProcess) => command.startsWith('sleep 300');
const isCompilerServer = ({ command }: SeenProcess) => command.includes('VBCSCompiler');
const LIMIT_MS = 20_000;

describeWithSdk('the end of a build', () => {
  let server: SdkServer;
  beforeAll(async () => {
    server = await startSdkServer(FILES);
  });
  afterAll(() => server.close());

  const untilSlow = ({ workplace }: SdkServer) => untilProcesses(workplace, (seen) => seen.some(isSlow), 60_000);
  const untilNone = async ({ workplace }: SdkServer) =>
    (await untilProcesses(workplace, (seen) => !seen.some(isOfBuild), LIMIT_MS)).filter(isOfBuild);

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
            /^Its process tree was ended\. .*slow.* Give a longer timeoutSeconds, or raise the setting Dotnet\.TimeoutMs\.$/,
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
    if (CAN_SEE_PROCESSES) expect(await untilNone(server)).toEqual([]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('by a cancel ends everything that it started, and frees the lock', async () => {
    const cancel = new AbortController();
    const build = server.project('Build', { project: 'two.slnx' }, { signal: cancel.signal });
    const outcome = build.catch((error: Error) => error.message);
    const isUnderWay = (seen: SeenProcess[]) => seen.some(isSlow) && seen.some(isCompilerServer);
    expect(isUnderWay(await untilProcesses(server.workplace, isUnderWay, 60_000))).toBe(true);
    cancel.abort('enough');
    expect(await outcome).toContain('enough');
    expect(await untilNone(server)).toEqual([]);
    // The client has no answer: what became of the build is here.
    const isOfTwo = ({ target }: { target: string }) => target.endsWith('/two.slnx');
    let listed = await server.project('ListSessions');
    while (listed.data.operations.find(isOfTwo).state === 'ending') listed = await server.project('ListSessions');
    expect(listed.data.operations.find(isOfTwo)).toMatchObject({
      ...{ tool: 'dotnet_project', action: 'Build', state: 'cancelled', endedAt: expect.any(String), processes: [] },
    });
    expect(listed.text).toMatch(/Build of .*\/two\.slnx: cancelled at .*; nothing of it is left$/m);
    const edited = await server.project('SetProperty', {
      project: 'slow/slow.csproj',
      propertyName: 'Version',
      propertyValue: '2.0.0',
    });
    expect(edited).toMatchObject({ isError: false, text: expect.any(String) });
  });

  it.skipIf(!CAN_SEE_PROCESSES)('by Ctrl+C in mortise call keeps what the build had done', async () => {
    const { workplace } = server;
    const args = ['call', 'dotnet_project', '--config', workplace.config, '--machine-readable'];
    const build = startMortise({ ...workplace, env: sdkEnvironment(workplace) }, [
      ...args,
      '--json',
      JSON.stringify({ action: 'Build', project: 'slow/slow.csproj', workingDirectory: workplace.folder }),
    ]);
    const finished = finish(build);
    expect((await untilSlow(server)).some(isSlow)).toBe(true);
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
      lockInfo: { lockScope: 'project' },
    });
    expect(await untilNone(server)).toEqual([]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('leaves build servers for the next one, which end with the server', async () => {
    const built = await server.project('Build', { project: 'quick/quick.csproj', noIncremental: true });
    expect(built.text).toBe('Build succeeded\nExit Code: 0');
    const [compiler] = processesOf(server.workplace).filter(isCompilerServer);
    expect(compiler).toBeDefined();
    await server.project('Build', { project: 'quick/quick.csproj', noIncremental: true });
    const after = processesOf(server.workplace).filter(isCompilerServer);
    expect(after.map(({ pid }) => pid)).toEqual([compiler!.pid]);
    await server.client.close();
    expect(await untilNone(server)).toEqual([]);
  });

  it.skipIf(!CAN_SEE_PROCESSES)('comes with the death of the server, however sudden', async () => {
    const doomed = await startSdkServer(FILES);
    try {
      const outcome = doomed.project('Build', { project: 'two.slnx' }).catch(() => 'gone');
      expect((await untilSlow(doomed)).some(isSlow)).toBe(true);
      process.kill((doomed.client.transport as StdioClientTransport).pid!, 'SIGKILL');
      expect(await outcome).toBe('gone');
      expect(await untilNone(doomed)).toEqual([]);
    } finally {
      await doomed.close();
    }
  });
});
