import type { ActionContext, ActionResult } from '../../actions/action.js';
import { nextLine } from '../shared/suggest-restore.js';
import { type CodeTarget, codeTarget } from './code-target.js';
import { answerResult, ask } from './query.js';
import { withFixes } from './repair.js';

/** Lists diagnostics with the fixes that are meant for the first errors, and recommends the call that repairs most. */
export async function diagnose(call: ActionContext): Promise<ActionResult> {
  const target = codeTarget(call);
  const answer = await ask(call, 'Diagnostics', target);
  const { diagnostics, action } = await withFixes(answer.diagnostics ?? [], call, scopeOf(call, target));
  const result = answerResult('Diagnostics', { ...answer, diagnostics }, target, call);
  if (action?.actionKind !== 'CallTool') return result;
  return { data: { ...result.data, recommendedAction: action }, text: `${result.text}\n${nextLine(action)}` };
}

/** Returns the parameters that name the file, project or solution of a call. */
const scopeOf = ({ args, resolve }: ActionContext, { project, path }: CodeTarget): object => ({
  ...(args.file !== undefined && { file: resolve(args.file) }),
  ...((args.file === undefined || args.project !== undefined) && { project: project ?? path }),
});
