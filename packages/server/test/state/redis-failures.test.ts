import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort, noRedis, startRedis } from '../../../../test/support/redis.js';
import { createWorkplace, ROOT } from '../../../../test/support/workplace.js';
import { versionProblem } from '../../src/state/redis/redis-problems.js';
import { openRedisStore, SILENT } from './state-stores.js';

const KEY = { group: 'task:1', name: 'task' };
const LONG = { ttlMs: 600_000, leaseMs: 600_000 };

/** A log that a test reads. */
function openLog() {
  const lines: string[] = [];
  const add = (message: string, fields?: object) => void lines.push(`${message} ${JSON.stringify(fields)}`);
  return { ...SILENT, info: add, error: add, lines };
}

/** docs/spec/shared.md#failures */
describe.skipIf(noRedis)('a store', () => {
  test('that is not there at the start is used as soon as it is there', async () => {
    const log = openLog();
    const port = await freePort();
    const store = await openRedisStore(`redis://127.0.0.1:${port}`, {}, log);
    expect(store.problem).toBe('it cannot be reached (ECONNREFUSED)');
    await expect(store.get(KEY)).rejects.toThrow();
    const heard: string[] = [];
    await store.subscribe('a', (message) => heard.push(message));
    await startRedis(['--port', `${port}`]);
    await expect.poll(() => store.problem).toBeUndefined();
    await expect
      .poll(async () => {
        await store.publish('a', 'hello');
        return heard[0];
      })
      .toBe('hello');
    expect(log.lines.filter((line) => line.startsWith('The shared state cannot be used'))).toHaveLength(1);
    expect(log.lines.at(-1)).toBe(`Connected to the shared state {"store":"127.0.0.1:${port}"}`);
  });

  test('that is restarted is used again, with its messages', async () => {
    const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always']);
    const log = openLog();
    const store = await openRedisStore(redis.url, {}, log);
    const heard: string[] = [];
    await store.subscribe('a', (message) => heard.push(message));
    await store.create(KEY, 'one', LONG);
    await redis.stop('SIGKILL');
    await expect(store.get(KEY)).rejects.toMatchObject({ name: 'StateUnavailableError' });
    expect(store.problem).toBeTypeOf('string');
    await redis.start();
    await expect.poll(() => store.problem).toBeUndefined();
    expect(await store.get(KEY)).toMatchObject({ value: 'one', isLeased: true });
    await expect
      .poll(async () => {
        await store.publish('a', 'again');
        return heard[0];
      })
      .toBe('again');
    expect(log.lines.at(-1)).toContain('The shared state can be used again');
  });

  test('that is out of memory refuses what is written, and serves what is read', async () => {
    const redis = await startRedis();
    const log = openLog();
    const store = await openRedisStore(redis.url, {}, log);
    await store.create(KEY, 'one', LONG);
    redis.command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(store.write(KEY, 1, 'two', LONG)).rejects.toThrow('it is out of memory');
    expect((await store.get(KEY))?.value).toBe('one');
    expect(store.problem).toBe('it is out of memory');
    redis.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await store.write(KEY, 1, 'three', LONG)).toMatchObject({ status: 'written' });
    expect(store.problem).toBeUndefined();
    expect(log.lines.filter((line) => line.startsWith('The shared state cannot'))).toHaveLength(1);
  });

  test('that evicts has forgotten entries, and is used nevertheless', async () => {
    const redis = await startRedis(['--maxmemory', '3mb', '--maxmemory-policy', 'allkeys-lru']);
    const store = await openRedisStore(redis.url);
    await store.create(KEY, 'one', LONG);
    const big = 'x'.repeat(100_000);
    await expect
      .poll(async () => {
        await store.create({ group: `task:${Math.random()}`, name: 'task' }, big, LONG);
        return store.get(KEY);
      })
      .toBeUndefined();
    expect(await store.write(KEY, 1, 'two', LONG)).toMatchObject({ status: 'missing' });
    expect(await store.create(KEY, 'two', LONG)).toBe(true);
    expect(store.problem).toBeUndefined();
  });

  test('that is read-only says so, until it can be written again', async () => {
    const [primary, redis] = [await startRedis(), await startRedis()];
    const store = await openRedisStore(redis.url);
    redis.command('REPLICAOF', '127.0.0.1', `${primary.port}`);
    await expect(store.create(KEY, 'one', LONG)).rejects.toThrow('it is read-only');
    redis.command('REPLICAOF', 'NO', 'ONE');
    expect(await store.create(KEY, 'one', LONG)).toBe(true);
    expect(store.problem).toBeUndefined();
  });

  test('that hangs has failed after two seconds, and is used again when it goes on', async () => {
    const redis = await startRedis();
    const store = await openRedisStore(redis.url);
    redis.signal('SIGSTOP');
    await expect(store.get(KEY)).rejects.toThrow('it did not answer within 2000 ms');
    redis.signal('SIGCONT');
    await expect.poll(() => store.get(KEY).catch(() => 'failed')).toBeUndefined();
    expect(store.problem).toBeUndefined();
  });

  test.each([
    ['no password', '', /State\.Redis\.Urls: .*: it requires a password/],
    ['a wrong password', ':wrong-password@', /State\.Redis\.Urls: .*: it refuses the user or the password/],
  ])('with %s is an error of the settings', async (_, user, message) => {
    const { port } = await startRedis([], { password: 'right-password' });
    const error = await openRedisStore(`redis://${user}127.0.0.1:${port}`).catch((problem: Error) => problem);
    expect(error).toMatchObject({ name: 'SettingsError', message: expect.stringMatching(message) });
    expect(String(error)).not.toContain('wrong-password');
    const store = await openRedisStore(`redis://:right-password@127.0.0.1:${port}`);
    expect(await store.create(KEY, 'one', LONG)).toBe(true);
  });

  test('needs the commands that docs/scaling.md lists, and no others', async () => {
    const page = readFileSync(join(ROOT, 'docs/scaling.md'), 'utf8');
    const [, list] = /needs these commands,[^:]*:([^.]*)\./.exec(page)!;
    const commands = list!.match(/[A-Z]+/g)!.map((command) => `+${command.toLowerCase()}`);
    expect(commands.length).toBeGreaterThan(15);
    const { port, command } = await startRedis();
    command('ACL', 'SETUSER', 'mortise', 'on', '>secret-of-mortise', '~test:*', '&test:*', ...commands);
    const log = openLog();
    const store = await openRedisStore(`redis://mortise:secret-of-mortise@127.0.0.1:${port}`, {}, log);
    const heard: string[] = [];
    await store.subscribe('a', (message) => heard.push(message));
    await store.publish('a', 'hello');
    await store.create(KEY, 'one', { ttlMs: 600_000, leaseMs: 1 });
    await store.write(KEY, 1, 'two', { ttlMs: 600_000, leaseMs: 1 });
    await expect.poll(() => store.takeOver(KEY, 1, 'three', { ttlMs: 600_000, doubtMs: 0 })).toBe(true);
    expect((await store.get(KEY))?.value).toBe('three');
    const other = { group: 'a', name: 'b' };
    for (const id of ['x', 'y']) await store.put({ ...other, name: 'd' }, id, 'v', { ttlMs: 600_000, maxChars: 1 });
    expect(await store.find({ ...other, name: 'd' }, 'y')).toBe('v');
    const inbox = { ...KEY, name: 'inbox' };
    await store.append(inbox, 'one', { ttlMs: 600_000, announce: { channel: 'a', message: 'hello' } });
    expect((await store.write(KEY, 2, 'four', { ttlMs: 600_000, inbox })).messages).toEqual(['one']);
    expect(await store.take(other, { size: 1, perSecond: 1 })).toBe(0);
    expect(await store.join({ ...other, name: 'c' }, 'x', 600_000)).toEqual(['x']);
    expect(await store.members({ ...other, name: 'c' })).toEqual(['x']);
    await store.leave({ ...other, name: 'c' }, 'x');
    await expect.poll(() => heard).toEqual(['hello', 'hello']);
    expect(log.lines.filter((line) => line.startsWith('The shared state cannot'))).toEqual([]);
  });

  test('whose password is changed while it is used says so', async () => {
    const redis = await startRedis([], { password: 'right-password' });
    const store = await openRedisStore(redis.url);
    redis.command('CONFIG', 'SET', 'requirepass', 'new-password');
    execFileSync('redis-cli', ['-p', `${redis.port}`, '-a', 'new-password', 'CLIENT', 'KILL', 'TYPE', 'normal'], {
      stdio: 'ignore',
    });
    await expect.poll(() => store.problem).toBe('it refuses the user or the password');
  });
});

