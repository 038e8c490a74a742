/** How long a plugin's code may continue after its signal has fired, in milliseconds (docs/spec/plugins.md#grace). */
export const GRACE_MS = 2000;
