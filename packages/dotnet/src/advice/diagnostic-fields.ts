import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';

export const MAX_ERRORS = 100;
export const MAX_WARNINGS = 50;

/** A diagnostic as structured results show it (docs/spec/dotnet-results.md#build-fields). */
export interface DiagnosticField
  extends Partial<Pick<Diagnostic, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>> {
  readonly code: string;
  readonly message: string;
  readonly severity: Diagnostic['severity'];
  /** The number of times that it was reported, if more than one. */
  readonly count?: number;
  readonly project?: string;
  /** All projects that reported it, if more than one. */
  readonly projects?: readonly string[];
  readonly frameworks?: readonly string[];
}

export interface DiagnosticFields {
  readonly errorCount: number;
  readonly warningCount: number;
  /** At most {@link MAX_ERRORS} errors; absent if there are none. */
  readonly errors?: readonly DiagnosticField[];
  /** At most {@link MAX_WARNINGS} warnings; absent if there are none. */
  readonly warnings?: readonly DiagnosticField[];
  readonly omittedErrors?: number;
  readonly omittedWarnings?: number;
  readonly unparsedErrorCount?: number;
  readonly unparsedWarningCount?: number;
}

export function diagnosticFields(report: DiagnosticReport): DiagnosticFields {
  const { diagnostics, errorCount, warningCount, unparsedErrorCount, unparsedWarningCount } = report;
  const { error: errors, warning: warnings } = distinctCounts(report);
  const fieldsOf = (severity: Diagnostic['severity'], maxCount: number) =>
    firstOfEachCode(diagnostics.filter((diagnostic) => diagnostic.severity === severity))
      .slice(0, maxCount)
      .map(diagnosticField);
  return {
    errorCount,
    warningCount,
    ...(errors > 0 && { errors: fieldsOf('error', MAX_ERRORS) }),
    ...(warnings > 0 && { warnings: fieldsOf('warning', MAX_WARNINGS) }),
    ...(errors > MAX_ERRORS && { omittedErrors: errors - MAX_ERRORS }),
    ...(warnings > MAX_WARNINGS && { omittedWarnings: warnings - MAX_WARNINGS }),
    ...(unparsedErrorCount !== undefined && { unparsedErrorCount }),
    ...(unparsedWarningCount !== undefined && { unparsedWarningCount }),
  };
}

/** A longer list begins with one diagnostic of each code, so that no code is lost if the list is cut. */
const LONG_LIST = 10;

/** Keeps the order of the output, except that a long list begins with the first diagnostic of each code. */
function firstOfEachCode(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length <= LONG_LIST) return diagnostics;
  const first = new Map(diagnostics.toReversed().map((diagnostic) => [diagnostic.code, diagnostic]));
  const isFirst = (diagnostic: Diagnostic) => first.get(diagnostic.code) === diagnostic;
  return [...diagnostics.filter(isFirst), ...diagnostics.filter((diagnostic) => !isFirst(diagnostic))];
}

/** Counts the distinct diagnostics, including those that the report does not keep. */
export function distinctCounts({
  diagnostics,
  distinct,
}: Pick<DiagnosticReport, 'diagnostics' | 'distinct'>): Record<Diagnostic['severity'], number> {
  const count = (severity: Diagnostic['severity']) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return distinct ?? { error: count('error'), warning: count('warning') };
}

function diagnosticField(diagnostic: Diagnostic): DiagnosticField {
  const { file, line, column, endLine, endColumn, code, message, severity, count, projects, frameworks } = diagnostic;
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
    code,
    message,
    severity,
    ...(count !== undefined && { count }),
    ...(projects[0] !== undefined && { project: projects[0] }),
    ...(projects.length > 1 && { projects }),
    ...(frameworks.length > 0 && { frameworks }),
  };
}

type Counts = Pick<DiagnosticReport, 'errorCount' | 'warningCount'>;

/**
 * Returns `Build succeeded`, or `Build succeeded: 5 projects, 0 errors, 2 warnings` if there were any, for the text and
 * the data of a result (docs/spec/dotnet-results.md#summaries).
 * @param projects the number of built projects; 0 if unknown
 */
export function succeededSummary(label: string, { errorCount, warningCount }: Counts, projects = 0): string {
  if (errorCount === 0 && warningCount === 0) return `${label} succeeded`;
  const counts = [...projectCount(projects), counted(errorCount, 'error'), counted(warningCount, 'warning')];
  return `${label} succeeded: ${counts.join(', ')}`;
}

/** Returns a line such as `5 projects, 0 warnings`, for below a summary without counts. */
export function cleanCounts(projects: number): string {
  return [...projectCount(projects), counted(0, 'warning')].join(', ');
}

function projectCount(projects: number): string[] {
  return projects === 0 ? [] : [counted(projects, 'project')];
}

/** Returns a line such as `Build failed: 2 errors, 1 warning`; only `Build failed` if no errors were counted. */
export function failedSummary(label: string, { errorCount, warningCount }: Counts): string {
  if (errorCount === 0) return `${label} failed`;
  const warnings = warningCount === 0 ? '' : `, ${counted(warningCount, 'warning')}`;
  return `${label} failed: ${counted(errorCount, 'error')}${warnings}`;
}

/** Returns `1 error` or `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The maximum number of warnings in the text of a result; the data of the result has more. */
const MAX_WARNING_LINES = 10;

export interface WarningLines {
  readonly lines: readonly string[];
  /** True if there are more warnings than the lines show. */
  readonly isPartial: boolean;
}

/** Returns the first warnings, one per line, and then the number of further ones. */
export function warningLines(report: DiagnosticReport, displayNameOf: (project: string) => string): WarningLines {
  const { warnings = [] } = diagnosticFields(report);
  const lines = warnings.slice(0, MAX_WARNING_LINES).map(({ file, line, column, code, message, projects }) => {
    const location = file === undefined ? '' : `${file}${line === undefined ? '' : `(${line},${column ?? 1})`}: `;
    return `${location}warning ${code}: ${message}${projects ? ` [${projects.map(displayNameOf).join(', ')}]` : ''}`;
  });
  const more = distinctCounts(report).warning - lines.length;
  return {
    lines: more > 0 ? [...lines, `… and ${counted(more, 'more warning')}`] : lines,
    isPartial: more > 0,
  };
}
