import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { waitFor } from '../support/wait-for.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, type SdkConnection } from './connect-sdk.js';
import { CONSOLE, projectXml } from './sdk-server.js';

/** A build that has begun says so, and continues when it may. */
const WAIT = `import { existsSync, writeFileSync } from 'node:fs';
writeFileSync('started', '');
const giveUp = setTimeout(() => process.exit(1), 60_000);
const look = setInterval(() => {
  if (!existsSync('go')) return;
  clearInterval(look);
  clearTimeout(giveUp);
}, 20);
`;

const TARGET = `<Target Name="Wait" BeforeTargets="CoreCompile" Condition="Exists('$(MSBuildProjectDirectory)/slow')">
    <Exec Command="&quot;${process.execPath}&quot; wait.mjs" WorkingDirectory="$(MSBuildProjectDirectory)" />
  </Target>`;

const DEADLINE_MS = 60_000;

describeWithSdk('two servers on one repository', () => {
  const project = 'app/App.csproj';
  let workplace: Workplace;
  let one: SdkConnection;
  let two: SdkConnection;

  const path = (name: string) => join(workplace.folder, name);
  const env = () => ({ XDG_RUNTIME_DIR: path('runtime') });
  const locksLeft = () => readdirSync(path('runtime/mortise/locks')).filter((name) => !name.endsWith('.draft'));
  const build = (server: SdkConnection, args: object = {}) =>
    server.call('dotnet_project', { action: 'Build', project, ...args });

  beforeAll(async () => {
    workplace = makeWorkplace(
      {
        'app/App.csproj': projectXml(CONSOLE, TARGET),
        'app/Program.cs': 'Console.WriteLine();',
        'app/wait.mjs': WAIT,
        'All.slnx': '<Solution><Project Path="app/App.csproj" /></Solution>',
      },
      { Dotnet: { Enabled: true } },
    );
    mkdirSync(path('runtime'));
    [one, two] = await Promise.all([connectSdk(workplace, { env: env() }), connectSdk(workplace, { env: env() })]);
    expect((await build(one)).isError).toBe(false);
  }, 120_000);
  afterAll(async () => {
    await Promise.all([one?.close(), two?.close()]);
    removeWorkplace(workplace);
  });
  beforeEach(() => {
    for (const name of ['started', 'go', 'slow']) rmSync(path(`app/${name}`), { force: true });
  });

  /** A build of the first server that holds its lock until `finish`. */
  async function slowBuild(server: SdkConnection) {
    workplace.write('app/slow', '');
    workplace.write('app/Program.cs', `Console.WriteLine(${Math.random()});`);
    const done = build(server, { noRestore: true });
    await waitFor(() => existsSync(path('app/started')), { timeoutMs: DEADLINE_MS });
    const finish = () => {
      workplace.write('app/go', '');
      return done;
    };
    return { done, finish };
  }

  it('refuses the second build at once with waitSeconds 0, and says who builds', async () => {
    const first = await slowBuild(one);
    const lockKey = path(project);
    const lockInfo = { lockScope: 'project', lockKey, lockContended: true, lockWaitedMs: 0 };

    const { isError, data, text } = await build(two, { waitSeconds: 0 });
    expect(isError).toBe(true);
    const started = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;
    const message = new RegExp(
      String.raw`^Cannot execute 'build' on 'app/App\.csproj' because a conflicting operation is already in progress: build on .*/app/App\.csproj \(started at ${started}\)$`,
    );
    expect(data).toEqual({
      success: false,
      errorCount: 0,
      warningCount: 0,
      summary: '',
      errors: [
        {
          code: 'CONCURRENCY_CONFLICT',
          message: expect.stringMatching(message),
          category: 'Concurrency',
          hint: 'Wait for the conflicting operation to complete, or cancel it before retrying this operation.',
          rawOutput: '',
          mcpErrorCode: -32603,
          data: {
            exitCode: -1,
            additionalData: {
              operationType: 'build',
              target: project,
              conflictingOperation: expect.stringContaining(`build on ${lockKey} (started at `),
              ownerPid: expect.any(String),
              ownerHost: hostname(),
            },
          },
        },
      ],
      exitCode: -1,
      lockInfo,
      metadata: { callId: expect.any(String) },
    });
    expect(Object.keys(data)).toEqual([
      'success',
      'errorCount',
      'warningCount',
      'summary',
      'errors',
      'exitCode',
      'metadata',
      'lockInfo',
    ]);
    expect(text).toBe(
      [
        `Error: ${data.errors[0].message}`,
        'Code: CONCURRENCY_CONFLICT',
        `Hint: ${data.errors[0].hint}`,
        'Exit Code: -1',
      ].join('\n'),
    );
    const ownerPid = Number(data.errors[0].data.additionalData.ownerPid);
    expect(() => process.kill(ownerPid, 0)).not.toThrow();

    for (const [tool, args, scope] of [
      ['dotnet_project', { action: 'Build', project: 'All.slnx' }, 'solution'],
      ['dotnet_project', { action: 'Clean', workingDirectory: path('app') }, 'workingDirectory'],
      ['dotnet_package', { action: 'Add', packageId: 'Some.Package', project }, 'project'],
      ['dotnet_package', { action: 'RemoveReference', referencePath: 'x/X.csproj', project }, 'project'],
      ['dotnet_ef', { action: 'MigrationsAdd', name: 'First', project }, 'project'],
      ['dotnet_dev_certs', { action: 'SecretsInit', project }, 'project'],
      ['dotnet_solution', { action: 'Add', solution: 'All.slnx', projects: [project] }, 'solution'],
    ] as const) {
      const refused = await two.call(tool, { ...args, waitSeconds: 0 });
      expect(refused.data.errors[0].code, JSON.stringify(args)).toBe('CONCURRENCY_CONFLICT');
      expect(refused.data.lockInfo).toMatchObject({ lockScope: scope, lockContended: true });
    }
    const finished = await first.finish();
    expect(finished.isError).toBe(false);
    expect(finished.data.lockInfo).toEqual({ lockScope: 'project', lockKey });
    expect((await build(two, { noRestore: true })).isError).toBe(false);
    expect(locksLeft()).toEqual([]);
  });

  it('waits for its turn, and says how long', async () => {
    const first = await slowBuild(one);
    const second = build(two, { noRestore: true, waitSeconds: DEADLINE_MS / 1000 });
    // It does not end before the first one does.
    expect(await Promise.race([second, delay(300, 'waiting')])).toBe('waiting');
    expect((await first.finish()).data.lockInfo.lockWaitedMs).toBeUndefined();
    const { isError, data } = await second;
    expect(isError).toBe(false);
    expect(data.lockInfo).toEqual({ lockScope: 'project', lockKey: path(project), lockWaitedMs: expect.any(Number) });
    expect(data.lockInfo.lockWaitedMs).toBeGreaterThanOrEqual(300);
    expect(locksLeft()).toEqual([]);
  });

  it('waits for five seconds, as long as Concurrency.WaitMs or waitSeconds says, or as long as the call may take', async () => {
    const settings = { Dotnet: { Enabled: true }, Concurrency: { WaitMs: 700 } };
    const hasty = await connectSdk(workplace, { settings, env: env() });
    const first = await slowBuild(one);
    const calls = [
      [hasty, {}, 700],
      [hasty, { waitSeconds: 2 }, 2000],
      [hasty, { timeoutSeconds: 1, waitSeconds: 60 }, 900],
      [two, {}, 5000],
      [two, { waitSeconds: 1 }, 1000],
    ] as const;
    const refused = await Promise.all(calls.map(([server, args]) => build(server, args)));
    for (const [at, { data }] of refused.entries()) {
      const [, args, waitMs] = calls[at]!;
      expect(data.errors[0].code, JSON.stringify(args)).toBe('CONCURRENCY_CONFLICT');
      expect(data.lockInfo.lockWaitedMs, JSON.stringify(args)).toBeGreaterThanOrEqual(waitMs);
    }
    await first.finish();
    await hasty.close();
    expect(locksLeft()).toEqual([]);
  });

  it('shows what is in progress, here and in other servers', async () => {
    const list = (server: SdkConnection) => server.call('dotnet_project', { action: 'ListSessions' });
    expect(await list(two)).toMatchObject({
      text: expect.stringMatching(/^No sessions, and no operations in progress\nExit Code: 0$/),
      data: { sessions: [], operations: [] },
    });
    const first = await slowBuild(one);
    const second = build(one, { noRestore: true, waitSeconds: DEADLINE_MS / 1000 });
    const startedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    const own = { tool: 'dotnet_project', action: 'Build', target: path(project), startedAt };
    const here = await waitFor(async () => {
      const answer = await list(one);
      return answer.text.includes('waiting for a lock') && answer;
    });
    expect(here.data.operations).toMatchObject([
      { ...own, state: 'running' },
      { ...own, state: 'waiting' },
    ]);
    expect(here.text).toMatch(
      /^dotnet_project Build of .*App\.csproj: running since .*\(.*\)\ndotnet_project Build of .*App\.csproj: waiting for a lock since /,
    );
    if (process.platform === 'linux')
      expect(here.data.operations[0].processes.map(({ name }: { name: string }) => name)).toContain('dotnet');
    const there = await list(two);
    expect(there.data.operations).toEqual([
      {
        operation: 'build',
        target: path(project),
        state: 'running',
        startedAt,
        ownerPid: one.pid,
        ownerHost: hostname(),
      },
    ]);
    expect(there.text).toMatch(/^build of .*App\.csproj by another server \(process \d+ on .*\): running since /);
    await first.finish();
    expect((await second).isError).toBe(false);
    expect((await list(one)).data.operations).toEqual([]);
  });

  it('continues after the server that builds was killed, and leaves no lock', async () => {
    const victim = await connectSdk(workplace, { env: env() });
    const { done } = await slowBuild(victim);
    const ended = done.catch((error: unknown) => error);
    expect(locksLeft()).toHaveLength(1);
    process.kill(victim.pid, 'SIGKILL');
    expect(await ended).toBeInstanceOf(Error);
    workplace.write('app/go', '');
    const next = await build(two, { noRestore: true, waitSeconds: DEADLINE_MS / 1000 });
    expect(next.isError).toBe(false);
    expect(next.data.lockInfo).toMatchObject({ lockScope: 'project', lockKey: path(project) });
    expect(locksLeft()).toEqual([]);
    await victim.close().catch(() => {});
  });
});
