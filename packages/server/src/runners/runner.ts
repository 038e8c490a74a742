import type { PluginHost, PluginInstance, PluginProblem } from '@mortise/plugin/host';
import type { Candidate } from '../plugins/find.js';

/**
 * Runs one plugin: in the server, in a process of its own, or on a mounted server. To the road of a call they are all
 * the same.
 */
export type Runner = PluginInstance;

/** A plugin that has a module to load. */
export type RunnableCandidate = Candidate & { readonly entry: string };

/**
 * Loads one plugin. Never rejects: why it did not load is a problem with its place. It may take as long as it likes: the
 * catalog sets the time.
 */
export type LoadRunner = (
  candidate: RunnableCandidate,
  host: PluginHost,
) => Promise<{ runner: Runner } | { problem: PluginProblem }>;
