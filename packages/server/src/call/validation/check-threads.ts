import type { CallChannel } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import { onAbort } from '../../run/shared/runner-errors.js';
import { SlotQueue } from '../../util/slot-queue.js';
import { CALL_ENDED, type Check, type CheckAnswer, CheckThread } from './validation-worker.js';

/** The time limit of a check in the shared thread, because checks of other plugins wait behind it. */
const MAX_SHARED_MS = 100;

/** The checks of one runner. Only one of them runs at a time, so that plugins take turns in the shared thread. */
interface RunnerChecks {
  readonly turns: SlotQueue;
  thread: CheckThread;
}

/**
 * Runs checks that can be slow in threads. Plugins share one thread. A plugin whose check is too slow for it gets a
 * thread of its own, with longer limits, until the plugin is loaded again.
 */
export class CheckThreads {
  readonly #shared = new CheckThread();
  readonly #threads = new Set([this.#shared]);
  readonly #checksByRunner = new WeakMap<Runner, RunnerChecks>();

  constructor(private readonly maxSharedMs = MAX_SHARED_MS) {}

  /** Never rejects. @param channel of the call; when the call ends, the answer is CALL_ENDED */
  run(runner: Runner, check: Check, channel: CallChannel): Promise<CheckAnswer> {
    const checks = this.#checksByRunner.get(runner) ?? {
      turns: new SlotQueue({ maxRunning: 1 }),
      thread: this.#shared,
    };
    this.#checksByRunner.set(runner, checks);
    return new Promise((settle) => {
      onAbort(channel, () => settle(CALL_ENDED));
      void checks.turns.run(() => this.#runInThread(checks, check, channel.signal)).then(settle);
    });
  }

  /** Ends the threads. Checks that have not ended fail. */
  close(): void {
    for (const thread of this.#threads) thread.close();
  }

  async #runInThread(checks: RunnerChecks, check: Check, signal: AbortSignal): Promise<CheckAnswer> {
    if (checks.thread !== this.#shared) return checks.thread.run(check, signal);
    const answer = await this.#shared.run(check, signal, this.maxSharedMs);
    if ('found' in answer || !answer.endedThread) return answer;
    checks.thread = new CheckThread();
    this.#threads.add(checks.thread);
    return checks.thread.run(check, signal);
  }
}
