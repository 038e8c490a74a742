import type { ActionContext, ActionResult } from '../../actions/action.js';
import { nextLine } from '../shared/suggest-restore.js';
import type { CodeDiagnostic } from './answer.js';
import { queryCode } from './query.js';
import { repairOfFirst } from './repair.js';

const query = queryCode('Diagnostics');

/** Lists diagnostics, and recommends the call that repairs the first error for which there is one. */
export async function diagnose(call: ActionContext): Promise<ActionResult> {
  const result = await query(call);
  const { diagnostics = [] } = result.data as { readonly diagnostics?: readonly CodeDiagnostic[] };
  const errors = diagnostics.filter(({ severity, needsGenerator }) => severity === 'error' && !needsGenerator);
  const recommendedAction = await repairOfFirst(errors, call);
  if (recommendedAction?.actionKind !== 'CallTool') return result;
  const { workingDirectory } = call.args;
  const next = { ...recommendedAction.arguments, ...(workingDirectory !== undefined && { workingDirectory }) };
  const action = { ...recommendedAction, arguments: next };
  return { data: { ...result.data, recommendedAction: action }, text: `${result.text}\n${nextLine(action)}` };
}
