import type { Diagnostic } from './diagnostic.js';
import type { DiagnosticReport } from './diagnostics.js';

export const MAX_ERRORS = 100;
export const MAX_WARNINGS = 50;

/** A diagnostic as structured results show it (contract.md §2, row Build). */
export interface DiagnosticField
  extends Partial<Pick<Diagnostic, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>> {
  readonly code: string;
  readonly message: string;
  readonly severity: Diagnostic['severity'];
  /** Of several projects that reported it, the first. */
  readonly project?: string;
  readonly frameworks?: readonly string[];
}

export interface DiagnosticFields {
  readonly errorCount: number;
  readonly warningCount: number;
  /** At most {@link MAX_ERRORS}; absent when there is none. */
  readonly errors?: readonly DiagnosticField[];
  /** At most {@link MAX_WARNINGS}; absent when there is none. */
  readonly warnings?: readonly DiagnosticField[];
  readonly omittedErrors?: number;
  readonly omittedWarnings?: number;
  readonly unparsedErrorCount?: number;
  readonly unparsedWarningCount?: number;
}

/** The fields of a result that tell of its diagnostics. */
export function diagnosticFields(report: DiagnosticReport): DiagnosticFields {
  const { diagnostics, errorCount, warningCount, unparsedErrorCount, unparsedWarningCount } = report;
  const fieldsOf = (severity: Diagnostic['severity'], most: number) =>
    diagnostics
      .filter((each) => each.severity === severity)
      .slice(0, most)
      .map(diagnosticField);
  return {
    errorCount,
    warningCount,
    ...(errorCount > 0 && { errors: fieldsOf('error', MAX_ERRORS) }),
    ...(warningCount > 0 && { warnings: fieldsOf('warning', MAX_WARNINGS) }),
    ...(errorCount > MAX_ERRORS && { omittedErrors: errorCount - MAX_ERRORS }),
    ...(warningCount > MAX_WARNINGS && { omittedWarnings: warningCount - MAX_WARNINGS }),
    ...(unparsedErrorCount !== undefined && { unparsedErrorCount }),
    ...(unparsedWarningCount !== undefined && { unparsedWarningCount }),
  };
}

/** One diagnostic as results show it. */
export function diagnosticField(diagnostic: Diagnostic): DiagnosticField {
  const { file, line, column, endLine, endColumn, code, message, severity, projects, frameworks } = diagnostic;
  return {
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
    code,
    message,
    severity,
    ...(projects[0] !== undefined && { project: projects[0] }),
    ...(frameworks.length > 0 && { frameworks }),
  };
}

/** `2 errors, 1 warning`. */
export function countsText({
  errorCount,
  warningCount,
}: Pick<DiagnosticReport, 'errorCount' | 'warningCount'>): string {
  return `${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`;
}

/** `1 error`, `2 errors`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
