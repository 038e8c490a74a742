import type { ErrorResult, RecommendedAction } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { bounded } from '../diagnostics/parse/truncate.js';
import { categoryOf, findCode, mcpErrorCodeOf } from './codes/code-catalog.js';
import { documentationUrlFor } from './codes/documentation-url.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { packageInMessage, proposedVersion } from './package-in-message.js';
import { isSpecificAdvice } from './recommended-action.js';
import { rootCauseOf } from './root-cause.js';

/** The maximum number of projects that an error lists; `projectCount` counts all of them. */
const MAX_PROJECTS = 20;

/** Builds the entry of `errors[]` for a diagnostic, with the help for its code and the next action. */
export function diagnosticError(diagnostic: Diagnostic, evidence: FailureEvidence): ErrorResult {
  const { code, message, file, line, column, projects, frameworks, raw } = diagnostic;
  const entry = isContainerFailure(diagnostic) ? undefined : findCode(code);
  const documentationUrl = documentationUrlFor(code);
  const mcpErrorCode = mcpErrorCodeOf(code);
  const cause = rootCauseOf(evidence);
  const { recommendedAction: next } = cause;
  const hint = isSpecificAdvice(code, next) ? next?.description : (entry?.hint ?? next?.description);
  const additionalData = {
    ...(projects[0] !== undefined && { project: projects[0] }),
    ...(projects.length > 1 && { projects: projects.slice(0, MAX_PROJECTS).join('; ') }),
    ...(projects.length > MAX_PROJECTS && { projectCount: String(projects.length) }),
    ...(frameworks.length > 0 && { frameworks: frameworks.join('; ') }),
  };
  return {
    code,
    message,
    category: categoryOf(code, diagnostic),
    ...(hint !== undefined && { hint }),
    ...(entry && { explanation: entry.explanation }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(entry && { suggestedFixes: filledFixes(entry.suggestedFixes, diagnostic, next, evidence.run) }),
    rawOutput: bounded(raw),
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...(Object.keys(additionalData).length > 0 && { data: { additionalData } }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...cause,
  };
}

/** True if the task that makes container images failed with an exception. The help for MSB4018 does not apply to it. */
function isContainerFailure({ code, message }: Diagnostic): boolean {
  return code === 'MSB4018' && message.includes('"CreateNewImage"');
}

/** Matches a fix with a call, such as `Raise it: dotnet_package {"action":"Add"}`. */
const CALL = /^(.*?\b)(dotnet_\w+) (\{.*\})$/s;

/**
 * Fills the package, version and project of one error into the fixes for its code, and leaves out fixes that repeat the
 * next action. If the package or the version is unknown, its placeholder stays; an unknown project is left out.
 */
function filledFixes(
  fixes: readonly string[],
  { message, projects: [project] }: Pick<Diagnostic, 'message' | 'projects'>,
  next: RecommendedAction | undefined,
  run: FailureEvidence['run'],
): string[] {
  const packageId = packageInMessage(message);
  const version = proposedVersion(message);
  const isToolCommand = run?.args[0] === 'tool';
  return fixes.flatMap((fix) => {
    const [, words, tool, json] = CALL.exec(fix) ?? [];
    if (json === undefined) return [fix];
    const filled = json
      .replaceAll('<PackageId>', packageId ?? '<PackageId>')
      .replaceAll('<version>', version ?? '<version>');
    const args = JSON.parse(filled) as Record<string, unknown>;
    if (isSame(next, tool!, args) || (isToolCommand && ADDING_ACTIONS.has(String(args.action)))) return [];
    const projectArgs = args.project === '<project>' ? { project } : {};
    return [`${words}${tool} ${JSON.stringify({ ...args, ...projectArgs })}`];
  });
}

/** Actions that give a project a version of a package. They do not apply to .NET tools, which are packages too. */
const ADDING_ACTIONS: ReadonlySet<string> = new Set(['Add', 'Update']);

function isSame(next: RecommendedAction | undefined, tool: string, { action }: Record<string, unknown>): boolean {
  if (next?.actionKind !== 'CallTool' || next.toolName !== tool) return false;
  const isAdding = (name: unknown) => tool === 'dotnet_package' && ADDING_ACTIONS.has(String(name));
  return next.arguments.action === action || (isAdding(action) && isAdding(next.arguments.action));
}
