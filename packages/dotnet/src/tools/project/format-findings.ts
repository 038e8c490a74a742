import { basename, relative } from 'node:path';
import { groupBy } from '../../analysis/group-by.js';
import type { Diagnostic } from '../../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';

/**
 * An entry in the report of `dotnet format`: a change of the formatter, or a diagnostic of an analyzer, fixed or not.
 */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
  /** True for a diagnostic, whose rule may have no code fix; false for a change of the formatter. */
  readonly isDiagnostic: boolean;
}

/** The maximum number of files in a text. */
const MAX_FILES = 50;
/** The maximum number of line numbers that are shown for each code of a file. */
const MAX_LINES = 5;

/** Returns the lines of the first 50 files, and a line with the number of the others. */
export function boundedLines(lines: readonly string[]): string[] {
  const omittedCount = lines.length - MAX_FILES;
  return omittedCount > 0 ? [...lines.slice(0, MAX_FILES), `… and ${omittedCount} more files`] : [...lines];
}

/** Returns a line for each file: `src/A.cs: WHITESPACE at lines 2, 3; CA1822 at line 7`. */
export function findingLines(findings: readonly Finding[], cwd: string): string[] {
  const files = groupBy(findings, ({ file }) => file);
  return boundedLines(
    [...files].map(([file, ofFile]) => {
      const codes = [...groupBy(ofFile, ({ code }) => code)];
      return `${relative(cwd, file) || basename(file)}: ${codes.map(([code, ofCode]) => placesOf(code, ofCode)).join('; ')}`;
    }),
  );
}

function placesOf(code: string, findings: readonly Finding[]): string {
  const lines = [...new Set(findings.map(({ line }) => line))];
  const more = lines.length > MAX_LINES ? `, … (${lines.length} lines)` : '';
  return `${code} at line${lines.length > 1 ? 's' : ''} ${lines.slice(0, MAX_LINES).join(', ')}${more}`;
}

/**
 * Sorts the diagnostics by file and line. Of each code that the findings also have, keeps only the first diagnostic.
 * Keeps all diagnostics of other codes.
 */
export function oneOfEachCode(report: DiagnosticReport, findings: readonly Finding[]): DiagnosticReport {
  const codes = new Set(findings.map(({ code }) => code));
  const sorted = report.diagnostics.toSorted(byPlace);
  const first = new Map(sorted.toReversed().map((diagnostic) => [diagnostic.code, diagnostic]));
  const { distinct: _, ...rest } = report;
  return {
    ...rest,
    diagnostics: sorted.filter(
      (diagnostic) => !codes.has(diagnostic.code) || first.get(diagnostic.code) === diagnostic,
    ),
  };
}

const byPlace = (a: Diagnostic, b: Diagnostic): number =>
  (a.file ?? '').localeCompare(b.file ?? '') || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
