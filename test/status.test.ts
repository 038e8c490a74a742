import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { version } from '../packages/server/src/util/version.js';
import { runMortise } from '../packages/server/test/cli/run-mortise.js';
import { ask, KEYS, session } from './access/three-keys.js';
import { shared, startHttp } from './support/clients.js';
import { freePort, noRedis, startRedis } from './support/redis.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace } from './support/workplace.js';
import { PLUGIN, WITH_TASKS } from './task-server.js';

const SETTINGS = { Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false } };
const Keys = [
  { Name: 'ops', Key: KEYS.operator, Scopes: ['mortise:read', 'mortise:operate'] },
  { Name: 'seen', Key: KEYS.viewer, Scopes: ['mortise:operate'], Profile: 'readOnly' },
  { Name: 'ann', Key: KEYS.open },
];

const status = (url: string, MORTISE_KEY?: string, ...more: string[]) =>
  runMortise(createWorkplace(), ['status', '--url', url, ...more], { env: MORTISE_KEY ? { MORTISE_KEY } : {} });

async function otherServer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** docs/spec/access.md#status */
describe('mortise status', () => {
  const served = shared(async (finished) => {
    const workplace = createWorkplace(
      { 'plugins/p.mjs': PLUGIN },
      { ...SETTINGS, Tasks: { AfterMs: 1 }, Auth: { Keys }, Audit: { File: 'audit.jsonl' } },
      finished,
    );
    const server = await startHttp(workplace, [], finished);
    await waitFor(async () => (await fetch(new URL('/readyz', server.url))).ok);
    return { ...server, workplace };
  });

  it('shows a caller without a key the state alone', async () => {
    const { url } = served();
    const { code, stdout } = await status(url);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /^State {5}ready\n→ Set MORTISE_KEY to a key with the scope mortise:operate to see [^\n]*\n$/,
      ),
    ]);
    expect(JSON.parse((await status(url, undefined, '--json')).stdout)).toEqual({ state: 'ready' });
    expect((await fetch(new URL('/status', url))).status).toBe(401);
  });

  it('shows an operator version, tasks, sessions and calls, also at the URL of a profile', async () => {
    const { url, workplace } = served();
    await session(url, KEYS.open);
    const file = `${workplace.folder}/go`;
    const call = await ask(url, KEYS.open, 'tools/call', { name: 'waits', arguments: { file } }, WITH_TASKS);
    expect(call.body.result.taskId).toBeTypeOf('string');
    const lines = [
      ...['State     ready', 'Replica   without a name', `Version   ${version}`, 'Store     none'],
      ...['Tasks     1 running', 'Sessions  1', 'Calls     1 running, 0 waiting', ''],
    ];
    expect(await status(url, KEYS.operator)).toMatchObject({ code: 0, stdout: lines.join('\n'), stderr: '' });
    workplace.write('go', '');
    const told = async () => JSON.parse((await status(`${url}/p/readOnly`, KEYS.operator, '--json')).stdout);
    await expect.poll(told).toEqual({
      ...{ server: 'mortise', version, state: 'ready', replica: '', store: null, tasks: 0, sessions: 1 },
      calls: { running: 0, waiting: 0 },
    });
  });

  it.each([
    ['a wrong key', 'w'.repeat(32), /refuses the key of MORTISE_KEY \(401\)/],
    ['a key without the scope', KEYS.open, /\(403\): The status needs a key with the scope 'mortise:operate'/],
    ['a key with a profile', KEYS.viewer, /\(403\): The status needs a key without a profile/],
  ])('says that %s is refused', async (_, key, expected) => {
    const { code, stdout, stderr } = await status(served().url, key);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain(key);
  });

  it('takes no key as an argument, and none that is not one', async () => {
    const asOption = await status(served().url, undefined, '--key', KEYS.operator);
    expect([asOption.code, asOption.stderr]).toEqual([2, expect.stringContaining('Set the variable MORTISE_KEY')]);
    const withSpace = await status(served().url, 'a key');
    expect([withSpace.code, withSpace.stderr]).toEqual([
      2,
      expect.stringContaining('MORTISE_KEY is not an access key'),
    ]);
  });

  it('says that a server does not answer, or is another one', async () => {
    const silent = await status(`http://127.0.0.1:${await freePort()}/mcp`);
    expect([silent.code, silent.stderr]).toEqual([
      1,
      expect.stringMatching(/does not answer: ECONNREFUSED\.\n.*--http/),
    ]);
    const page = await status(await otherServer((_, res) => res.end('<html>ready</html>')));
    expect([page.code, page.stderr]).toEqual([
      1,
      expect.stringMatching(/no Mortise server at .*: its \/readyz does not say a state/),
    ]);
    const copy = await otherServer(({ url }, res) => res.end(url === '/readyz' ? 'ready\n' : '{"server":"mortise"}'));
    expect((await status(copy)).code).toBe(0);
    expect((await status(copy, KEYS.operator)).stderr).toMatch(/its \/status is not that of Mortise/);
    const older = await otherServer(({ url }, res) => {
      res.statusCode = url === '/readyz' ? 200 : 404;
      res.end('ready\n');
    });
    expect((await status(older, KEYS.operator)).stderr).toMatch(/its \/status has status 404.*\n.*older version/);
    const stopping = await otherServer((_, res) => void res.writeHead(503).end('stopping\n'));
    expect(await status(stopping)).toMatchObject({ code: 1, stdout: expect.stringContaining('State     stopping') });
  });

  it.each(['tools', 'file:///etc/passwd'])('refuses %s, which is no URL of HTTP', async (url) => {
    const { code, stderr } = await status(url);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--url ${url} is not a URL of HTTP`)]);
  });

  it.skipIf(noRedis)(
    'shows the replica and the store, without its password, and why the store cannot be used',
    async () => {
      const redis = await startRedis([], { password: 'password-of-the-store' });
      const workplace = createWorkplace(
        {},
        {
          ...SETTINGS,
          Auth: { Keys },
          Http: { StateKeys: ['a-key-of-all-replicas'] },
          State: { Replica: 'mortise-1', Redis: { Urls: [redis.url] } },
        },
      );
      const { url } = await startHttp(workplace);
      await expect.poll(async () => (await status(url, KEYS.operator)).stdout).toContain('State     ready');
      const { stdout } = await status(url, KEYS.operator);
      expect(stdout).toContain(`Replica   mortise-1\n`);
      expect(stdout).toContain(`Store     127.0.0.1:${redis.port}: in use; 1 replica\n`);
      expect(stdout).not.toContain('password-of-the-store');
      await redis.stop();
      await expect.poll(async () => (await status(url)).stdout).toContain('State     degraded');
      const { code, stdout: degraded } = await status(url, KEYS.operator);
      expect(code).toBe(0);
      expect(degraded).toMatch(
        new RegExp(`Store {5}127.0.0.1:${redis.port}: cannot be used: it cannot be reached .*; 1 replica`),
      );
    },
  );
});
