import type { ErrorResult } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';
import { manual } from './next-call.js';

/**
 * The codes of warnings that explain errors: a missing reference, a failed generator or analyzer, a package in another
 * version than the requested one, or a project that was not restored.
 */
const EXPLAINING_CODES = new Set(['MSB9008', 'CS8785', 'CS8032', 'MSB3245', 'NU1503', 'NU1603', 'NU1701', 'NU1608']);
/** The maximum number of explaining warnings in one failure. */
const MAX_WARNINGS = 5;

export function explainsErrors({ code }: Pick<Diagnostic, 'code'>): boolean {
  return EXPLAINING_CODES.has(code);
}

/** Adds each warning that explains errors, as a line, to the first error of its project, else to the first error. */
export function explain(entries: ErrorResult[], { diagnostics }: DiagnosticReport): void {
  const warnings = diagnostics.filter((diagnostic) => diagnostic.severity === 'warning' && explainsErrors(diagnostic));
  for (const warning of warnings.slice(0, MAX_WARNINGS)) {
    const found = entries.findIndex(({ data }) => warning.projects.includes(data?.additionalData?.project ?? ''));
    const index = Math.max(0, found);
    const { data = {}, ...entry } = entries[index]!;
    const { additionalData } = data;
    const lines = [additionalData?.warnings, warningLine(warning)].filter(Boolean).join('\n');
    const advice = isCause(warning, entry) ? adviceOf(warning) : undefined;
    entries[index] = { ...entry, ...advice, data: { ...data, additionalData: { ...additionalData, warnings: lines } } };
  }
}

/** True if the compiler does not find a name that the failed source generator may have declared. */
function isCause({ code }: Diagnostic, error: Pick<ErrorResult, 'code'>): boolean {
  return code === 'CS8785' && /^CS(?:0103|0117|0234|0246|0759|1061|8795)$/.test(error.code);
}

/** Returns the advice to correct the generator, which replaces the advice of the errors that it caused. */
function adviceOf({ message }: Diagnostic): Pick<ErrorResult, 'hint' | 'recommendedAction'> {
  const name = /Generator '([^'\n]{1,200})'/.exec(message)?.[1] ?? 'that failed';
  const description = `Correct the source generator ${name} first: it failed, so what it declares is missing (CS8785).`;
  return { hint: description, recommendedAction: manual(description) };
}

/** Formats a warning as MSBuild does: `A.cs(1,2): warning CS8785: … [/src/A.csproj]`. */
function warningLine({ file, line, column, code, message, projects, frameworks }: Diagnostic): string {
  const location = file === undefined ? '' : `${file}${line === undefined ? '' : `(${line},${column ?? 1})`}: `;
  const names = projects.filter((project) => project !== file);
  const suffix = [names.join(', '), frameworks.length > 0 ? `(${frameworks.join(', ')})` : '']
    .filter(Boolean)
    .join(' ');
  return `${location}warning ${code}: ${message}${suffix === '' ? '' : ` [${suffix}]`}`;
}
