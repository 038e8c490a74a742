// vitest calls it in its own process once all tests have ended, also where it had to kill a process that ran them.
import { killTagged } from '../../packages/process/src/tags.js';

/** What the names of the compiler servers begin with that the processes of one run of vitest start. @param pid of vitest */
export const compilersOf = (pid: number): string => `mortise-tests-${pid}-`;

export const teardown = (): Promise<void> => killTagged(compilersOf(process.pid));
