import type { RecommendedAction } from '../error-response.js';
import { type AnyCallResult, type ParsedResult, parseResult } from './parse-result.js';

export interface NextCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/**
 * The call that the result recommends, complete with its arguments. undefined if neither its errors nor its data
 * recommend one.
 */
export function nextCall(result: AnyCallResult | ParsedResult): NextCall | undefined {
  const parsed = 'ok' in result ? result : parseResult(result);
  const actions = parsed.ok ? [parsed.data.recommendedAction] : parsed.errors.map((error) => error.recommendedAction);
  const call = actions.find(isCall);
  return call && { name: call.toolName, arguments: { ...call.arguments } };
}

function isCall(action: unknown): action is Extract<RecommendedAction, { actionKind: 'CallTool' }> {
  return typeof action === 'object' && action !== null && 'actionKind' in action && action.actionKind === 'CallTool';
}
