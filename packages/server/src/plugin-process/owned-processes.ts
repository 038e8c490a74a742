import type { OwnedProcesses } from '@mortise/plugin';
import { endGroup } from '../runners/process/end-group.js';

/**
 * What a plugin in a process of its own starts. The environment is marked already, so that the server finds all of it;
 * where it cannot look into environments, the groups end with this process unless it is killed.
 */
export function createOwnedProcesses(): OwnedProcesses {
  const running = new Set<number>();
  process.once('exit', () => {
    for (const pid of running) endGroup(pid);
  });
  return {
    environment: {},
    own(pid) {
      running.add(pid);
      return { remove: () => void running.delete(pid) };
    },
  };
}
