import { BUNDLED_GRACE_MS } from '../../core/grace-period.js';

/**
 * The longest wait for the answers to running requests when the server is closed. The server cancels their calls immediately
 * (`close` in server.ts). The wait is longer than the grace period of any tool, so each request is answered
 * (docs/spec/plugin-processes.md#grace).
 */
export const STOP_MS = BUNDLED_GRACE_MS + 1_000;
