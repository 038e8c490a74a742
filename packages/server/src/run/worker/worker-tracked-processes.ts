import type { ProcessTracker } from '@mortise/plugin';
import { descendantsOf, kill, signalGroup } from '@mortise/process';

/**
 * Ends the processes that a plugin has started when the plugin's own process ends in an orderly way. If this process is
 * killed, the server finds and ends its descendants by the tag in their environment, on platforms where the server can
 * read environments.
 */
export function createTrackedProcesses(): ProcessTracker {
  const running = new Set<number>();
  process.once('exit', () => {
    const descendants = descendantsOf(process.pid);
    for (const pid of running) signalGroup(pid, 'SIGKILL');
    for (const pid of descendants) kill(pid);
  });
  return {
    environment: {},
    own(pid) {
      running.add(pid);
      return { remove: () => void running.delete(pid) };
    },
  };
}
