import { basename, relative } from 'node:path';
import { groupBy } from '../../analysis/group-by.js';
import type { Diagnostic } from '../../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';

/** One entry of the report of `dotnet format`: a change of the formatter, or a diagnostic of an analyzer, fixed or not. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly message: string;
  /** Only a diagnostic has a severity before its message. Not every rule has a code fix. */
  readonly isDiagnostic: boolean;
}

/** Files that a text lists, and lines that it names of each of their codes. */
const MAX_FILES = 50;
const MAX_LINES = 5;

/** At most 50 lines, and the number of those that are left out. */
export function boundedLines(lines: readonly string[]): string[] {
  const more = lines.length - MAX_FILES;
  return more > 0 ? [...lines.slice(0, MAX_FILES), `… and ${more} more files`] : [...lines];
}

/** `src/A.cs: WHITESPACE at lines 2, 3; CA1822 at line 7`: a line for each file. */
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

/** The report with the first error of each code of the findings, by file and line. */
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
