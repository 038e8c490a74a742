import type { ActionContext, ActionLock, ActionResult } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/call-paths.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import { withLock } from '../../actions/run-action.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { writeTextFiles } from '../../changes/text-files.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import type { CodeAnswer, CodeChange } from './answer.js';
import { diagnosticLine, diffOf, publicChange } from './answer-text.js';
import { codeTarget } from './code-target.js';
import { ask } from './query.js';

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
  const next = changes.length === 0 ? [] : [`To write this: the same call with apply: true and hash: ${hash}`];
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
    const answer = await ask(call, action, target, { apply: true });
    const { changes = [], conflicts = [], title } = answer;
    if (conflicts.length > 0 && call.args.force !== true) throw conflicting(action, conflicts);
    assertWithinRoots(call, changes);
    const files = changes.map((change) => ({ ...change, text: change.text! }));
    await writeTextFiles(files, call.services.writeJournal);
    const summary = `${title ?? action}: ${counted(changes.length, 'file')} changed`;
    return resultOf(summary, { target: target.path, applied: true }, answer, [], call, conflicts);
  };

function resultOf(
  summary: string,
  data: { readonly target: string; readonly applied: boolean },
  answer: CodeAnswer,
  next: readonly string[],
  { cwd }: ActionContext,
  conflicts: readonly string[],
): ActionResult {
  const { changes = [], symbol, title, hash, notes, errorCount, diagnostics = [] } = answer;
  const lines = [
    summary,
    ...(conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')}:`, ...conflicts]),
    ...(errorCount
      ? [
          `${counted(errorCount, 'error')} ${data.applied ? 'left' : 'after it'} in the changed projects and those that use them`,
        ]
      : []),
    ...diagnostics.map((one) => diagnosticLine(one, cwd)),
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
