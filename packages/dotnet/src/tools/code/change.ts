import type { ActionContext, ActionLock, ActionResult } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/call-paths.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import { withLock } from '../../actions/run-action.js';
import { allRepairs } from '../../advice/codes/code-catalog.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { call as nextCall } from '../../advice/next-call.js';
import { writeTextFiles } from '../../changes/text-files.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import { relativePath } from '../../project-files/relative-path.js';
import { nextLine } from '../shared/suggest-restore.js';
import type { CodeAnswer, CodeChange } from './answer.js';
import { diagnosticWithFixes, diffOf, publicChange } from './answer-text.js';
import { type CodeTarget, codeTarget } from './code-target.js';
import { ask } from './query.js';
import { withFixes } from './repair.js';

/** Previews the change of an action or, if the call has `apply: true`, writes it under the lock of the projects. */
export const previewOrApply =
  (action: string) =>
  (call: ActionContext): Promise<ActionResult> =>
    call.args.apply === true ? applyLocked(action, call) : preview(action, call);

async function preview(action: string, call: ActionContext): Promise<ActionResult> {
  const target = codeTarget(call);
  const answer = await ask(call, action, target);
  const { changes = [], conflicts = [], hash } = answer;
  const files = changes.length === 0 ? 'Nothing would change' : `${counted(changes.length, 'file')} would change`;
  const applying = nextCall('', 'dotnet_code', { action, ...call.args, apply: true, hash });
  const next = changes.length === 0 || conflicts.length > 0 ? [] : [nextLine(applying)];
  return resultOf(`${action}: ${files}`, { target: target.path, applied: false }, answer, next, call, conflicts);
}

const applyLocked = (action: string, call: ActionContext): Promise<ActionResult> =>
  withLock(call, action.toLowerCase(), [lockTarget(call)], () => applyChange(action)(call));

const lockTarget = (call: ActionContext) => lockTargetFor(codeTarget(call).path, call.cwd);

/** The lock of actions that always write: that of the solution or project. */
export const editLock = (operation: string): ActionLock => ({ operation, targets: (call) => [lockTarget(call)] });

/** Writes the change of an action. The caller holds the lock. */
export const applyChange =
  (action: string) =>
  async (call: ActionContext): Promise<ActionResult> => {
    const target = codeTarget(call);
    const answer = await writeChange(action, target, call);
    const summary = `${answer.title ?? action}: ${filesChanged(answer)}`;
    return resultOf(summary, { target: target.path, applied: true }, answer, [], call, answer.conflicts);
  };

async function writeChange(action: string, target: CodeTarget, call: ActionContext): Promise<CodeAnswer> {
  const answer = await ask(call, action, target, { apply: true, repairs: allRepairs });
  const { changes = [], conflicts = [] } = answer;
  if (conflicts.length > 0 && call.args.force !== true) throw conflicting(action, conflicts);
  assertWithinRoots(call, changes);
  const files = changes.map((change) => ({ ...change, text: change.text! }));
  await writeTextFiles(files, call.services.writeJournal);
  return answer;
}

const filesChanged = ({ changes = [] }: CodeAnswer): string => `${counted(changes.length, 'file')} changed`;

/** Applies a fix or, if the call names no line, each fix that is meant. The caller holds the lock. */
export async function applyFixes(call: ActionContext): Promise<ActionResult> {
  if (call.args.line !== undefined) return applyChange('ApplyFix')(call);
  const target = codeTarget(call);
  const answer = await writeChange('ApplyFix', target, call);
  const { repaired = [], conflicts } = answer;
  const { diagnostics, action } = await withFixes(answer.diagnostics ?? [], call);
  const summary = `${counted(repaired.length, 'error')} repaired, ${filesChanged(answer)}`;
  const next = action?.actionKind === 'CallTool' ? action : undefined;
  const left = { ...answer, diagnostics };
  const data = { target: target.path, applied: true, ...(next && { recommendedAction: next }) };
  return resultOf(summary, data, left, next ? [nextLine(next)] : [], call, conflicts);
}

function resultOf(
  summary: string,
  data: { readonly target: string; readonly applied: boolean },
  answer: CodeAnswer,
  next: readonly string[],
  { cwd }: ActionContext,
  conflicts: readonly string[] = [],
): ActionResult {
  const { changes = [], symbol, title, hash, notes, errorCount, diagnostics = [], repaired } = answer;
  const place = repaired ? '' : ' in the changed projects and those that use them';
  const lines = [
    summary,
    ...(repaired ?? []).map((one) => `  ${relativePath(cwd, one.file)}(${one.line}): ${one.code}: ${one.title}`),
    ...(conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')}:`, ...conflicts]),
    ...(errorCount ? [`${counted(errorCount, 'error')} ${data.applied ? 'left' : 'after it'}${place}`] : []),
    ...diagnostics.flatMap((one) => diagnosticWithFixes(one, cwd)),
    ...(notes ?? []),
    ...next,
    ...changes.map((change) => diffOf(change, cwd)),
  ];
  return {
    data: {
      success: true,
      ...data,
      ...(symbol && { symbol }),
      ...(title !== undefined && { fix: title }),
      ...(repaired && { repaired }),
      changes: changes.map(publicChange),
      ...(conflicts.length > 0 && { conflicts }),
      ...(!data.applied && { hash }),
      ...(errorCount !== undefined && { errorCount }),
      ...(diagnostics.length > 0 && { diagnostics }),
      ...(notes && { notes }),
    },
    text: lines.join('\n'),
  };
}

function assertWithinRoots({ services }: ActionContext, changes: readonly CodeChange[]): void {
  const { roots } = services.settings;
  const outside = changes.map(({ path, newPath }) => newPath ?? path).filter((path) => !isWithinRoots(roots, path));
  if (outside.length === 0) return;
  const message = `The change reaches files outside of Dotnet.Roots, so nothing was written: ${outside.join(', ')}`;
  throw new InvalidParameterError('project', 'invalid value', message, {
    hint: 'Change these files with another program, or add their folder to Dotnet.Roots.',
  });
}

function conflicting(action: string, conflicts: readonly string[]): InvalidParameterError {
  const message = `${action} makes ${counted(conflicts.length, 'conflict')}, so nothing was written: ${conflicts.join('; ')}`;
  return new InvalidParameterError(action === 'Rename' ? 'newName' : 'fix', 'conflict', message, {
    hint: 'Choose another name or fix. To write it nevertheless, add force: true.',
  });
}
