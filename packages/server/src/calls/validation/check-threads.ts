import type { CallChannel } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import { type Check, type CheckAnswer, CheckThread, type Job } from './validation-worker.js';

/** How long a check may take in the thread that plugins share, in milliseconds: so long others may have to wait for it. */
const MAX_SHARED_MS = 100;

/**
 * The threads for checks that can be slow. Plugins share one thread, which takes them in turn. A plugin whose check takes too
 * long there has a thread of its own, with longer limits, until it is loaded again.
 */
export class CheckThreads {
  readonly #shared: CheckThread;
  /** By the path of the plugin. The runner tells which load of it took too long. */
  readonly #own = new Map<string, { readonly runner: Runner; readonly thread: CheckThread }>();

  constructor(maxSharedMs = MAX_SHARED_MS) {
    const toOwnThread = ({ path, runner }: Check['plugin'], jobs: readonly Job[]) => {
      const thread = new CheckThread();
      this.#own.set(path, { runner, thread });
      for (const job of jobs) void thread.run(job, job.channel).then(job.settle);
    };
    this.#shared = new CheckThread(maxSharedMs, toOwnThread);
  }

  /** Never rejects. @param channel of the call that the check is for: when that is over, so is the check */
  run(check: Check, channel: CallChannel): Promise<CheckAnswer> {
    const { path, runner } = check.plugin;
    const own = this.#own.get(path);
    if (own?.runner === runner) return own.thread.run(check, channel);
    this.#own.delete(path);
    return this.#shared.run(check, channel);
  }

  /** Checks that have not ended fail. */
  close(): void {
    for (const { thread } of this.#own.values()) thread.close();
    this.#shared.close();
  }
}
