import type { ProcessTracker } from '@mortise/plugin';
import { createProcessTag, type Reaper, signalGroup } from '@mortise/process';

/** The processes that a plugin in the server's own process starts. They end with the plugin, and with the server. */
export interface TrackedProcesses extends ProcessTracker {
  /** Kills all these processes immediately. */
  end(): void;
}

export function createTrackedProcesses(reaper: Reaper): TrackedProcesses {
  const { tag, environment } = createProcessTag();
  const running = new Set<number>();
  const groups = new Set<number>();
  return {
    environment,
    own(pid) {
      running.add(pid);
      groups.add(pid);
      reaper.add({ pid, tag });
      return {
        remove() {
          if (running.delete(pid)) reaper.release({ pid, tag });
        },
      };
    },
    end() {
      for (const pid of running) signalGroup(pid, 'SIGKILL');
      const [anyGroup] = groups;
      if (anyGroup !== undefined) reaper.remove({ pid: anyGroup, tag });
      running.clear();
      groups.clear();
    },
  };
}
