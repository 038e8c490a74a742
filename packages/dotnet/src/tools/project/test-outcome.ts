import { relative } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { failedSummary } from '../../advice/diagnostic-fields.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';
import { ZERO_TESTS } from '../../diagnostics/tests/no-tests.js';
import { type TestRun, testCounts } from '../../diagnostics/tests/test-results.js';
import type { CommandRun } from '../../process/command-run.js';
import { projectName } from '../../project-files/find-project.js';
import type { BuildOutput } from './output-lines.js';
import { projectsOfCall, testProjectsOf } from './test-projects.js';

/**
 * True if no test failed and the run completed. Microsoft.Testing.Platform ends with 8 if the filter matches no test in
 * one of several projects. That counts as a success if another project ran a test
 * (docs/spec/dotnet-tests.md#no-tests-ran).
 */
export function endedWell(
  { exitCode }: CommandRun,
  { failed, total, unfinished = [], withoutTests = [] }: TestRun,
  report: DiagnosticReport,
): boolean {
  if (failed > 0 || unfinished.length > 0) return false;
  return exitCode === 0 || (exitCode === ZERO_TESTS && total > 0 && withoutTests.length > 0 && !failsOtherwise(report));
}

/**
 * Returns for example `Test failed: 1 error; 3 passed, 0 failed, 0 skipped; not tested, because the build failed:
 * b/b.csproj`.
 */
export function failedTestSummary(report: DiagnosticReport, results: TestRun, untested: readonly string[]): string {
  const counts = results.total > 0 ? [testCounts(results)] : [];
  const others = untested.length > 0 ? [`not tested, because the build failed: ${untested.join(', ')}`] : [];
  return [failedSummary('Test', report), ...counts, ...others].join('; ');
}

/** Returns the test projects of a solution that a failed build left out, relative to the working directory. */
export async function untestedProjects(
  call: ActionContext,
  outputs: readonly BuildOutput[],
  { assemblies, unfinished = [] }: TestRun,
): Promise<string[]> {
  const all = projectsOfCall(call);
  if (all.length < 2 || call.args.noBuild) return [];
  const projects = await testProjectsOf(call, all);
  const tested = [...assemblies, ...unfinished].map(({ name }) => name.replace(/\.(?:dll|exe)$/i, ''));
  const built = new Set([...outputs.map(({ project }) => project), ...tested]);
  const untested = projects.filter(({ project }) => !built.has(projectName(project)));
  return untested.map(({ project }) => relative(call.cwd, project).replaceAll('\\', '/'));
}

export function withoutMatch({ withoutTests = [] }: TestRun): string[] {
  const names = withoutTests.map(({ name, framework }) => (framework === undefined ? name : `${name} (${framework})`));
  return names.length === 0 ? [] : [`No match in ${names.join(', ')}`];
}

/**
 * True if the build failed. The error with which Microsoft.Testing.Platform refuses VSTest does not count, because it
 * has its own advice.
 */
export function failsOtherwise({ diagnostics }: DiagnosticReport): boolean {
  return diagnostics.some(({ severity, message }) => severity === 'error' && !WRONG_RUNNER.test(message));
}

const WRONG_RUNNER = /^Testing with VSTest target is no longer supported by Microsoft\.Testing\.Platform/;
