import type { ErrorResult } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import { manual } from './next-call.js';

/**
 * Warnings that explain other errors: a reference, generator, analyzer or package that is not the requested one, or a
 * project that was not restored.
 */
const CODES = new Set(['MSB9008', 'CS8785', 'CS8032', 'MSB3245', 'NU1503', 'NU1603', 'NU1701', 'NU1608']);
/** The maximum for one failure. */
const MAX_WARNINGS = 5;

/** Whether a warning explains the errors of a failure. */
export function explainsErrors({ code }: Pick<Diagnostic, 'code'>): boolean {
  return CODES.has(code);
}

/** Adds the warnings that explain errors, as lines, to the first error of the same project, else to the first one. */
export function explain(entries: ErrorResult[], { diagnostics }: DiagnosticReport): void {
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === 'warning' && explainsErrors(diagnostic));
  for (const warning of warnings.slice(0, MAX_WARNINGS)) {
    const own = entries.findIndex(({ data }) => warning.projects.includes(data?.additionalData?.project ?? ''));
    const index = Math.max(0, own);
    const { data = {}, ...entry } = entries[index]!;
    const { additionalData } = data;
    const lines = [additionalData?.warnings, warningLine(warning)].filter(Boolean).join('\n');
    const advice = isCause(warning, entry) ? adviceOf(warning) : undefined;
    entries[index] = { ...entry, ...advice, data: { ...data, additionalData: { ...additionalData, warnings: lines } } };
  }
}

/** Without the sources of a generator that failed, the compiler reports names that it would have declared. */
function isCause({ code }: Diagnostic, error: Pick<ErrorResult, 'code'>): boolean {
  return code === 'CS8785' && /^CS(?:0103|0117|0234|0246|0759|1061|8795)$/.test(error.code);
}

/** What to do about a generator that failed, in place of what its consequence would need. */
function adviceOf({ message }: Diagnostic): Pick<ErrorResult, 'hint' | 'recommendedAction'> {
  const name = /Generator '([^'\n]{1,200})'/.exec(message)?.[1] ?? 'that failed';
  const description = `Correct the source generator ${name} first: it failed, so what it declares is missing (CS8785).`;
  return { hint: description, recommendedAction: manual(description) };
}

/** As MSBuild prints it: `A.cs(1,2): warning CS8785: … [/src/A.csproj]`. */
function warningLine({ file, line, column, code, message, projects, frameworks }: Diagnostic): string {
  const location = file === undefined ? '' : `${file}${line === undefined ? '' : `(${line},${column ?? 1})`}: `;
  const names = projects.filter((project) => project !== file);
  const suffix = [names.join(', '), frameworks.length > 0 ? `(${frameworks.join(', ')})` : '']
    .filter(Boolean)
    .join(' ');
  return `${location}warning ${code}: ${message}${suffix === '' ? '' : ` [${suffix}]`}`;
}
