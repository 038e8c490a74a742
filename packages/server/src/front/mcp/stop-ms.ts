import { BUNDLED_GRACE_MS } from '../../core/grace-period.js';

/**
 * How long running requests may take to be answered when the server stops, in milliseconds: longer than any tool may
 * continue after its signal has fired, so that each is answered (docs/spec/plugin-processes.md#grace). The host cancels them at once.
 */
export const STOP_MS = BUNDLED_GRACE_MS + 1_000;
