import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import type { RestartBackoff } from '../../../src/processes/restart-backoff.js';
import type { ProcessPool } from '../../../src/run/process/process-pool.js';
import type { ProcessRunnerOptions } from '../../../src/run/process/process-runner.js';
import { built } from '../../built.js';
import { createChannel, createPluginHost, EMPTY, loadRequests, pluginOf, quiet } from './plugins.js';

const { ProcessRunner } =
  built<typeof import('../../../src/run/process/process-runner.js')>('run/process/process-runner');

export const ENVIRONMENT = process.env as Record<string, string>;

export const NO_DELAY: RestartBackoff = { crashed: quiet, nextMs: () => 0 };

/** What makes a runner of a plugin with this source, whose processes are of the pool. */
export const runnersOf =
  (pool: ProcessPool) =>
  (source: string, more: Partial<ProcessRunnerOptions> = {}) => {
    const host = createPluginHost();
    const request = loadRequests({ p: source }).p!;
    const runner = new ProcessRunner({
      request,
      callbacks: host,
      pool,
      backoff: NO_DELAY,
      definition: EMPTY,
      loadTimeoutMs: 240_000,
      idleMs: 60_000,
      onOutput: quiet,
      ...more,
    });
    const call = async (name: string, channel = createChannel()) => {
      const outcome = await runner.run({ do: 'call', name, args: {} }, channel);
      if (outcome.kind === 'success') return (outcome.content[0] as { text: string }).text;
      return outcome.kind === 'error' ? outcome.errors[0]!.code : outcome.kind;
    };
    return { runner, host, call };
  };

type CreateRunner = ReturnType<typeof runnersOf>;

export const PID = '() => String(process.pid)';

/** A call adds a tool to so many: the list has it before the result. */
export async function expectCurrentList(count: number, createRunner: CreateRunner): Promise<void> {
  const tool = (name: string) =>
    `api.registerTool({ name: ${name}, description: 'description '.repeat(9), inputSchema: {}, run: () => 'x' })`;
  const more = `for (let i = 0; i < ${count}; i++) ${tool("'t_' + i")};`;
  const { runner, host, call } = createRunner(
    pluginOf(
      { change: `() => { ${tool("'new_' + (globalThis.changes = (globalThis.changes ?? 0) + 1)")}; return 'x'; }` },
      more,
    ),
  );
  await call('change');
  for (let changes = 0; changes < 3; changes++) {
    await Promise.all([call('change'), call('change')]);
    const names = host.definitions.at(-1)!.tools.map(({ name }) => name);
    expect(names).toContain(`new_${3 + 2 * changes}`);
  }
  await runner.dispose();
}

export const handles = () => process.getActiveResourcesInfo().length;

export const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

export function usedHeapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
