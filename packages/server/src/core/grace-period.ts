/** Time that a cancelled call may continue (docs/spec/plugin-processes.md#grace). */
export const GRACE_MS = 2_000;

/** Time that a plugin has to clean up when it is unloaded. The host of C# plugins has the same limit (Shutdown.cs). */
export const CLEAN_UP_MS = 2_000;

/** Time that a mounted server over stdio has to end after its input has ended. */
export const MOUNTED_END_MS = 1_000;

/**
 * The grace period of bundled plugins. They first end process trees, which get 5 s before they are killed, and then
 * report what those processes had done (docs/spec/dotnet-runtime.md#termination).
 */
export const BUNDLED_GRACE_MS = 8_000;

/**
 * Time in which a process or a mounted server must answer a ping. The server pings when a call exceeds its grace period,
 * and also before it loads another plugin into a process.
 */
export const PING_MS = 500;
