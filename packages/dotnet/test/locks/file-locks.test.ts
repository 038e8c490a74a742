import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStartTime } from '@mortise/process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileLocks } from '../../src/locks/file-locks.js';
import type { LockRequest, Locks } from '../../src/locks/lock.js';
import { lockTargetFor } from '../../src/locks/lock-target.js';

let temp: string;
let folder: string;
let locks: Locks;

beforeEach(() => {
  temp = realpathSync(mkdtempSync(join(tmpdir(), 'locks-')));
  folder = join(temp, 'locks');
  for (const name of ['app', 'lib']) mkdirSync(join(temp, name));
  writeFileSync(join(temp, 'All.slnx'), '<Solution><Project Path="app/App.csproj" /></Solution>');
  locks = new FileLocks({ folder });
});

afterEach(async () => {
  await locks.close();
  expect(locksLeft()).toEqual([]);
  rmSync(temp, { recursive: true, force: true });
});

function locksLeft(): string[] {
  return readdirSync(temp).includes('locks') ? readdirSync(folder) : [];
}

function request(paths: string | string[], more: Partial<LockRequest> = {}): LockRequest {
  const targets = [paths].flat().map((path) => lockTargetFor(path, temp));
  return { targets, operation: 'build', waitMs: 0, signal: new AbortController().signal, ...more };
}

/** The lock, which must be had. */
async function acquire(paths: string | string[], more: Partial<LockRequest> = {}, from = locks) {
  const answer = await from.acquire(request(paths, more));
  if (!('acquired' in answer)) throw new Error(`refused: ${answer.refused.conflictingOperation}`);
  return answer.acquired;
}

async function isRefused(paths: string | string[]): Promise<boolean> {
  const answer = await locks.acquire(request(paths));
  if ('acquired' in answer) await answer.acquired.release();
  return 'refused' in answer;
}

/** What a process that has ended left: a pid that is free, or another's by now. */
function lockOf(pid: number, start: string, host = hostname()) {
  const path = join(temp, 'app', 'App.csproj');
  return {
    id: 'left',
    owner: { pid, start, host, id: 'gone' },
    operation: 'publish',
    at: '2026-04-11T05:30:00.000Z',
    targets: [{ scope: 'project', path }],
  };
}

function writeEntry(name: string, entry: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(entry));
}

function freePid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('a lock', () => {
  it('is told with its scope and key, and is free again after its release', async () => {
    const lock = await acquire('app/App.csproj');
    expect(lock.lockInfo).toEqual({ lockScope: 'project', lockKey: join(temp, 'app', 'App.csproj') });
    await lock.release();
    await lock.release();
    expect(await isRefused('app/App.csproj')).toBe(false);
  });

  it('is one complete file, which names its owner', async () => {
    const lock = await acquire('app/App.csproj', { callId: 'call-7' });
    const [name, ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, name!), 'utf8'))).toMatchObject({
      owner: { pid: process.pid, start: processStartTime(process.pid), host: hostname() },
      operation: 'build',
      callId: 'call-7',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      targets: [lock.lockInfo].map(({ lockScope, lockKey }) => ({ scope: lockScope, path: lockKey })),
    });
    await lock.release();
  });

  it('that is held refuses others, and says who holds it', async () => {
    const lock = await acquire('app/App.csproj', { operation: 'test' });
    const answer = await locks.acquire(request('app/App.csproj'));
    const key = join(temp, 'app', 'App.csproj');
    expect(answer).toEqual({
      refused: {
        lockInfo: { lockScope: 'project', lockKey: key, lockContended: true, lockWaitedMs: expect.any(Number) },
        conflictingOperation: expect.stringMatching(
          /^test on .*App\.csproj \(started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)$/,
        ),
        ownerPid: process.pid,
        ownerHost: hostname(),
      },
    });
    await lock.release();
  });

  it('holds between two servers, which see each other through the folder alone', async () => {
    const other = new FileLocks({ folder });
    const lock = await acquire('app/App.csproj', {}, other);
    expect(await isRefused('app/App.csproj')).toBe(true);
    await lock.release();
    expect(await isRefused('app/App.csproj')).toBe(false);
  });

  it('of several targets is all of them or none', async () => {
    const lock = await acquire('lib/Lib.csproj');
    expect(await isRefused(['app/App.csproj', 'lib/Lib.csproj'])).toBe(true);
    expect(await isRefused('app/App.csproj')).toBe(false);
    await lock.release();
    const both = await acquire(['app/App.csproj', 'lib/Lib.csproj', 'app']);
    expect(await isRefused('lib/Lib.csproj')).toBe(true);
    expect(await isRefused('app')).toBe(true);
    await both.release();
  });

  it('cannot be had where the folder for locks cannot be made', async () => {
    const broken = new FileLocks({ folder: join(temp, 'All.slnx', 'locks') });
    await expect(broken.acquire(request('app'))).rejects.toThrow(/ENOTDIR|EEXIST/);
  });
});

