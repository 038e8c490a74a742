import type { ActionContext, ActionResult } from '../../actions/action.js';
import { isWithinRoots } from '../../actions/call-paths.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import { withLock } from '../../actions/run-action.js';
import { counted } from '../../advice/diagnostic-fields.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import { relativePath } from '../../project-files/relative-path.js';
import { writeTextFiles } from '../../project-files/text-files.js';
import type { CodeAnswer, CodeChange } from './answer.js';
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

function applyLocked(action: string, call: ActionContext): Promise<ActionResult> {
  const target = codeTarget(call);
  return withLock(call, action.toLowerCase(), [lockTargetFor(target.path, call.cwd)], async () => {
    const answer = await ask(call, action, target, { apply: true });
    const { changes = [], conflicts = [] } = answer;
    if (conflicts.length > 0 && call.args.force !== true) throw conflicting(action, conflicts);
    assertWithinRoots(call, changes);
    await writeTextFiles(changes.map((change) => ({ ...change, text: change.text! })));
    const summary = `${action}: ${counted(changes.length, 'file')} changed`;
    return resultOf(summary, { target: target.path, applied: true }, answer, [], call, conflicts);
  });
}

function resultOf(
  summary: string,
  data: { readonly target: string; readonly applied: boolean },
  answer: CodeAnswer,
  next: readonly string[],
  { cwd }: ActionContext,
  conflicts: readonly string[],
): ActionResult {
  const { changes = [], symbol, hash, notes, errorCount } = answer;
  const lines = [
    summary,
    ...(conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')}:`, ...conflicts]),
    ...(errorCount ? [`${counted(errorCount, 'error')} ${data.applied ? 'left' : 'after it'}`] : []),
    ...(notes ?? []),
    ...next,
    ...changes.map((change) => diffOf(change, cwd)),
  ];
  return {
    data: {
      success: true,
      ...data,
      ...(symbol && { symbol }),
      changes: changes.map(({ path, newPath, diff }) => ({ path, ...(newPath && { newPath }), diff })),
      ...(conflicts.length > 0 && { conflicts }),
      ...(!data.applied && { hash }),
      ...(errorCount !== undefined && { errorCount }),
      ...(notes && { notes }),
    },
    text: lines.join('\n'),
  };
}

/** Returns the unified diff of a file, with paths relative to the call's folder. */
export function diffOf({ path, newPath, hash, diff }: CodeChange, cwd: string): string {
  const before = hash === undefined ? '/dev/null' : `a/${relativePath(cwd, path)}`;
  return `--- ${before}\n+++ b/${relativePath(cwd, newPath ?? path)}\n${diff}`.trimEnd();
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
