import type { ProcessExitedError } from '../../processes/exit-reason.js';
import { longestLoadMs } from '../shared/load-clock.js';

/** How long a server may always take to start, in milliseconds: some are downloaded first. */
const MIN_START_MS = 60_000;

/** How long a server may take to start before it is ended, in milliseconds. */
export const startLimitMs = ({ loadTimeoutMs }: { readonly loadTimeoutMs: number }): number =>
  Math.max(MIN_START_MS, longestLoadMs(loadTimeoutMs));

const TOO_SLOW = 'it did not start within';

/** The reason of its end, as a clause. */
export const tooSlowToStart = (limitMs: number): string => `${TOO_SLOW} ${limitMs} ms`;

export const wasTooSlowToStart = ({ reason }: ProcessExitedError): boolean => reason.startsWith(TOO_SLOW);
