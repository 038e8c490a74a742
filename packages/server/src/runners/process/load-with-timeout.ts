import type { PluginProblem } from '@mortise/plugin/runtime';
import { prepareMetaCheck } from '../../json-schema/meta-check.js';
import type { Loaded, WorkerRequest } from '../../plugin-worker/protocol.js';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import type { PluginProcess } from './plugin-process.js';

/** How long a process may take before it answers at all, in milliseconds; with many others, on a busy machine. */
const START_MS = 30_000;
const TOO_SLOW = 'it took too long to load';

export interface LoadTimeoutOptions {
  /** The limit for loading the plugin, without the start of its process. */
  loadTimeoutMs: number;
  /** Told when the time begins. */
  onBegin?(): void;
}

/** Has the process load a plugin; one that takes too long is ended. @throws ProcessExitedError */
export async function loadWithTimeout(
  process: PluginProcess,
  work: Extract<WorkerRequest, { do: 'load' | 'discover' }>,
  { loadTimeoutMs, onBegin }: LoadTimeoutOptions,
): Promise<Loaded> {
  let timer = setTimeout(() => process.kill(`it did not start within ${START_MS} ms`), START_MS);
  try {
    const isNew = work.do === 'discover';
    await Promise.all([process.request({ do: 'ping' }), isNew && prepareMetaCheck()]);
    clearTimeout(timer);
    timer = setTimeout(() => process.kill(TOO_SLOW), loadTimeoutMs);
    onBegin?.();
    return await process.request(work);
  } finally {
    clearTimeout(timer);
  }
}

export const wasTooSlow = ({ reason }: ProcessExitedError): boolean => reason === TOO_SLOW;

/** What is wrong with a plugin whose process ended while it was loaded, by itself or because it took too long. */
export function toLoadProblem(entry: string, ended: ProcessExitedError, loadTimeoutMs: number): PluginProblem {
  const problem = wasTooSlow(ended) ? timedOut(loadTimeoutMs) : endedItself(ended);
  return { severity: 'error', ...problem, location: { file: entry } };
}

type ProblemText = Pick<PluginProblem, 'code' | 'message' | 'hint'>;

function timedOut(limitMs: number): ProblemText {
  return {
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limitMs} ms`,
    hint: 'Look for an endless loop, or an await that never settles, at the top level or in register; or raise Plugins.LoadTimeoutMs.',
  };
}

function endedItself({ reason, output }: ProcessExitedError): ProblemText {
  const [lastLine = ''] = output.trim().split('\n').slice(-1);
  return {
    code: 'PLUGIN_ENDED_PROCESS',
    message: `The process ended while the plugin was loaded: ${reason}${lastLine === '' ? '' : `; last it printed: ${lastLine}`}`,
    hint: 'A plugin must not end its process. Do such work when a tool is called, and return fail(…) instead.',
  };
}
