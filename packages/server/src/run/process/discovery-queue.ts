import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { SlotQueue } from '../../util/slot-queue.js';
import type { Loaded, LoadRequest } from '../worker/protocol.js';
import { loadWithTimeout, toLoadProblem } from './load-with-timeout.js';
import type { ProcessPool } from './process-pool.js';

/** The maximum number of plugins that load at the same time, without slow ones. */
const MAX_CONCURRENT_LOADS = 4;
/** A plugin that takes longer gives its slot back, so that the others do not wait for it. */
const SLOW_MS = 1000;
/** The maximum number of slow plugins that load without a slot. Further ones keep their slots. */
const MAX_SLOW = 16;

/** Learns the definitions of plugins, each in a process of its own (docs/spec/plugins.md#discovery-processes). */
export interface DiscoveryQueue {
  /** Never rejects. */
  discover(request: LoadRequest, callbacks: RunnerCallbacks): Promise<Loaded>;
}

export interface DiscoveryOptions {
  pool: Pick<ProcessPool, 'take' | 'prepare'>;
  /** The limit for one plugin. The time in the queue does not count. */
  loadTimeoutMs: number;
  onOutput(plugin: string, line: string, stream: 'stdout' | 'stderr'): void;
}

export function createDiscoveryQueue({ pool, loadTimeoutMs, onOutput }: DiscoveryOptions): DiscoveryQueue {
  const slots = new SlotQueue({ maxRunning: MAX_CONCURRENT_LOADS });
  let waitingOrRunning = 0;
  let slow = 0;

  /** @param onSlow called when the load takes longer than SLOW_MS */
  async function load(request: LoadRequest, callbacks: RunnerCallbacks, onSlow: () => void): Promise<Loaded> {
    let timer: NodeJS.Timeout | undefined;
    const onBegin = () => {
      timer = setTimeout(onSlow, SLOW_MS);
    };
    try {
      const process = pool.take(callbacks.environment, request);
      process.listen({
        onLog: (entry) => callbacks.log(entry),
        onOutput: (line, stream) => onOutput(request.pluginName, line, stream),
        onSettings: (asked) => callbacks.ownSettings(asked),
        onDefinition() {},
        onResourceUpdated() {},
        onResourceListChanged() {},
        onReload() {},
      });
      const loaded = await loadWithTimeout(process, { do: 'discover', request }, { loadTimeoutMs, onBegin });
      process.kill('it is no longer needed');
      return loaded;
    } catch (error) {
      const ended = error instanceof ProcessExitedError ? error : new ProcessExitedError(String(error), '');
      return { problem: toLoadProblem(request.entry, ended) };
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async discover(request, callbacks) {
      waitingOrRunning += 1;
      const loaded = await slots.run(async (slot) => {
        let isSlow = false;
        const onSlow = () => {
          if (slow === MAX_SLOW) return;
          isSlow = true;
          slow += 1;
          slot.release();
        };
        try {
          return await load(request, callbacks, onSlow);
        } finally {
          if (isSlow) slow -= 1;
        }
      });
      waitingOrRunning -= 1;
      // Replace the spare process, which the queue may have used: the next reload or first call needs it.
      if (waitingOrRunning === 0) pool.prepare();
      return loaded;
    },
  };
}
