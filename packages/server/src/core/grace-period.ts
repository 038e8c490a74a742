/** How long a plugin's code may continue after its signal has fired, in milliseconds (docs/spec/plugin-processes.md#grace). */
export const GRACE_MS = 2_000;

/**
 * The same for what ships with the server: it ends process trees, which have 5 s before they are killed, and then says what
 * they had done (docs/spec/dotnet-runtime.md#termination).
 */
export const BUNDLED_GRACE_MS = 8_000;

/**
 * How long a process or a mounted server has to answer a ping, in milliseconds: when a call in it is over its grace, and
 * before a process gets the next plugin to load.
 */
export const PING_MS = 500;
