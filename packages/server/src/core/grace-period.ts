/** Time that plugin code may continue after its signal has fired (docs/spec/plugin-processes.md#grace). */
export const GRACE_MS = 2_000;

/**
 * The grace period of bundled plugins. They first end process trees, which get 5 s before they are killed, and then
 * report what those processes had done (docs/spec/dotnet-runtime.md#termination).
 */
export const BUNDLED_GRACE_MS = 8_000;

/**
 * Time in which a process or a mounted server must answer a ping. It is pinged when a call exceeds its grace period,
 * and a process also before it loads the next plugin.
 */
export const PING_MS = 500;
