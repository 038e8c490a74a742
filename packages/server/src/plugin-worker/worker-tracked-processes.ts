import type { ProcessTracker } from '@mortise/plugin';
import { descendantsOf } from '../processes/descendants.js';
import { killProcessGroup } from '../processes/kill-group.js';

/**
 * What a plugin in a process of its own starts. The environment is marked already, so that the server finds all of it;
 * where it cannot look into environments, the groups end with this process unless it is killed. So does what gave up its
 * environment, where that can be seen.
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
    // It has ended meanwhile.
  }
}
