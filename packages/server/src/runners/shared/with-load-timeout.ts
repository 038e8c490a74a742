import type { PluginProblem } from '@mortise/plugin/runtime';
import type { LoadRunner } from '../../core/plugin-runner.js';
import { TIMED_OUT, withTimeout } from '../../util/with-timeout.js';

/** A loader that takes too long gives a problem with this hint first; what it comes to later is `late`. */
export function withLoadTimeout(load: LoadRunner, loadTimeoutMs: number, hint: string): LoadRunner {
  return async (candidate, host) => {
    const afterTimeout = load(candidate, host);
    const loaded = await withTimeout(afterTimeout, loadTimeoutMs);
    return loaded === TIMED_OUT ? { problem: timedOut(candidate.entry, loadTimeoutMs, hint), afterTimeout } : loaded;
  };
}

function timedOut(file: string, limitMs: number, hint: string): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limitMs} ms; its tools appear once it has loaded`,
    hint,
    location: { file },
  };
}
