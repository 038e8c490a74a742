import { type Action, type ActionCall, ActionFailed, type Answer } from '../../tool/action.js';

export async function startSession(
  _call: ActionCall,
  _start: { kind: 'run' | 'watch'; args: readonly string[] },
): Promise<Answer> {
  throw new ActionFailed('not yet', {});
}

export const sessionActions: Record<string, Action> = {};
