import { availableParallelism } from 'node:os';
import { PING_MS } from '../../core/grace-period.js';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Loaded, LoadRequest } from '../../plugin-worker/protocol.js';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { LoadTimeoutError, loadWithTimeout, toLoadProblem } from './load-with-timeout.js';
import type { PluginProcess } from './plugin-process.js';
import type { ProcessPool } from './process-pool.js';

/** Of so many plugins each is loaded in a process of its own; of more, the first ones share a few, for that takes far less time. */
const MAX_ALONE = 16;
const MAX_WORKERS = Math.min(4, availableParallelism());
/** A plugin that takes longer gets a worker beside the others, so that they need not wait for it. */
const SLOW_MS = 1000;
const MAX_SLOW = 16;
const NOT_NEEDED = 'it is no longer needed';

/**
 * Finds out what plugins offer: a process for each or, of many, a few that load plugin after plugin, and a fresh one
 * after one that misbehaved (docs/spec/plugins.md#discovery-processes). Where they share, one may falsify what another
 * says: what that one says in its own process, at its first call, wins, and is shown as a change. Nothing of it runs on
 * in the server. Where changes are refused, what is pinned must be true from the start: there none share.
 */
export interface DiscoveryQueue {
  /** Never rejects. */
  discover(request: LoadRequest, host: RunnerCallbacks): Promise<Loaded>;
}

export interface DiscoveryOptions {
  pool: Pick<ProcessPool, 'take' | 'prepare'>;
  /** Of one plugin, from its own turn on. */
  loadTimeoutMs: number;
  /** No two plugins are ever loaded in one process, however many there are (`Plugins.OnChange` `refuse`). */
  isAlone?: boolean;
  /** Of so many plugins each is loaded in a process of its own. */
  maxAlone?: number;
  onOutput(plugin: string, line: string, stream: 'stdout' | 'stderr'): void;
}

interface Task {
  request: LoadRequest;
  host: RunnerCallbacks;
  resolve(loaded: Loaded): void;
  /** It was given settings of its own: what is left of them in the process is for no other plugin. */
  hasAsked?: boolean;
}

export function createDiscoveryQueue({
  pool,
  loadTimeoutMs,
  isAlone,
  maxAlone = MAX_ALONE,
  onOutput,
}: DiscoveryOptions): DiscoveryQueue {
  const tasks: Task[] = [];
  let workers = 0;
  let slow = 0;

  const startWorkers = () => {
    while (tasks.length > 0 && workers < MAX_WORKERS + slow) void work();
  };

  /** One process after another, until nothing is left to do or enough others do it. */
  async function work(): Promise<void> {
    workers += 1;
    let process: PluginProcess | undefined;
    while (workers <= MAX_WORKERS + slow) {
      const task = tasks.shift();
      if (!task) break;
      const isShared = !isAlone && tasks.length >= maxAlone && !task.host.hasOwnSettings;
      if (!isShared) process?.kill(NOT_NEEDED);
      process = await discoverIn(task, isShared && process && (await stillAnswers(process)) ? process : undefined);
      if (task.host.hasOwnSettings || task.hasAsked) {
        process?.kill(NOT_NEEDED);
        process = undefined;
      }
    }
    process?.kill(NOT_NEEDED);
    workers -= 1;
    // It may have been the spare, which spares the next reload and the next first call the start of a process.
    if (workers === 0) pool.prepare();
  }

  /** The process, when it may be asked of another plugin. @param used has loaded others before */
  async function discoverIn(task: Task, used: PluginProcess | undefined): Promise<PluginProcess | undefined> {
    const { request, resolve } = task;
    try {
      const process = used ?? pool.take(task.host.environment);
      const loaded = await load(process, task, used !== undefined);
      if (used && 'problem' in loaded) {
        process.kill('it may be to blame for a plugin that did not load');
        return discoverIn(task, undefined);
      }
      resolve(loaded);
      return process;
    } catch (error) {
      const ended = error instanceof ProcessExitedError ? error : new ProcessExitedError(String(error), '');
      // A plugin that was loaded there before may be to blame: once more, alone.
      if (used && !(ended instanceof LoadTimeoutError)) return discoverIn(task, undefined);
      resolve({ problem: toLoadProblem(request.entry, ended) });
      return undefined;
    }
  }

  async function load(process: PluginProcess, task: Task, isUsed: boolean): Promise<Loaded> {
    const { request, host } = task;
    process.listen({
      onLog: (entry) => host.log(entry),
      onOutput: (line, stream) => onOutput(request.pluginName, line, stream),
      onDefinition() {},
      onResourceUpdated() {},
      onResourceListChanged() {},
      onReload() {},
      async onSettings(asked) {
        const answer = await host.ownSettings(asked);
        task.hasAsked = 'values' in answer && Object.keys(answer.values).length > 0;
        if (task.hasAsked && isUsed) process.kill('the settings of a plugin are for no process that others have used');
        return answer;
      },
    });
    let timeoutMs: NodeJS.Timeout | undefined;
    let isSlow = false;
    const onBegin = () => {
      timeoutMs = setTimeout(() => {
        isSlow = slow < MAX_SLOW;
        if (isSlow) slow += 1;
        startWorkers();
      }, SLOW_MS);
    };
    try {
      return await loadWithTimeout(process, { do: 'discover', request }, { loadTimeoutMs, onBegin });
    } finally {
      clearTimeout(timeoutMs);
      if (isSlow) slow -= 1;
    }
  }

  return {
    discover: (request, host) =>
      new Promise((resolve) => {
        tasks.push({ request, host, resolve });
        startWorkers();
      }),
  };
}

/** Whether what the last plugin left behind lets the process do anything else; one that does not is ended. */
async function stillAnswers(process: PluginProcess): Promise<boolean> {
  const timer = setTimeout(() => process.kill('it did not answer after it had loaded a plugin'), PING_MS);
  try {
    await process.request({ do: 'ping' });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
