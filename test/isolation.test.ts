import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { BAD_PLUGINS, type BadPlugin, MAX_MEMORY_MB, sourceOf } from './isolation-rows.js';
import { connect } from './support/clients.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { createWorkplace } from './support/workplace.js';

const GOOD = `let calls = 0;
module.exports.register = (api) => api.registerTool({
  name: 'good', description: 'good', inputSchema: { type: 'object' }, run: ({ n }) => ({ n, calls: ++calls, pid: process.pid }),
});`;

const named = (name: string) => GOOD.replace("'good'", `'${name}'`);

/** It does not return to the event loop; the pauses leave the processors to others. */
const FOREVER = 'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);';

/** Plugins that misbehave while they are loaded, and their problem; none: they are loaded as others are. */
const AT_LOAD: Record<string, { source: string; problem?: RegExp }> = {
  'exits-at-load': {
    source: `console.log('last words'); process.exit(5);`,
    problem: /ended while the plugin was loaded: it exited with code 5; last it printed: last words/,
  },
  'loops-at-load': { source: FOREVER, problem: /did not load within 10000 ms/ },
  'never-settles-at-load': {
    source: 'module.exports.register = () => new Promise(() => {});',
    problem: /did not load within 10000 ms/,
  },
  'loops-after-load': { source: `setTimeout(() => { ${FOREVER} }); ${named('late-loop')}` },
  'prints-at-load': { source: `console.log('{"hello":1}'); ${named('printer')}` },
  'hangs-in-dispose': {
    source: `${named('hanger')} const { register } = module.exports;
      module.exports.register = (api) => { api.onDispose(() => new Promise(() => {})); register(api); };`,
  },
};

const textOf = ({ content }: { content: unknown[] }) =>
  content.map((block) => (block as { text?: string }).text ?? '').join('\n');

/** As many bad plugins at once as leave a small machine some time for the good one. */
const AT_ONCE = 6;

describe('beside bad plugins', () => {
  it('a good one is called as ever, and their callers hear what happened', async () => {
    const workplace = createWorkplace(
      {
        'plugins/good.cjs': GOOD,
        ...Object.fromEntries(BAD_PLUGINS.map((row) => [`plugins/${row.name}.cjs`, sourceOf(row)])),
        ...Object.fromEntries(Object.entries(AT_LOAD).map(([name, { source }]) => [`plugins/${name}.cjs`, source])),
      },
      { Plugins: { Directory: 'plugins', MaxMemoryMb: MAX_MEMORY_MB, LoadTimeoutMs: 10_000 } },
    );
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    await checkLoading(client);

    const good = callAllAlong(client);
    const pings = pingAllAlong(client);
    const rows = BAD_PLUGINS.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const row of rows) {
          const before = pings.answered;
          await checkRow(client, row);
          // A server that was blocked with it would have been so until its deadline.
          if (row.code === 'OPERATION_TIMEOUT') expect.soft(pings.answered, row.name).toBeGreaterThan(before);
        }
      }),
    );
    await pings.stop();
    expect(await good.stop()).toBeGreaterThan(100);
    if (!CAN_SEE_PROCESSES) return;
    const isLeft = ({ command }: { command: string }) => /^sleep|Buffer\.alloc/.test(command);
    await expect.poll(() => processesOf(workplace).filter(isLeft)).toEqual([]);
  });
});

async function checkLoading(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const { name } of BAD_PLUGINS) expect(names).toContain(name);
  const { contents } = await client.readResource({ uri: 'mortise://plugins' });
  const plugins = JSON.parse((contents[0] as { text: string }).text) as {
    name: string;
    tools: string[];
    problems: { message: string }[];
  }[];
  for (const [name, { problem }] of Object.entries(AT_LOAD)) {
    const plugin = plugins.find((item) => item.name === name)!;
    const messages = plugin.problems.map(({ message }) => message);
    if (problem) expect(messages, name).toEqual([expect.stringMatching(problem)]);
    else expect(plugin, name).toMatchObject({ problems: [], tools: [expect.any(String)] });
  }
}

async function checkRow(client: Client, { name, code, message }: BadPlugin): Promise<void> {
  await client.callTool({ name: `${name}_warm`, arguments: {} });
  const result = await client.callTool({ name, arguments: {} });
  const { errors } = (result.structuredContent ?? {}) as { errors?: { code: string }[] };
  expect.soft(errors?.[0]?.code, `${name}: ${textOf(result)}`).toBe(code);
  if (message) expect.soft(textOf(result), name).toMatch(message);
}

/** Calls the good tool again and again until stopped; each answer must be its own, by one and the same process. */
function callAllAlong(client: Client): { stop(): Promise<number> } {
  let isStopped = false;
  const run = async () => {
    let calls = 0;
    let pid: number | undefined;
    while (!isStopped) {
      calls += 1;
      const seen = JSON.parse(textOf(await client.callTool({ name: 'good', arguments: { n: calls } })));
      pid ??= seen.pid;
      expect(seen).toEqual({ n: calls, calls, pid });
    }
    return calls;
  };
  const running = run();
  return {
    stop() {
      isStopped = true;
      return running;
    },
  };
}

const PING_EVERY_MS = 20;

/** Asks the server itself again and again until stopped. */
function pingAllAlong(client: Client) {
  let isStopped = false;
  const pings = {
    answered: 0,
    stop() {
      isStopped = true;
      return running;
    },
  };
  const run = async () => {
    while (!isStopped) {
      await client.ping();
      pings.answered += 1;
      await delay(PING_EVERY_MS);
    }
  };
  const running = run();
  return pings;
}
