import type { ProcessTracker, Registration } from '@mortise/plugin';
import { isGroupAlive } from './process-tree.js';

/** Process groups that end with the server. */
export interface ProcessGroups {
  add(pid: number): void;
  /** The leader has ended. The group stays owned while something is left in it, such as a build server. */
  leaderEnded(pid: number): void;
  /** Gives up the groups that nothing is left of. */
  sweep(): void;
}

export function createProcessGroups(own: ProcessTracker): ProcessGroups {
  const groups = new Map<number, { registration: Registration; hasLeader: boolean }>();

  function sweep(): void {
    for (const [pid, { registration, hasLeader }] of groups) {
      if (hasLeader || isGroupAlive(pid)) continue;
      groups.delete(pid);
      registration.remove();
    }
  }

  return {
    add(pid) {
      groups.set(pid, { registration: own.own(pid), hasLeader: true });
    },
    leaderEnded(ended) {
      const group = groups.get(ended);
      if (group) group.hasLeader = false;
      sweep();
    },
    sweep,
  };
}
