import type { RecommendedAction } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { packageInMessage } from './package-in-message.js';
import { proposedVersion } from './version-in-message.js';

/** `Raise it: dotnet_package {"action":"Add"}` */
const CALL = /^(.*?\b)(dotnet_\w+) (\{.*\})$/s;

/** Actions that take the project which an error is about. */
const OF_A_PROJECT: Readonly<Record<string, readonly string[]>> = {
  dotnet_package: ['Add', 'Remove', 'Update', 'List', 'Why', 'Audit', 'RemoveReference', 'AddReference'],
  dotnet_project: ['Restore', 'Build', 'Clean', 'Format', 'SetProperty', 'RemoveProperty', 'Analyze', 'GetProperty'],
};

/**
 * The fixes of a code as they fit one error: with the package, the version and the project that are known, and without those
 * that repeat the next action. A placeholder shows what the caller has to fill in.
 */
export function filledFixes(
  fixes: readonly string[],
  { message, projects: [project] }: Pick<Diagnostic, 'message' | 'projects'>,
  next: RecommendedAction | undefined,
  run: FailureEvidence['run'],
): string[] {
  const packageId = packageInMessage(message);
  const version = proposedVersion(message);
  const isOfTool = run?.args[0] === 'tool';
  return fixes.flatMap((fix) => {
    const [, words, tool, json] = CALL.exec(fix) ?? [];
    if (json === undefined) return [fix];
    const filled = json
      .replaceAll('<PackageId>', packageId ?? '<PackageId>')
      .replaceAll('<version>', version ?? '<version>');
    const args = JSON.parse(filled) as Record<string, unknown>;
    if (isSame(next, tool!, args) || (isOfTool && ADDS.has(String(args.action)))) return [];
    const takesProject = OF_A_PROJECT[tool!]?.includes(args.action as string) && args.project === undefined;
    return [
      `${words}${tool} ${JSON.stringify({ ...args, ...(takesProject && project !== undefined && { project }) })}`,
    ];
  });
}

/** Actions that give a project a version of a package; what they name is no tool. */
const ADDS: ReadonlySet<string> = new Set(['Add', 'Update']);

/** Whether the next action does what a fix proposes. */
function isSame(next: RecommendedAction | undefined, tool: string, { action }: Record<string, unknown>): boolean {
  if (next?.actionKind !== 'CallTool' || next.toolName !== tool) return false;
  const isAdding = (name: unknown) => tool === 'dotnet_package' && ADDS.has(String(name));
  return next.arguments.action === action || (isAdding(action) && isAdding(next.arguments.action));
}
