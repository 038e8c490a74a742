import type { ProcessTracker } from '@mortise/plugin';
import { descendantsOf } from '../../processes/descendants.js';
import { killProcessGroup } from '../../processes/kill-group.js';

/**
 * The processes that a plugin in its own process starts. The environment already contains the process tag, so that the server
 * finds them. If the server cannot read environments, the groups end with this process unless it is killed. So do processes that
 * cleared their environment, if they can be found.
 */
export function createTrackedProcesses(): ProcessTracker {
  const running = new Set<number>();
  process.once('exit', () => {
    const descendants = descendantsOf(process.pid);
    for (const pid of running) killProcessGroup(pid);
    for (const pid of descendants) end(pid);
  });
  return {
    environment: {},
    own(pid) {
      running.add(pid);
      return { remove: () => void running.delete(pid) };
    },
  };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}
