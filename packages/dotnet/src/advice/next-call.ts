import type { RecommendedAction } from '@mortise/plugin';

/**
 * Stands for the tool of the call that failed. The arguments are changes to those of that call: an argument that is
 * `undefined` is removed.
 */
export const SAME_CALL = '';

/** Recommends a call of a Mortise tool. */
export function call(
  description: string,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): RecommendedAction {
  return { actionKind: 'CallTool', description, toolName, arguments: args };
}

/** Recommends the call that failed with some arguments changed; with-working-directory.ts fills in the others. */
export function again(description: string, changes: Readonly<Record<string, unknown>>): RecommendedAction {
  return call(description, SAME_CALL, changes);
}

/** Recommends a step that no Mortise tool can do. */
export function manual(description: string): RecommendedAction {
  return { actionKind: 'ManualStep', description };
}
