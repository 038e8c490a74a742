import { afterAll, expect, it, vi } from 'vitest';
import type { DiscoveryOptions } from '../../../src/run/process/discovery-queue.js';
import { built } from '../../built.js';
import { createPluginHost, createTestPool, loadRequests, pluginOf, quiet } from './plugins.js';

const { createDiscoveryQueue } =
  built<typeof import('../../../src/run/process/discovery-queue.js')>('run/process/discovery-queue');

const ENVIRONMENT = process.env as Record<string, string>;
const pool = createTestPool();
afterAll(() => pool.close());

/** Describes all of them at once; what is found of each is the name of its tool, or the code of a problem. */
async function discoverAll(sources: Record<string, string>, options: Partial<DiscoveryOptions> = {}) {
  let [takeCount, running, most] = [0, 0, 0];
  const counted = {
    take() {
      const process = pool.take(ENVIRONMENT);
      takeCount += 1;
      running += 1;
      most = Math.max(most, running);
      void process.ended.then(() => {
        running -= 1;
      });
      return process;
    },
    prepare: vi.fn(),
  };
  const queue = createDiscoveryQueue({ pool: counted, loadTimeoutMs: 1500, onOutput: quiet, ...options });
  const found = await Promise.all(
    Object.entries(loadRequests(sources)).map(async ([name, request]) => {
      const loaded = await queue.discover(request, createPluginHost());
      return [name, 'problem' in loaded ? loaded.problem.code : loaded.definition.tools[0]!.name] as const;
    }),
  );
  return { found: Object.fromEntries(found), takeCount, most, prepare: counted.prepare };
}

const good = (name: string) => pluginOf({ [name]: '() => 1' });
/** Does not return to the event loop; the pauses leave the processors to others. */
const BLOCK = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);';
const AT_ONCE = 4;

it('asks each plugin in a process of its own, which no other can falsify, four at a time', async () => {
  const liar = `const stringify = JSON.stringify;
    JSON.stringify = (...args) => stringify(...args).replaceAll('"honest', '"false');
    ${good('liar')}`;
  const names = Array.from({ length: 7 }, (_, index) => `honest${index}`);
  const honest = Object.fromEntries(names.map((name) => [name, good(name)]));
  const { found, takeCount, most } = await discoverAll({ a_liar: liar, ...honest }, { loadTimeoutMs: 10_000 });
  expect(found).toEqual({ a_liar: 'liar', ...Object.fromEntries(names.map((name) => [name, name])) });
  expect(takeCount).toBe(8);
  expect(most).toBeGreaterThan(1);
});

it('sees to a spare process when it is done, for it may have used that up', async () => {
  const { prepare } = await discoverAll({ one: good('one') });
  await expect.poll(() => prepare.mock.calls.length).toBe(1);
});

it('lets no plugin pay for another one that misbehaves', async () => {
  const bad = {
    a1: 'process.exit(1);',
    a2: `throw new Error('boom');`,
    a3: BLOCK,
    a4: `setTimeout(() => { ${BLOCK} }); ${good('late')}`,
    a5: `setTimeout(() => process.exit(1)); ${good('leaver')}`,
  };
  const names = Array.from({ length: 4 }, (_, index) => `good${index}`);
  const sources = { ...bad, ...Object.fromEntries(names.map((name) => [name, good(name)])) };
  const { found } = await discoverAll(sources);
  expect(found).toEqual({
    a1: 'PLUGIN_ENDED_PROCESS',
    a2: 'PLUGIN_THREW',
    a3: 'PLUGIN_LOAD_TIMEOUT',
    a4: 'late',
    a5: 'leaver',
    ...Object.fromEntries(names.map((name) => [name, name])),
  });
});

it('does not let slow plugins hold up the others', async () => {
  const names = Array.from({ length: 2 * AT_ONCE }, (_, index) => `a${index}`);
  const slow = names.map((name) => [name, 'module.exports.register = () => new Promise(() => {});']);
  const { found, most } = await discoverAll({ ...Object.fromEntries(slow), z: good('z') }, { loadTimeoutMs: 2000 });
  expect(found).toEqual({ ...Object.fromEntries(names.map((name) => [name, 'PLUGIN_LOAD_TIMEOUT'])), z: 'z' });
  expect(most).toBeGreaterThan(AT_ONCE);
});

it('gives a problem when the pool is closed', async () => {
  const closed = createTestPool();
  await closed.close();
  const queue = createDiscoveryQueue({ pool: closed, loadTimeoutMs: 1000, onOutput: quiet });
  const loaded = await queue.discover(loadRequests({ p: good('p') }).p!, createPluginHost());
  expect(loaded).toMatchObject({ problem: { message: expect.stringContaining('the server is shutting down') } });
});
