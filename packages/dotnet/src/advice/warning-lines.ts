import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import { counted, diagnosticFields, distinctCounts } from './diagnostic-fields.js';

/** Warnings that the text of a result shows; its data has more of them. */
const MAX_WARNINGS = 10;

export interface WarningLines {
  readonly lines: readonly string[];
  /** Whether there are more than the lines show. */
  readonly isPartial: boolean;
}

/** The first warnings, one a line, and how many more there are; `shown` writes a project. */
export function warningLines(report: DiagnosticReport, displayNameOf: (project: string) => string): WarningLines {
  const { warnings = [] } = diagnosticFields(report);
  const lines = warnings.slice(0, MAX_WARNINGS).map(({ file, line, column, code, message, projects }) => {
    const location = file === undefined ? '' : `${file}${line === undefined ? '' : `(${line},${column ?? 1})`}: `;
    return `${location}warning ${code}: ${message}${projects ? ` [${projects.map(displayNameOf).join(', ')}]` : ''}`;
  });
  const more = distinctCounts(report).warning - lines.length;
  return {
    lines: more > 0 ? [...lines, `… and ${counted(more, 'more warning')}`] : lines,
    isPartial: more > 0,
  };
}
