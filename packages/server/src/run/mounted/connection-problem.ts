import type { PluginProblem } from '@mortise/plugin/runtime';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import type { McpServerEntry } from '../../settings/settings.js';
import { wasTooSlowToStart } from './start-limit.js';

/** The maximum length of a server's last output in a problem. */
const MAX_OUTPUT_CHARS = 500;

/** The problem of a mounted server that cannot be started or reached. */
export function connectionProblem(
  entry: McpServerEntry,
  location: PluginProblem['location'],
  ended: ProcessExitedError,
): PluginProblem {
  const { reason, output } = ended;
  const hint =
    'url' in entry
      ? 'Check url and headers of its entry, and that the server is running.'
      : 'Run the command of its entry in a terminal and check its output; command, args, env and cwd are set in Plugins.McpServers.';
  return {
    severity: 'error',
    code: wasTooSlowToStart(ended) ? 'PLUGIN_LOAD_TIMEOUT' : 'SERVER_NOT_CONNECTED',
    message: `The server cannot be used: ${reason}${lastOutput(output)}`,
    hint,
    location,
  };
}

/** The last output of a process as the end of a sentence, or '' if there is none. */
export function lastOutput(output: string): string {
  return output.trim() === '' ? '' : `. It printed last: ${output.trim().slice(-MAX_OUTPUT_CHARS)}`;
}