describe('what conflicts', () => {
  it.each([
    ['a file, with itself under another name', 'app/App.csproj', 'link/../app/App.csproj', true],
    ['a file, through a symlink', 'app/App.csproj', 'link/App.csproj', true],
    ['a folder, with a project directly in it', 'app', 'app/App.csproj', true],
    ['a project, with the folder that it is in', 'app/App.csproj', 'app', true],
    ['a folder, with a solution directly in it', '.', 'All.slnx', true],
    ['a folder, with a file-based app directly in it', 'app', 'app/tool.cs', true],
    ['a solution, with a project that it lists', 'All.slnx', 'app/App.csproj', true],
    ['a project, with a solution that lists it', 'app/App.csproj', 'All.slnx', true],
    ['a solution, with a project that it does not list', 'All.slnx', 'lib/Lib.csproj', false],
    ['a folder, with a project that its solution lists', '.', 'app/App.csproj', true],
    ['a folder, with a project that its solution does not list', '.', 'lib/Lib.csproj', false],
    ['a folder, with a folder in it', '.', 'app', false],
    ['two projects', 'app/App.csproj', 'lib/Lib.csproj', false],
  ])('%s', async (_case, first, second, isExpected) => {
    symlinkSync(join(temp, 'app'), join(temp, 'link'));
    const lock = await acquire(first);
    expect(await isRefused(second)).toBe(isExpected);
    await lock.release();
  });

  it('machine-wide operations, by their word', async () => {
    const templates: LockRequest = { ...request([]), targets: [{ scope: 'global', path: 'templates' }] };
    const answer = await locks.acquire(templates);
    expect(await locks.acquire(templates)).toHaveProperty('refused.lockInfo.lockScope', 'global');
    expect(await isRefused('app')).toBe(false);
    if ('acquired' in answer) await answer.acquired.release();
  });
});

