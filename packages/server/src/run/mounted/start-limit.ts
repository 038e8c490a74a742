import type { ProcessExitedError } from '../../processes/exit-reason.js';
import { longestLoadMs } from '../shared/load-clock.js';

/** Every server has at least this time to start, because some are downloaded first. */
const MIN_START_MS = 60_000;

/** The time that a server has to start before it is killed. */
export const startLimitMs = ({ loadTimeoutMs }: { readonly loadTimeoutMs: number }): number =>
  Math.max(MIN_START_MS, longestLoadMs(loadTimeoutMs));

const TOO_SLOW = 'it did not start within';

/** The reason with which a server that starts too slowly is killed. */
export const tooSlowToStart = (limitMs: number): string => `${TOO_SLOW} ${limitMs} ms`;

export const wasTooSlowToStart = ({ reason }: ProcessExitedError): boolean => reason.startsWith(TOO_SLOW);
