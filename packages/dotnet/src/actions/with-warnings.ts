import { diagnosticFields, warningLines } from '../advice/diagnostic-fields.js';
import { fitting } from '../advice/shared-help.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import type { ActionResult } from './action.js';

/** The maximum size of the warnings of a result, in characters of JSON. */
const WARNING_CHARS = 6_000;

/** Adds the warnings of the command to the data and the text of a result. */
export function withWarnings(answer: ActionResult, report: DiagnosticReport): ActionResult {
  const { warnings = [] } = diagnosticFields(report);
  if (warnings.length === 0) return answer;
  const { lines, isPartial } = warningLines(report, (project) => project);
  return {
    ...answer,
    data: { ...answer.data, warnings: fitting(warnings, WARNING_CHARS) },
    text: [answer.text, ...lines].join('\n'),
    ...(isPartial && { isPartial }),
  };
}
