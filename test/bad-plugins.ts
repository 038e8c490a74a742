import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { type BadPlugin, MAX_MEMORY_MB, sourceOf } from './isolation-rows.js';
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

/** The source of a plugin that misbehaves while it is loaded. */
interface BadAtLoad {
  readonly source: string;
  /** Default: none, it is loaded as others are. */
  readonly problem?: RegExp;
}

/** Plugins that misbehave while they are loaded. */
export const BAD_AT_LOAD: Record<string, BadAtLoad> = {
  'exits-at-load': {
    source: `console.log('last words'); process.exit(5);`,
    problem: /ended while the plugin was loaded: it exited with code 5; last it printed: last words/,
  },
  'loops-at-load': { source: FOREVER, problem: /did not load within 12000 ms/ },
  'never-settles-at-load': {
    source: 'module.exports.register = () => new Promise(() => {});',
    problem: /did not load within 12000 ms/,
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

/** Beside bad plugins and much other work an answer takes a while. */
const CALL_MS = 300_000;
/** As many bad plugins at once as leave a small machine some time for the good one. */
const AT_ONCE = 6;

/** Calls each of these plugins beside a good one, which is called all along. @param plugins further settings */
export async function callBeside(
  rows: readonly BadPlugin[],
  atLoad: Readonly<Record<string, BadAtLoad>>,
  plugins: object = {},
): Promise<void> {
  const workplace = createWorkplace(
    {
      'plugins/good.cjs': GOOD,
      ...Object.fromEntries(rows.map((row) => [`plugins/${row.name}.cjs`, sourceOf(row)])),
      ...Object.fromEntries(Object.entries(atLoad).map(([name, { source }]) => [`plugins/${name}.cjs`, source])),
    },
    { Plugins: { Directory: 'plugins', MaxMemoryMb: MAX_MEMORY_MB, ...plugins } },
  );
  const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
  await checkLoading(client, rows, atLoad);

  const good = callAllAlong(client);
  const pings = pingAllAlong(client);
  const next = rows.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const row of next) {
        const before = { pings: pings.answered, calls: good.answered };
        await checkRow(client, row);
        // A server that was blocked with it would have been so until its deadline.
        if (row.code !== 'OPERATION_TIMEOUT') continue;
        expect.soft(pings.answered, row.name).toBeGreaterThan(before.pings);
        expect.soft(good.answered, row.name).toBeGreaterThan(before.calls);
      }
    }),
  );
  await pings.stop();
  await good.stop();
  if (!CAN_SEE_PROCESSES) return;
  const isLeft = ({ command }: { command: string }) => /^sleep|Buffer\.alloc/.test(command);
  await expect.poll(() => processesOf(workplace).filter(isLeft)).toEqual([]);
}

async function checkLoading(
  client: Client,
  rows: readonly BadPlugin[],
  atLoad: Readonly<Record<string, BadAtLoad>>,
): Promise<void> {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const { name } of rows) expect(names).toContain(name);
  const { contents } = await client.readResource({ uri: 'mortise://plugins' });
  const plugins = JSON.parse((contents[0] as { text: string }).text) as {
    name: string;
    tools: string[];
    problems: { message: string }[];
  }[];
  for (const [name, { problem }] of Object.entries(atLoad)) {
    const plugin = plugins.find((item) => item.name === name)!;
    const messages = plugin.problems.map(({ message }) => message);
    if (problem) expect(messages, name).toEqual([expect.stringMatching(problem)]);
    else expect(plugin, name).toMatchObject({ problems: [], tools: [expect.any(String)] });
  }
}

async function checkRow(client: Client, { name, code, message }: BadPlugin): Promise<void> {
  await client.callTool({ name: `${name}_warm`, arguments: {} }, { timeout: CALL_MS });
  const result = await client.callTool({ name, arguments: {} }, { timeout: CALL_MS });
  const { errors } = (result.structuredContent ?? {}) as { errors?: { code: string }[] };
  expect.soft(errors?.[0]?.code, `${name}: ${textOf(result)}`).toBe(code);
  if (message) expect.soft(textOf(result), name).toMatch(message);
}

/** Calls the good tool again and again until stopped; each answer must be its own, by one and the same process. */
function callAllAlong(client: Client) {
  let isStopped = false;
  const calls = {
    answered: 0,
    stop() {
      isStopped = true;
      return running;
    },
  };
  const run = async () => {
    let pid: number | undefined;
    while (!isStopped) {
      const n = calls.answered + 1;
      const seen = JSON.parse(textOf(await client.callTool({ name: 'good', arguments: { n } }, { timeout: CALL_MS })));
      pid ??= seen.pid;
      expect(seen).toEqual({ n, calls: n, pid });
      calls.answered = n;
    }
  };
  const running = run();
  return calls;
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
      await client.ping({ timeout: CALL_MS });
      pings.answered += 1;
      await delay(PING_EVERY_MS);
    }
  };
  const running = run();
  return pings;
}
