import type { ProcessTracker } from '@mortise/plugin';
import { descendantsOf, kill, signalGroup } from '@mortise/process';

/**
 * The processes that a plugin in its own process starts. The environment already contains the process tag, so that the server
 * finds them. If the server cannot read environments, the groups end with this process unless it is killed. So do processes that
 * cleared their environment, if they can be found.
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
