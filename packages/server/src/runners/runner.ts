import type { PluginInstance } from '@mortise/plugin/host';

/**
 * Runs one plugin: in the server, in a process of its own, or on a mounted server. To the road of a call they are all
 * the same.
 */
export type Runner = PluginInstance;
