import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { NO_CODE } from '../diagnostics/parse/multi-line-messages.js';
import type { DiagnosticReport } from '../diagnostics/parse/parse-diagnostics.js';

/** What MSBuild reports when it is terminated: a task that was terminated, or that returned without a message. */
const OF_THE_END = /^(?:MSB5021|MSB4181|MSB4188|MSB4017|MSB4242)$/;

/** Messages of tasks that are terminated: a program by SIGINT, SIGKILL or SIGTERM, and NuGet (SDK 10). */
const OF_ENDED_TASKS: Readonly<Record<string, RegExp>> = {
  MSB3073: / exited with code (?:130|137|143)\b/,
  MSB6006: / exited with code (?:130|137|143)\b/,
  [NO_CODE]: /^Restore canceled!$/,
};

const isOfTheEnd = ({ code, message }: Pick<Diagnostic, 'code' | 'message'>): boolean =>
  OF_THE_END.test(code) || OF_ENDED_TASKS[code]?.test(message) === true;

/** A report without the errors that ending the run caused. */
export function withoutEnd(report: DiagnosticReport): DiagnosticReport {
  const { diagnostics } = report;
  const relevant = diagnostics.filter((diagnostic) => !isOfTheEnd(diagnostic));
  if (relevant.length === diagnostics.length) return report;
  const dropped = (severity: Diagnostic['severity']) =>
    diagnostics
      .filter((diagnostic) => diagnostic.severity === severity && isOfTheEnd(diagnostic))
      .reduce((sum, { count = 1 }) => sum + count, 0);
  return {
    ...report,
    diagnostics: relevant,
    errorCount: Math.max(0, report.errorCount - dropped('error')),
    warningCount: Math.max(0, report.warningCount - dropped('warning')),
  };
}

/** The last two are printed by `dotnet new` when it is terminated. */
const LINES_OF_THE_END: readonly RegExp[] = [
  /\b(?:error|warning) (?:MSB5021|MSB4181|MSB4188|MSB4017|MSB4242)\b/,
  /\berror (?:MSB3073|MSB6006): .* exited with code (?:130|137|143)\b/,
  /: error : Restore canceled!/,
  /^\s*Attempting to cancel the build/,
  /^\s+at (?:Microsoft\.TemplateEngine\.|System\.Threading\.CancellationToken\.)/,
  /^For details on the exit code, refer to /,
];

/** An output without the lines that ending the run caused, and without the summary of a build, which repeats its errors. */
export function outputBeforeEnd(output: string): string {
  const summary = output.lastIndexOf('\nBuild FAILED.\n');
  const isSummary = summary >= 0 && /\n\s+\d+ Error\(s\)\n+Time Elapsed [\d:.]+\s*$/.test(output.slice(summary));
  const withoutSummary = isSummary ? `${output.slice(0, summary).trimEnd()}\n` : output;
  return withoutSummary
    .split('\n')
    .filter((line) => !LINES_OF_THE_END.some((form) => form.test(line)))
    .join('\n');
}

/** What ran when a command was ended, as a sentence; undefined if its output does not show it. */
export function runningAt(output: string, { diagnostics }: DiagnosticReport): string | undefined {
  const endedTask = diagnostics.find((diagnostic) => isOfTheEnd(diagnostic) && projectOrFile(diagnostic) !== undefined);
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
  if (restored !== undefined) return `The build of ${basename(restored)} was running; it was restored.`;
  return /^ {2}Determining projects to restore/m.test(output) ? 'Packages were being restored.' : undefined;
}

/** Whether any test had started; MSBuild prints nothing that looks like it. */
export function hasStartedTests(output: string): boolean {
  return /^\s*(?:Test run for \S|(?:\(try \d+\) )?Running tests from \S)/m.test(output);
}

const MAX_RUNNING_TESTS = 5;

/** The tests that ran when a run was ended, as a sentence; undefined if they are not known. */
export function testsRunning(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  if (names.length === 1) return `The test ${names[0]} was running.`;
  const more = names.length > MAX_RUNNING_TESTS ? ', …' : '';
  return `${names.length} tests were running: ${names.slice(0, MAX_RUNNING_TESTS).join(', ')}${more}.`;
}

/** The project that a task belonged to, or the file that it is in. */
const projectOrFile = ({ file, projects }: Diagnostic): string | undefined => projects[0] ?? file;

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
