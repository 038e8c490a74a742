import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithSdk } from '../../packages/dotnet/test/sdk.js';
import { makeWorkplace, removeWorkplace, type Workplace } from '../support/workplace.js';
import { connectSdk, recordOutput, type SdkConnection } from './connect-sdk.js';
import {
  ANSWER_PROJECTS,
  BUILD_PROJECTS,
  LOCATION_PROJECTS,
  NAME_PROJECTS,
  PLATFORM_PROJECTS,
  RUN_PROJECTS,
} from './fixture-projects.js';

type Files = Record<string, string>;

const BUILT: Record<string, Files> = { build: BUILD_PROJECTS, locations: LOCATION_PROJECTS, run: RUN_PROJECTS };
const TESTED: Record<string, Files> = {
  answers: ANSWER_PROJECTS,
  names: NAME_PROJECTS,
  run: RUN_PROJECTS,
  platform: PLATFORM_PROJECTS,
};

const inFolders = (sets: Record<string, Files>): [path: string, text: string][] =>
  Object.entries(sets).flatMap(([set, files]) =>
    Object.entries(files).map(([path, text]): [string, string] => [`${set}/${path}`, text]),
  );
/** Each project, solution and single C# file of the fixtures, without those of which the CLI prints nothing. */
const targetsOf = (sets: Record<string, Files>) =>
  inFolders(sets)
    .map(([path]) => path)
    .filter((path) => /\.(?:\w+proj|slnx)$|\/file\/\w+\.cs$/.test(path))
    .filter((path) => inFolders(sets).every(([other, text]) => other !== responseFileOf(path) || !SILENT.test(text)));
const responseFileOf = (path: string) => path.replace(/[^/]+$/, 'Directory.Build.rsp');
const SILENT = /-noConsoleLogger/;

/** What the summary of MSBuild says, else how many lines report one, as of a C# file. */
function diagnosticCounts(output: string): { errorCount: number; warningCount: number } {
  const count = (kind: 'error' | 'warning', name: string) => {
    const summary = new RegExp(`^ {4}(\\d+) ${name}\\(s\\)`, 'm').exec(output);
    return summary ? Number(summary[1]) : [...output.matchAll(new RegExp(`: ${kind} \\w+: `, 'g'))].length;
  };
  return { errorCount: count('error', 'Error'), warningCount: count('warning', 'Warning') };
}

/** What VSTest says of each assembly, and Microsoft.Testing.Platform of the whole run. */
function testCountsIn(output: string): { passed: number; failed: number; skipped: number; total: number } {
  const sum = (...forms: RegExp[]) =>
    forms.flatMap((form) => [...output.matchAll(form)]).reduce((total, [, count]) => total + Number(count), 0);
  return {
    passed: sum(/, Passed: +(\d+),/g, /^ {2}succeeded: (\d+)$/gm),
    failed: sum(/- Failed: +(\d+),/g, /^ {2}failed: (\d+)$/gm),
    skipped: sum(/, Skipped: +(\d+),/g, /^ {2}skipped: (\d+)$/gm),
    total: sum(/, Total: +(\d+),/g, /^ {2}total: (\d+)$/gm),
  };
}

describeWithSdk('counts are those that the CLI prints', () => {
  let workplace: Workplace;
  let server: SdkConnection;
  let outputOf: (command: string) => string;
  const call = (action: string, args: object) => server.call('dotnet_project', { action, ...args });
  beforeAll(async () => {
    workplace = makeWorkplace(Object.fromEntries([...inFolders(BUILT), ...inFolders(TESTED)]), {
      Dotnet: { Enabled: true },
    });
    const recorded = recordOutput(workplace);
    outputOf = recorded.outputOf;
    server = await connectSdk(workplace, { env: recorded.env });
  });
  afterAll(async () => {
    await server?.close();
    if (workplace) removeWorkplace(workplace);
  });

  describe('of diagnostics', () => {
    it.each(targetsOf(BUILT))('in a build of %s', async (project) => {
      const { data } = await call('Build', { project });
      const { errorCount, warningCount } = data;
      expect({ errorCount, warningCount }).toEqual(diagnosticCounts(outputOf('build')));
    });
  });

  describe('of tests', () => {
    it.each(targetsOf(TESTED))('in a run of %s', async (project) => {
      const { data } = await call('Test', { project });
      const { passed, failed, skipped, total } = data;
      expect({ passed, failed, skipped, total }).toEqual(testCountsIn(outputOf('test')));
    });
  });
});
