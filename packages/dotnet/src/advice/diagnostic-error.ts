import type { ErrorResult, RecommendedAction } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { bounded } from '../diagnostics/parse/truncate.js';
import { categoryOf, findCode, mcpErrorCodeOf } from './codes/code-catalog.js';
import { documentationUrlFor } from './codes/documentation-url.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { packageInMessage, proposedVersion } from './package-in-message.js';
import { isSpecificAdvice } from './recommended-action.js';
import { rootCauseOf } from './root-cause.js';

/** Projects that an error lists; `projectCount` counts all. */
const MAX_PROJECTS = 20;

/** An entry of `errors[]` for a diagnostic: what was printed, and the catalogue entry of its code. */
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

/** The tasks that make container images end with any exception (MSB4018): what helps other tasks does not help them. */
function isContainerFailure({ code, message }: Diagnostic): boolean {
  return code === 'MSB4018' && message.includes('"CreateNewImage"');
}

/** `Raise it: dotnet_package {"action":"Add"}` */
const CALL = /^(.*?\b)(dotnet_\w+) (\{.*\})$/s;

/**
 * The fixes of a code as they fit one error: with the package, the version and the project that are known, and without those
 * that repeat the next action. A placeholder shows what the caller has to fill in; an unknown project is left out.
 */
function filledFixes(
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
    const ofProject = args.project === '<project>' ? { project } : {};
    return [`${words}${tool} ${JSON.stringify({ ...args, ...ofProject })}`];
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
