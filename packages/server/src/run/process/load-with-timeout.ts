import type { PluginProblem } from '@mortise/plugin/runtime';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { loadTimeoutProblem, ProcessMeter, startLoadClock } from '../shared/load-clock.js';
import { EXIT_CALLED } from '../worker/name-caller-of-exit.js';
import type { Loaded, WorkerRequest } from '../worker/protocol.js';
import type { PluginProcess } from './plugin-process.js';

/** The limit for the start of a process, in milliseconds of processor time. On the clock it may take six times as long. */
const START_MS = 10_000;
const TOO_SLOW = 'it took too long to load';
const HINT =
  'Look for an endless loop, or an await that never settles, at the top level or in register; or raise Plugins.LoadTimeoutMs.';
const START_HINT =
  'Reload the plugins when the machine has less work: the process did not start in time, and the plugin may be in order.';

export interface LoadTimeoutOptions {
  /** The limit for loading the plugin, without the start of its process. */
  loadTimeoutMs: number;
  /** Called when `loadTimeoutMs` begins, because the process has started. */
  onBegin?(): void;
}

/** Thrown if the process was killed because it took too long to start, or the plugin took too long to load. */
export class LoadTimeoutError extends ProcessExitedError {
  /** @param limit in words */
  constructor(
    readonly limit: string,
    readonly hint: string,
    { output }: ProcessExitedError,
  ) {
    super(TOO_SLOW, output);
  }
}

/** Loads a plugin in a process, and kills the process if that takes too long. @throws ProcessExitedError, LoadTimeoutError */
export async function loadWithTimeout(
  process: PluginProcess,
  work: Extract<WorkerRequest, { do: 'load' | 'discover' }>,
  { loadTimeoutMs, onBegin }: LoadTimeoutOptions,
): Promise<Loaded> {
  await withinLoadLimit(process, { limitMs: START_MS, hint: START_HINT }, () => process.request({ do: 'ping' }));
  return withinLoadLimit(process, { limitMs: loadTimeoutMs, hint: HINT }, () => {
    onBegin?.();
    return process.request(work);
  });
}

async function withinLoadLimit<T>(
  process: PluginProcess,
  { limitMs, hint }: { limitMs: number; hint: string },
  work: () => Promise<T>,
): Promise<T> {
  const meter = new ProcessMeter();
  meter.watch(process.pid);
  let exceeded: string | undefined;
  const stop = startLoadClock({
    limitMs,
    meter,
    onExceeded(limit) {
      exceeded = limit;
      process.kill(TOO_SLOW);
    },
  });
  try {
    return await work();
  } catch (error) {
    if (exceeded === undefined || !(error instanceof ProcessExitedError)) throw error;
    throw new LoadTimeoutError(exceeded, hint, error);
  } finally {
    stop();
  }
}

/** Returns the problem of a plugin whose process ended while the plugin was loading. */
export function toLoadProblem(entry: string, ended: ProcessExitedError): PluginProblem {
  if (ended instanceof LoadTimeoutError) return loadTimeoutProblem(entry, ended.limit, ended.hint);
  return { severity: 'error', ...endedItself(ended), location: { file: entry } };
}

type ProblemText = Pick<PluginProblem, 'code' | 'message' | 'hint'>;

function endedItself({ reason, output }: ProcessExitedError): ProblemText {
  const [ownOutput = ''] = output.split(EXIT_CALLED);
  const [lastLine = ''] = ownOutput.trim().split('\n').slice(-1);
  return {
    code: 'PLUGIN_ENDED_PROCESS',
    message: `The process ended while the plugin was loaded: ${reason}${lastLine === '' ? '' : `; last it printed: ${lastLine}`}`,
    hint: 'Remove the code that ends the process. Do such work when a tool is called, and return fail(…) instead.',
  };
}
