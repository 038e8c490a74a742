import { dirname, relative, resolve } from 'node:path';
import { expect } from 'vitest';
import { recordOutput } from './connect-sdk.js';
import { type SdkServer, startSdkServer } from './sdk-server.js';

type Files = Record<string, string>;

/** A server whose builds and test runs are each compared with what the CLI printed. */
export interface CountedServer extends SdkServer {
  /** Builds the projects but `except` in one process; then tests need not build. */
  buildAll(except?: readonly string[]): Promise<void>;
  /** Calls the action for each target among the files that no call has compared, alone or with its solution. */
  compareRest(action: 'Build' | 'Test'): Promise<void>;
}

/** `project` of the server fails where the counts of `Build` or `Test` are not those that the CLI printed. */
export async function startCountedServer(files: Files): Promise<CountedServer> {
  let outputOf!: (command: string) => string;
  const server = await startSdkServer(files, {}, (workplace) => {
    const recorded = recordOutput(workplace);
    outputOf = recorded.outputOf;
    return recorded.env;
  });
  const compared = new Set<string>();
  const project: SdkServer['project'] = async (action, args = {}, options = {}) => {
    const command = action.toLowerCase();
    outputOf(command);
    const called = await server.project(action, args, options);
    const output = outputOf(command);
    const printed = args.project && output ? PRINTED[action]?.(output) : undefined;
    const names = printed ? Object.keys(printed) : [];
    if (names.some((name) => called.data?.[name] !== undefined)) {
      const answered = Object.fromEntries(names.map((name) => [name, called.data[name]]));
      expect(answered, `${action} ${JSON.stringify(args)} printed:\n${output}`).toEqual(printed);
      compared.add(
        `${action} ${relative(server.workplace.folder, resolve(server.workplace.folder, String(args.project)))}`,
      );
    }
    return called;
  };
  const isCompared = (action: string, target: string) =>
    [target, dirname(target), ...solutionsOf(target, files)].some((path) => compared.has(`${action} ${path}`));
  return {
    ...server,
    project,
    async buildAll(except = []) {
      const projects = targetsOf(files).filter((target) => !except.includes(target));
      await buildTogether(server, projects);
    },
    async compareRest(action) {
      const rest = targetsOf(files).filter((target) => !isCompared(action, target));
      for (const target of rest) await project(action, { project: target });
      expect(targetsOf(files).filter((target) => !isCompared(action, target))).toEqual([]);
    },
  };
}

/** Builds projects in one process, for half of what one build each costs. */
export async function buildTogether(
  { workplace, call }: Pick<SdkServer, 'workplace' | 'call'>,
  projects: readonly string[],
): Promise<void> {
  const each = (target: string) =>
    `<Target Name="${target}"><MSBuild Projects="${projects.join(';')}" Targets="${target}" /></Target>`;
  workplace.write('All.proj', `<Project DefaultTargets="Build">${each('Restore')}${each('Build')}</Project>`);
  const { isError, text } = await call('dotnet_project', { action: 'Build', project: 'All.proj' });
  expect({ isError, text }).toMatchObject({ isError: false });
}

function solutionsOf(project: string, files: Files): string[] {
  const solutions = Object.entries(files).filter(([path]) => path.endsWith('.slnx'));
  const listed = solutions.filter(([path, text]) => text.includes(`"${relative(dirname(path), project)}"`));
  return listed.map(([path]) => path);
}

/** Each project, solution and single C# file, without those of which the CLI prints nothing. */
function targetsOf(files: Files): string[] {
  const isSilent = (path: string) => files[`${dirname(path)}/Directory.Build.rsp`]?.includes('-noConsoleLogger');
  const isTarget = (path: string) => /\.(?:\w+proj|slnx)$|^file\/\w+\.cs$/.test(path);
  return Object.keys(files).filter((path) => isTarget(path) && !isSilent(path));
}

const PRINTED: Record<string, (output: string) => Record<string, number>> = {
  Build: diagnosticCounts,
  Test: testCounts,
};

/** What the summary of MSBuild says, else how many lines report one, as of a C# file. */
function diagnosticCounts(output: string) {
  const count = (kind: 'error' | 'warning', name: string) => {
    const summary = new RegExp(`^ {4}(\\d+) ${name}\\(s\\)`, 'm').exec(output);
    return summary ? Number(summary[1]) : [...output.matchAll(new RegExp(`: ${kind} \\w+: `, 'g'))].length;
  };
  return { errorCount: count('error', 'Error'), warningCount: count('warning', 'Warning') };
}

/** What VSTest says of each assembly, and Microsoft.Testing.Platform of the whole run. */
function testCounts(output: string) {
  const sum = (...forms: RegExp[]) =>
    forms.flatMap((form) => [...output.matchAll(form)]).reduce((total, [, count]) => total + Number(count), 0);
  return {
    passed: sum(/, Passed: +(\d+),/g, /^ {2}succeeded: (\d+)$/gm),
    failed: sum(/- Failed: +(\d+),/g, /^ {2}failed: (\d+)$/gm),
    skipped: sum(/, Skipped: +(\d+),/g, /^ {2}skipped: (\d+)$/gm),
    total: sum(/, Total: +(\d+),/g, /^ {2}total: (\d+)$/gm),
  };
}