describe.skipIf(noRedis)('a store with TLS', () => {
  let tlsPort: number;
  let folder: string;

  async function startTls(): Promise<void> {
    folder = createWorkplace().folder;
    tlsPort = await freePort();
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    for (const name of ['store', 'other']) {
      openssl(
        ...request,
        '-subj',
        `/CN=${name}`,
        '-addext',
        'subjectAltName=IP:127.0.0.1',
        '-keyout',
        `${name}.key`,
        '-out',
        `${name}.pem`,
      );
    }
    await startRedis([
      ...['--tls-port', `${tlsPort}`, '--tls-cert-file', join(folder, 'store.pem')],
      ...['--tls-key-file', join(folder, 'store.key'), '--tls-auth-clients', 'no'],
    ]);
  }

  test('is used if its certificate fits, and is an error of the settings if not', async () => {
    await startTls();
    const url = `redis://127.0.0.1:${tlsPort}`;
    const CaFile = join(folder, 'store.pem');
    const store = await openRedisStore(url, { Tls: true, CaFile });
    expect(await store.create(KEY, 'one', LONG)).toBe(true);
    const secure = await openRedisStore(url.replace('redis:', 'rediss:'), { CaFile });
    expect((await secure.get(KEY))?.value).toBe('one');

    const opening = (settings: object, at = url) => openRedisStore(at, { Tls: true, ...settings });
    await expect(opening({ CaFile: join(folder, 'other.pem') })).rejects.toThrow(
      /State\.Redis\.CaFile: .* not known here/,
    );
    await expect(opening({})).rejects.toThrow(/State\.Redis\.CaFile/);
    await expect(opening({ CaFile }, `redis://localhost:${tlsPort}`)).rejects.toThrow(
      /certificate is for another host/,
    );
    await expect(opening({ CaFile: join(folder, 'missing.pem') })).rejects.toThrow(/State\.Redis\.CaFile/);
  });
});

test.each([
  ['redis_version:6.2.14', 'its version is 6.2.14'],
  ['# Server\r\nredis_version:5.0.3\r\n', 'its version is 5.0.3'],
  ['nothing', 'its version is unknown'],
])('a store of another major version is an error of the settings: %s', (info, message) => {
  expect(versionProblem(info)?.message).toContain(message);
});

test.each(['redis_version:7.0.15', 'redis_version:8.2.0', 'redis_version:7.2.4\r\nserver_name:valkey'])(
  'a store of this version is used: %s',
  (info) => {
    expect(versionProblem(info)).toBeUndefined();
  },
);
