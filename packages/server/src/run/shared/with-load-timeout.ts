import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { LoadedRunner, LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import { loadTimeoutProblem, ProcessMeter, startLoadClock } from './load-clock.js';

export interface LoadTimeoutOptions {
  readonly loadTimeoutMs: number;
  /** The next step for the author or user of a plugin that takes too long. */
  readonly hint: string;
  /** Returns true if a process runs the load. Its processor time then counts; the loader passes the pid to the meter. */
  hasProcess?(candidate: RunnableCandidate): boolean;
}

type MeteredLoad = (
  candidate: RunnableCandidate,
  callbacks: RunnerCallbacks,
  meter: ProcessMeter | undefined,
) => Promise<LoadedRunner>;

/** Returns a loader that returns a problem after the time limit. The load continues; its result is `afterTimeout`. */
export function withLoadTimeout(
  load: MeteredLoad,
  { loadTimeoutMs, hint, hasProcess }: LoadTimeoutOptions,
): LoadRunner {
  return (candidate, callbacks) =>
    new Promise((resolve, reject) => {
      const meter = hasProcess?.(candidate) ? new ProcessMeter() : undefined;
      const loading = load(candidate, callbacks, meter);
      const onExceeded = (limit: string) =>
        resolve({ problem: loadTimeoutProblem(candidate.entry, limit, hint), afterTimeout: loading });
      loading.then(resolve, reject).finally(startLoadClock({ limitMs: loadTimeoutMs, meter, onExceeded }));
    });
}
