import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { LoadedRunner, LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import { loadTimeoutProblem, ProcessMeter, startLoadClock } from './load-clock.js';

export interface LoadTimeoutOptions {
  readonly loadTimeoutMs: number;
  /** What a user or author should look for. */
  readonly hint: string;
  /** Whether a process runs the load, whose processor time counts; the loader tells its meter which. Default: none does. */
  hasProcess?(candidate: RunnableCandidate): boolean;
}

type MeteredLoad = (
  candidate: RunnableCandidate,
  host: RunnerCallbacks,
  meter: ProcessMeter | undefined,
) => Promise<LoadedRunner>;

/** A loader whose result is a problem with this hint once its time is over; the load continues, and its result follows. */
export function withLoadTimeout(
  load: MeteredLoad,
  { loadTimeoutMs, hint, hasProcess }: LoadTimeoutOptions,
): LoadRunner {
  return (candidate, host) =>
    new Promise((resolve, reject) => {
      const meter = hasProcess?.(candidate) ? new ProcessMeter() : undefined;
      const loading = load(candidate, host, meter);
      const onExceeded = (limit: string) =>
        resolve({ problem: loadTimeoutProblem(candidate.entry, limit, hint), afterTimeout: loading });
      loading.then(resolve, reject).finally(startLoadClock({ limitMs: loadTimeoutMs, meter, onExceeded }));
    });
}
