import type { RecommendedAction } from '@mortise/plugin';

/** In place of a tool's name: the tool and the arguments of the call that failed, with changes; `undefined` takes one away. */
export const SAME_CALL = '';

/** A next action that is a call of a tool of ours. */
export function call(
  description: string,
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): RecommendedAction {
  return { actionKind: 'CallTool', description, toolName, arguments: args };
}

/** The call that failed, with some arguments changed; with-working-directory.ts fills in the others. */
export function again(description: string, changes: Readonly<Record<string, unknown>>): RecommendedAction {
  return call(description, SAME_CALL, changes);
}

/** A next action that no tool of ours can do. */
export function manual(description: string): RecommendedAction {
  return { actionKind: 'ManualStep', description };
}
