import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ActionContext } from '../../actions/action.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments, ParameterName } from '../../actions/parameters.js';
import { testRunnerOf } from '../../project-files/global-json.js';

export type TestRunner = 'vstest' | 'microsoft-testing-platform';

/** The choice of the test runner, and its source (docs/spec/dotnet-tests.md#test-runner). */
export interface RunnerChoice {
  readonly runner: TestRunner;
  /**
   * The folder of `dotnet test`: that of the call, or that of the project if only its global.json chooses the runner.
   */
  readonly cwd: string;
  /** The mode of `dotnet test` in that folder, which determines its options even if the call names another runner. */
  readonly command: TestRunner;
  readonly source: 'useLegacyProjectArgument-parameter' | 'testRunner-parameter' | 'global.json' | 'default';
  /** Says that the choice in global.json has no effect. */
  readonly note?: string;
}

const MTP = 'microsoft-testing-platform';
const PLATFORM_NAME = 'Microsoft.Testing.Platform';

export async function chooseRunner(call: ActionContext): Promise<RunnerChoice> {
  const { useLegacyProjectArgument, testRunner, project, workingDirectory } = call.args;
  const folders = [workingDirectory && call.cwd, folderOf(call, project), process.cwd()];
  const firstNamed = folders.map((folder) => (folder ? testRunnerOf(folder) : undefined)).find(Boolean);
  const isPlatformNamed = firstNamed === PLATFORM_NAME;
  const cwd = folderOfChoice(call);
  const isPlatformNamedHere = testRunnerOf(cwd) === PLATFORM_NAME;
  const oldSdk = isPlatformNamed || isPlatformNamedHere ? await sdkWithoutPlatform(call) : undefined;
  const command = isPlatformNamedHere && oldSdk === undefined ? MTP : 'vstest';
  const here = { cwd, command } as const;
  if (useLegacyProjectArgument) return { runner: 'vstest', ...here, source: 'useLegacyProjectArgument-parameter' };
  if (testRunner === 'MicrosoftTestingPlatform') return { runner: MTP, ...here, source: 'testRunner-parameter' };
  if (testRunner === 'VSTest') return { runner: 'vstest', ...here, source: 'testRunner-parameter' };
  if (!isPlatformNamed) return { runner: 'vstest', ...here, source: 'default' };
  if (oldSdk === undefined) return { runner: MTP, ...here, source: 'global.json' };
  const note = `test.runner of global.json is not known to SDK ${oldSdk}`;
  return { runner: 'vstest', ...here, source: 'default', note };
}

/**
 * Returns the folder for `dotnet test`, which reads the global.json of its folder: the folder of the call, or that of
 * the project if only its global.json chooses Microsoft.Testing.Platform.
 */
function folderOfChoice(call: ActionContext): string {
  const { useLegacyProjectArgument, testRunner, project } = call.args;
  if (useLegacyProjectArgument || testRunner === 'VSTest' || testRunnerOf(call.cwd) !== undefined) return call.cwd;
  const folder = folderOf(call, project);
  return folder !== undefined && testRunnerOf(folder) === PLATFORM_NAME ? folder : call.cwd;
}

/** Returns the version of an SDK whose `dotnet test` knows only VSTest; undefined for SDK 10 and later. */
async function sdkWithoutPlatform(call: ActionContext): Promise<string | undefined> {
  const { exitCode, stdout } = await call.services.sdk.version(call.cwd, !call.isReadOnly);
  const version = stdout.trim();
  const [, major] = (exitCode === 0 && /^(\d+)\./.exec(version)) || [];
  return major !== undefined && Number(major) < 10 ? version : undefined;
}

function folderOf(call: ActionContext, project: string | undefined): string | undefined {
  if (project === undefined) return undefined;
  const path = call.resolve(project);
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? path : dirname(path);
}

/**
 * Returns the argument for the project: with `--project` or `--solution` for Microsoft.Testing.Platform, positional for
 * VSTest.
 */
export function projectArgument(project: string | undefined, runner: TestRunner): string[] {
  if (project === undefined) return [];
  if (runner === 'vstest') return [project];
  return [/\.sln[xf]?$/i.test(project) ? '--solution' : '--project', project];
}

/**
 * The VSTest options that the command of Microsoft.Testing.Platform does not know, with their replacements (SDK 10).
 */
const REPLACED: Partial<Record<ParameterName, string>> = {
  logger: '--report-trx',
  collect: '--coverage',
  blame: '--crashdump or --hangdump',
  settings: '--settings, where the test framework has it',
  blameHangSeconds: '--hangdump --hangdump-timeout',
};

/** @throws InvalidParameterError for an option that the chosen runner does not know */
export function checkRunnerOptions(args: Arguments, { runner }: RunnerChoice): void {
  if (runner === 'vstest') return;
  for (const [name, replacement] of Object.entries(REPLACED)) {
    const value = args[name as ParameterName];
    if (value === undefined || value === false) continue;
    throw new InvalidParameterError(
      name,
      'conflict',
      `Parameter '${name}' is not known to Microsoft.Testing.Platform; use ${replacement}`,
      { hint: `Leave '${name}' out, give ${replacement} as appArgs, or choose testRunner VSTest.` },
    );
  }
}

/**
 * The MSBuild properties of the VSTest command, with the parameters that set them (Microsoft.Testing.Platform.MSBuild
 * 1.9).
 */
const PROPERTIES: Readonly<Record<string, ParameterName>> = {
  VSTestTestCaseFilter: 'filter',
  VSTestListTests: 'listTests',
  VSTestLogger: 'logger',
  VSTestResultsDirectory: 'resultsDirectory',
  VSTestCollect: 'collect',
  VSTestBlame: 'blame',
};

const MTP0001 = /\bwarning MTP0001: [^\n]{0,200}The following properties are set: ([^\n]{0,400})/g;

/**
 * Returns the parameters that a project of Microsoft.Testing.Platform ignored because `dotnet test` ran in VSTest mode.
 */
export function ignoredOptions(output: string, args: Arguments): ParameterName[] {
  const properties = [...output.matchAll(MTP0001)].flatMap(([, list]) => list!.match(/VSTest\w+/g) ?? []);
  const names = properties.flatMap((property) => PROPERTIES[property] ?? []);
  return [...new Set(names)].filter((name) => args[name] !== undefined && args[name] !== false);
}
