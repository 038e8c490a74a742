import { availableParallelism } from 'node:os';
import type { PluginHost, PluginProblem } from '@mortise/plugin/host';
import type { Loaded, LoadOrder } from '../../plugin-process/wire.js';
import { type PluginProcess, ProcessEnded } from './plugin-process.js';
import type { ProcessPool } from './process-pool.js';

const MAX_PROCESSES = 4;

/**
 * Finds out what plugins offer: a few processes load plugin after plugin, a fresh one after one that misbehaved
 * (plugins.md §5). Nothing of it runs on in the server.
 */
export interface DescribeQueue {
  /** Never rejects. */
  describe(order: LoadOrder, host: PluginHost): Promise<Loaded>;
}

export interface DescribeOptions {
  pool: ProcessPool;
  /** Of one plugin, from its own turn on. */
  loadTimeoutMs: number;
  onPrint(plugin: string, line: string, stream: 'stdout' | 'stderr'): void;
}

interface Task {
  order: LoadOrder;
  host: PluginHost;
  resolve(loaded: Loaded): void;
}

export function createDescribeQueue({ pool, loadTimeoutMs, onPrint }: DescribeOptions): DescribeQueue {
  const tasks: Task[] = [];
  let workers = 0;

  async function work(): Promise<void> {
    workers += 1;
    let process: PluginProcess | undefined;
    let isFresh = true;
    for (let task = tasks.shift(); task; task = tasks.shift()) {
      isFresh = process === undefined;
      process ??= pool.take();
      const loaded = await load(process, task);
      if (!(loaded instanceof ProcessEnded)) {
        task.resolve(loaded);
        continue;
      }
      process = undefined;
      // Another plugin that was loaded there before may be to blame: once more, alone.
      if (!isFresh && loaded.reason !== TOO_SLOW) tasks.unshift(task);
      else task.resolve({ problem: problemOf(task.order, loaded) });
    }
    process?.kill(DONE);
    workers -= 1;
  }

  async function load(process: PluginProcess, { order, host }: Task): Promise<Loaded | ProcessEnded> {
    process.listen({
      onLog: (entry) => host.log(entry),
      onPrint: (line, stream) => onPrint(order.pluginName, line, stream),
      onDefinition() {},
      onResourceUpdated() {},
      onReload() {},
    });
    const timer = setTimeout(() => process.kill(TOO_SLOW), loadTimeoutMs);
    try {
      return await process.request({ do: 'describe', order });
    } catch (error) {
      if (error instanceof ProcessEnded) return error;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  function problemOf(order: LoadOrder, ended: ProcessEnded): PluginProblem {
    return ended.reason === TOO_SLOW ? timedOut(order, loadTimeoutMs) : endedItself(order, ended);
  }

  return {
    describe: (order, host) =>
      new Promise((resolve) => {
        tasks.push({ order, host, resolve });
        if (workers < Math.min(MAX_PROCESSES, availableParallelism())) void work();
      }),
  };
}

const DONE = 'it is not needed any more';
const TOO_SLOW = 'it took too long to load';

function timedOut({ entry }: LoadOrder, limitMs: number): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limitMs} ms`,
    hint: 'Look for an await at the top level or in register that does not settle, or raise Plugins.LoadTimeoutMs.',
    place: { file: entry },
  };
}

function endedItself({ entry }: LoadOrder, { reason, output }: ProcessEnded): PluginProblem {
  const [lastLine = ''] = output.trim().split('\n').slice(-1);
  return {
    severity: 'error',
    code: 'PLUGIN_ENDED_PROCESS',
    message: `The process ended while the plugin was loaded: ${reason}${lastLine === '' ? '' : `; last it printed: ${lastLine}`}`,
    hint: 'A plugin must not end its process. Do such work when a tool is called, and return fail(…) instead.',
    place: { file: entry },
  };
}
