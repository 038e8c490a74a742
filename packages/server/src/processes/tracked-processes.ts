import { randomBytes } from 'node:crypto';
import type { OwnedProcesses } from '@mortise/plugin';
import { killProcessGroup } from './kill-group.js';
import { PROCESS_TAG_VARIABLE } from './process-tag.js';
import type { Reaper } from './reaper.js';

/** What a plugin in the server's own process starts: it ends with the plugin, and with the server however that ends. */
export interface TrackedProcesses extends OwnedProcesses {
  /** Ends all of it, at once. */
  end(): void;
}

export function createOwnedProcesses(reaper: Reaper): TrackedProcesses {
  const mark = randomBytes(12).toString('hex');
  const running = new Set<number>();
  const owned = new Set<number>();
  return {
    environment: { [PROCESS_TAG_VARIABLE]: [process.env[PROCESS_TAG_VARIABLE], mark].filter(Boolean).join(' ') },
    own(pid) {
      running.add(pid);
      owned.add(pid);
      reaper.add({ pid, mark });
      return {
        remove() {
          if (running.delete(pid)) reaper.release({ pid, mark });
        },
      };
    },
    end() {
      for (const pid of running) killProcessGroup(pid);
      const [any] = owned;
      if (any !== undefined) reaper.remove({ pid: any, mark });
      running.clear();
      owned.clear();
    },
  };
}
