import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Diagnostic } from '../parse/diagnostic.js';
import type { DiagnosticReport } from '../parse/read-diagnostics.js';

/** What MSBuild reports of its own end: a task that was terminated, or that returned without a word. */
const OF_THE_END = /^(?:MSB5021|MSB4181|MSB4188|MSB4017)$/;

/** A report without the errors that ending the run caused. */
export function withoutEnd(report: DiagnosticReport): DiagnosticReport {
  const { diagnostics } = report;
  const kept = diagnostics.filter(({ code }) => !OF_THE_END.test(code));
  if (kept.length === diagnostics.length) return report;
  const dropped = (severity: Diagnostic['severity']) =>
    diagnostics
      .filter((each) => each.severity === severity && OF_THE_END.test(each.code))
      .reduce((sum, { count = 1 }) => sum + count, 0);
  return {
    ...report,
    diagnostics: kept,
    errorCount: Math.max(0, report.errorCount - dropped('error')),
    warningCount: Math.max(0, report.warningCount - dropped('warning')),
  };
}

/** An output without the lines that ending the run caused. */
export function outputBeforeEnd(output: string): string {
  return output
    .split('\n')
    .filter((line) => !/\b(?:error|warning) (?:MSB5021|MSB4181|MSB4188|MSB4017)\b/.test(line))
    .filter((line) => !/^\s*Attempting to cancel the build/.test(line))
    .join('\n')
    .replace(/\n+Build FAILED\.\n\s+\d+ Warning\(s\)\n\s+0 Error\(s\)\n+Time Elapsed [\d:.]+\s*$/, '\n');
}

/** What ran when a command was ended, as a sentence; undefined where its output does not tell. */
export function runningAt(output: string, { diagnostics }: DiagnosticReport): string | undefined {
  const projectError = diagnostics.find(({ code, projects }) => OF_THE_END.test(code) && projects.length > 0);
  if (projectError) {
    const target = targetAt(projectError);
    return `${target === undefined ? 'The build' : `Target ${target}`} of ${basename(projectError.projects[0]!)} was running.`;
  }
  const tests = lastOf(output, /^Test run for (\S.*?\.(?:dll|exe)) \(|^Running tests from (\S.*?\.(?:dll|exe))/gm);
  if (tests !== undefined && !new RegExp(` - ${escaped(basename(tests))} \\(`).test(output)) {
    return `The tests of ${basename(tests)} were running.`;
  }
  const built = lastOf(output, /^ {2}(\S.*?) -> \S/gm);
  if (built !== undefined) return `${built} was built last.`;
  const restored = lastOf(output, /^ {2}Restored (\S.*?) \(in /gm);
  if (restored !== undefined) return `The build of ${basename(restored)} was running; it was restored.`;
  return /^ {2}Determining projects to restore/m.test(output) ? 'Packages were being restored.' : undefined;
}

/** The target that the place of a diagnostic is in. */
function targetAt({ file, line }: Diagnostic): string | undefined {
  if (file === undefined || line === undefined) return undefined;
  try {
    const before = readFileSync(file, 'utf8').split('\n').slice(0, line).join('\n');
    return lastOf(before, /<Target\b[^>]*?\bName\s*=\s*["']([^"']+)["']/g);
  } catch {
    return undefined;
  }
}

function lastOf(text: string, form: RegExp): string | undefined {
  return [...text.matchAll(form)].at(-1)?.slice(1).find(Boolean);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
