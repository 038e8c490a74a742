import type { ProcessTracker } from '@mortise/plugin';
import { descendantsOf, kill, signalGroup } from '@mortise/process';

/**
 * Ends the processes that a plugin has started when the plugin's own process ends. This process has the tag in its
 * environment, by which the server finds its descendants if this process is killed. Where the server cannot read
 * environments, only an orderly end of this process ends them.
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
