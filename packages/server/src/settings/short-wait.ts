/**
 * Returns how long the first calls wait for plugins that are still loading, and how long a command waits before it says
 * so: one second by default.
 */
export const shortWaitMs = ({ StartWaitMs }: { readonly StartWaitMs: number }): number => Math.round(StartWaitMs / 8);
