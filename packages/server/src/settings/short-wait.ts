/** How long calls of what has loaded wait for other plugins, and how long commands wait in silence: a second by default. */
export const shortWaitMs = ({ StartWaitMs }: { readonly StartWaitMs: number }): number => Math.round(StartWaitMs / 8);