describe('who waits', () => {
  it('gets the lock when it is released, and says how long that was', async () => {
    const lock = await acquire('app/App.csproj');
    const waiting = acquire('app/App.csproj', { waitMs: 30_000 });
    setTimeout(() => void lock.release(), 60);
    const next = await waiting;
    expect(next.lockInfo.lockWaitedMs).toBeGreaterThanOrEqual(50);
    await next.release();
  });

  it('is refused when its time is over', async () => {
    const lock = await acquire('app/App.csproj');
    const answer = await locks.acquire(request('app/App.csproj', { waitMs: 80 }));
    expect(answer).toHaveProperty('refused.lockInfo.lockContended', true);
    if ('refused' in answer) expect(answer.refused.lockInfo.lockWaitedMs).toBeGreaterThanOrEqual(80);
    await lock.release();
  });

  it('is served first come, first served within one server', async () => {
    const order: number[] = [];
    const lock = await acquire('app/App.csproj');
    const waiting = [0, 1, 2, 3, 4, 5].map(async (place) => {
      const next = await acquire(place % 3 === 0 ? 'app' : 'app/App.csproj', { waitMs: 30_000 });
      order.push(place);
      await next.release();
    });
    await lock.release();
    await Promise.all(waiting);
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('gets the lock of another server when that releases it', async () => {
    const other = new FileLocks({ folder });
    const lock = await acquire('app/App.csproj', {}, other);
    const waiting = acquire('app', { waitMs: 30_000 });
    setTimeout(() => void lock.release(), 60);
    expect((await waiting).lockInfo.lockWaitedMs).toBeGreaterThanOrEqual(50);
    await (await waiting).release();
  });

  it('does not wait for those behind it, nor for what is not a conflict', async () => {
    const lock = await acquire('app/App.csproj');
    const waiting = acquire('app', { waitMs: 30_000 });
    expect(await isRefused('lib')).toBe(false);
    await lock.release();
    await (await waiting).release();
  });

  it('and is cancelled waits no more, and nobody waits for it', async () => {
    const lock = await acquire('app/App.csproj');
    const cancelling = new AbortController();
    const waiting = locks.acquire(request('app', { waitMs: 30_000, signal: cancelling.signal }));
    const isBehind = isRefused('app');
    expect(await isBehind).toBe(true);
    cancelling.abort(new Error('cancelled by the test'));
    await expect(waiting).rejects.toThrow('cancelled by the test');
    await lock.release();
    expect(await isRefused('app')).toBe(false);
  });

  it('has no patience, but what is in its way was cancelled: it waits for that to be gone, and for nothing else', async () => {
    const cancelling = new AbortController();
    const first = await acquire('app/App.csproj', { signal: cancelling.signal });
    expect(await isRefused('app/App.csproj')).toBe(true);
    cancelling.abort();
    const second = locks.acquire(request('app/App.csproj'));
    const third = locks.acquire(request('app/App.csproj'));
    setTimeout(() => void first.release(), 60);
    const answer = await second;
    if (!('acquired' in answer)) throw new Error('refused');
    expect(answer.acquired.lockInfo.lockWaitedMs).toBeGreaterThanOrEqual(50);
    expect(await third).toMatchObject({ refused: { lockInfo: { lockContended: true } } });
    await answer.acquired.release();
  });

  it('asks with a signal that has fired: nothing is locked', async () => {
    const aborted = locks.acquire(request('app', { signal: AbortSignal.abort(new Error('before')) }));
    await expect(aborted).rejects.toThrow('before');
    expect(await isRefused('app')).toBe(false);
  });

  it('for two locks each, in opposite orders, comes to an end', async () => {
    const both = ['app/App.csproj', 'lib/Lib.csproj'];
    const other = new FileLocks({ folder });
    const rounds = [locks, other].map(async (server, at) => {
      for (let i = 0; i < 20; i++) {
        const lock = await acquire(at === 0 ? both : [...both].reverse(), { waitMs: 30_000 }, server);
        await lock.release();
      }
    });
    await Promise.all(rounds);
  });

  it('is told when the server ends', async () => {
    const lock = await acquire('app');
    const waiting = locks.acquire(request('app', { waitMs: 30_000 }));
    const isRejected = expect(waiting).rejects.toThrow('shutting down');
    await locks.close();
    await isRejected;
    await lock.release();
  });
});

describe('what a server that ended left', () => {
  it('is taken over when its pid is free', async () => {
    writeEntry('left.lock', lockOf(freePid(), 'x'));
    expect(await isRefused('app/App.csproj')).toBe(false);
  });

  it('is taken over when another process has its pid by now', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const start = processStartTime(other.pid!)!;
    writeEntry('left.lock', lockOf(other.pid!, start));
    expect(await isRefused('app/App.csproj')).toBe(true);
    writeEntry(
      'left.lock',
      lockOf(
        other.pid!,
        start.replace(/\d+$/, (ticks) => String(Number(ticks) - 1)),
      ),
    );
    expect(await isRefused('app/App.csproj')).toBe(false);
    other.kill('SIGKILL');
    await once(other, 'exit');
  });

  it('is never judged when another machine wrote it', async () => {
    writeEntry('left.lock', lockOf(freePid(), 'x', 'another-machine'));
    const answer = await locks.acquire(request('app'));
    expect(answer).toHaveProperty('refused.ownerHost', 'another-machine');
    expect(answer).toHaveProperty(
      'refused.conflictingOperation',
      `publish on ${join(temp, 'app', 'App.csproj')} (started at 2026-04-11 05:30:00)`,
    );
    rmSync(join(folder, 'left.lock'));
  });

  it('holds no one up where an earlier version of the server left it', async () => {
    const ended = { owner: { pid: freePid(), start: 'x', host: hostname(), id: 'gone' } };
    for (const name of ['gate', 'gate.gone', 'left.ticket']) writeEntry(name, ended);
    await (await acquire('app')).release();
    expect(locksLeft()).toEqual([]);
  });

  it('is gone when the next one ends, whatever it is', async () => {
    writeEntry('left.lock', lockOf(freePid(), 'x'));
    writeFileSync(join(folder, 'half.lock'), '{"owner":{"pi');
    await locks.close();
    expect(locksLeft()).toEqual([]);
  });
});
