import type { CallChannel } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import { onAbort } from '../../run/shared/runner-errors.js';
import { SlotQueue } from '../../util/slot-queue.js';
import { CALL_ENDED, type Check, type CheckAnswer, CheckThread } from './validation-worker.js';

/** How long a check may take in the thread that plugins share, in milliseconds: so long others may have to wait for it. */
const MAX_SHARED_MS = 100;

/** One load of a plugin. It does one check at a time, so that in a thread of several plugins these take turns. */
interface PluginChecks {
  readonly turns: SlotQueue;
  thread: CheckThread;
}

/**
 * The threads for checks that can be slow. Plugins share one thread. A plugin whose check takes too long there has a thread of
 * its own, with longer limits, until it is loaded again.
 */
export class CheckThreads {
  readonly #shared = new CheckThread();
  readonly #threads = new Set([this.#shared]);
  /** A plugin that is loaded again has another runner. */
  readonly #plugins = new WeakMap<Runner, PluginChecks>();

  constructor(private readonly maxSharedMs = MAX_SHARED_MS) {}

  /** Never rejects. @param channel of the call that the check is for: a check that has not begun when it is over is left out */
  run(runner: Runner, check: Check, channel: CallChannel): Promise<CheckAnswer> {
    const plugin = this.#plugins.get(runner) ?? { turns: new SlotQueue({ maxRunning: 1 }), thread: this.#shared };
    this.#plugins.set(runner, plugin);
    return new Promise((settle) => {
      onAbort(channel, () => settle(CALL_ENDED));
      void plugin.turns.run(() => this.#inThread(plugin, check, channel.signal)).then(settle);
    });
  }

  /** Checks that have not ended fail. */
  close(): void {
    for (const thread of this.#threads) thread.close();
  }

  async #inThread(plugin: PluginChecks, check: Check, signal: AbortSignal): Promise<CheckAnswer> {
    if (plugin.thread !== this.#shared) return plugin.thread.run(check, signal);
    const answer = await this.#shared.run(check, signal, this.maxSharedMs);
    if ('found' in answer || !answer.endedThread) return answer;
    plugin.thread = new CheckThread();
    this.#threads.add(plugin.thread);
    return plugin.thread.run(check, signal);
  }
}
