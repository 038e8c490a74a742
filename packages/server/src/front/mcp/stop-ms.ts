import { BUNDLED_GRACE_MS } from '../../core/grace-period.js';

/**
 * An upper bound for the requests that run when the server stops. The host cancels their calls immediately (`close` in
 * server.ts), and this is longer than the grace of any tool, so each request is answered
 * (docs/spec/plugin-processes.md#grace).
 */
export const STOP_MS = BUNDLED_GRACE_MS + 1_000;
