import type { ErrorResult } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { bounded } from '../diagnostics/parse/truncate.js';
import { categoryOf, findCode, mcpErrorCodeOf } from './codes/code-catalog.js';
import { documentationUrlFor } from './codes/documentation-url.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { filledFixes } from './fill-fixes.js';
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
