import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { NO_CODE } from '../diagnostics/parse/multi-line-messages.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';

/** Codes that MSBuild reports when it is terminated: a task was terminated, or returned without a message. */
const END_CODES = /^(?:MSB5021|MSB4181|MSB4188|MSB4017|MSB4242)$/;

/**
 * Messages that mean that a task was interrupted: a signal ended its program (exit code 130, 137 or 143), or NuGet
 * cancelled the restore (SDK 10). The code alone is not enough, because it has other causes too.
 */
const END_MESSAGES: Readonly<Record<string, RegExp>> = {
  MSB3073: / exited with code (?:130|137|143)\b/,
  MSB6006: / exited with code (?:130|137|143)\b/,
  [NO_CODE]: /^Restore canceled!$/,
};

const isCausedByEnd = ({ code, message }: Pick<Diagnostic, 'code' | 'message'>): boolean =>
  END_CODES.test(code) || END_MESSAGES[code]?.test(message) === true;

/** Removes the diagnostics that were caused by ending the run, and lowers the counts. */
export function withoutInterruptions(report: DiagnosticReport): DiagnosticReport {
  const { diagnostics } = report;
  const relevant = diagnostics.filter((diagnostic) => !isCausedByEnd(diagnostic));
  if (relevant.length === diagnostics.length) return report;
  const droppedCount = (severity: Diagnostic['severity']) =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity && isCausedByEnd(diagnostic))
      .reduce((sum, { count = 1 }) => sum + count, 0);
  return {
    ...report,
    diagnostics: relevant,
    errorCount: Math.max(0, report.errorCount - droppedCount('error')),
    warningCount: Math.max(0, report.warningCount - droppedCount('warning')),
  };
}

/** Lines that are printed when a command is terminated; the last two are those of `dotnet new`. */
const END_LINES: readonly RegExp[] = [
  /\b(?:error|warning) (?:MSB5021|MSB4181|MSB4188|MSB4017|MSB4242)\b/,
  /\berror (?:MSB3073|MSB6006): .* exited with code (?:130|137|143)\b/,
  /: error : Restore canceled!/,
  /^\s*Attempting to cancel the build/,
  /^\s+at (?:Microsoft\.TemplateEngine\.|System\.Threading\.CancellationToken\.)/,
  /^For details on the exit code, refer to /,
];

/** Removes the lines that were caused by ending the run, and the summary of a build, which repeats its errors. */
export function withoutInterruptionLines(output: string): string {
  const summary = output.lastIndexOf('\nBuild FAILED.\n');
  const isSummary = summary >= 0 && /\n\s+\d+ Error\(s\)\n+Time Elapsed [\d:.]+\s*$/.test(output.slice(summary));
  const withoutSummary = isSummary ? `${output.slice(0, summary).trimEnd()}\n` : output;
  return withoutSummary
    .split('\n')
    .filter((line) => !END_LINES.some((pattern) => pattern.test(line)))
    .join('\n');
}

/**
 * Returns a sentence about what was running when a command was ended, such as `Target Slow of A.csproj was running.`
 * @returns undefined if the output does not show it
 */
export function describeInterruptedWork(output: string, { diagnostics }: DiagnosticReport): string | undefined {
  const endedTask = diagnostics.find(
    (diagnostic) => isCausedByEnd(diagnostic) && projectOrFile(diagnostic) !== undefined,
  );
  if (endedTask) {
    const target = targetAt(endedTask);
    return `${target === undefined ? 'The build' : `Target ${target}`} of ${basename(projectOrFile(endedTask)!)} was running.`;
  }
  const tests = lastOf(output, /^Test run for (\S.*?\.(?:dll|exe)) \(|^Running tests from (\S.*?\.(?:dll|exe))/gm);
  if (tests !== undefined && !new RegExp(` - ${escaped(basename(tests))} \\(`).test(output)) {
    return `The tests of ${basename(tests)} were running.`;
  }
  const built = lastOf(output, /^ {2}(\S.*?) -> \S/gm);
  if (built !== undefined) return `${built} was built last.`;
  const restored = lastOf(output, /^ {2}Restored (\S.*?) \(in /gm);
  if (restored !== undefined) return `The build of ${basename(restored)} was running; its packages had been restored.`;
  return /^ {2}Determining projects to restore/m.test(output) ? 'Packages were being restored.' : undefined;
}

/** True if the output of a test run shows that a test assembly had started. */
export function hasStartedTests(output: string): boolean {
  return /^\s*(?:Test run for \S|(?:\(try \d+\) )?Running tests from \S)/m.test(output);
}

const MAX_RUNNING_TESTS = 5;

/** Returns a sentence that names the tests that were running; undefined if there are none. */
export function testsRunning(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  if (names.length === 1) return `The test ${names[0]} was running.`;
  const more = names.length > MAX_RUNNING_TESTS ? ', …' : '';
  return `${names.length} tests were running: ${names.slice(0, MAX_RUNNING_TESTS).join(', ')}${more}.`;
}

/** Returns the project of a task's diagnostic, else the file that it points to. */
const projectOrFile = ({ file, projects }: Diagnostic): string | undefined => projects[0] ?? file;

/** Returns the name of the target that contains the place of a diagnostic. */
function targetAt({ file, line }: Diagnostic): string | undefined {
  if (file === undefined || line === undefined) return undefined;
  try {
    const before = readFileSync(file, 'utf8').split('\n').slice(0, line).join('\n');
    return lastOf(before, /<Target\b[^>]*?\bName\s*=\s*["']([^"']+)["']/g);
  } catch {
    return undefined;
  }
}

function lastOf(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.slice(1).find(Boolean);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
