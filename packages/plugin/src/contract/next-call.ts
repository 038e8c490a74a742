import type { RecommendedAction } from '../error-response.js';
import { type AnyCallResult, type ParsedResult, parseResult } from './parse-result.js';

/** The parameters of a `tools/call`. */
export interface NextCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** The next action of a result as a call that can be made as it is; undefined if no error, and no data, recommends a call. */
export function nextCall(result: AnyCallResult | ParsedResult): NextCall | undefined {
  const parsed = 'ok' in result ? result : parseResult(result);
  const actions = parsed.ok ? [parsed.data.recommendedAction] : parsed.errors.map((error) => error.recommendedAction);
  const call = actions.find(isCall);
  return call && { name: call.toolName, arguments: { ...call.arguments } };
}

function isCall(action: unknown): action is Extract<RecommendedAction, { actionKind: 'CallTool' }> {
  return typeof action === 'object' && action !== null && 'actionKind' in action && action.actionKind === 'CallTool';
}
