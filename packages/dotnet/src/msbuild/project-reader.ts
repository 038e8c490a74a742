import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesFolder } from '../process/command-environment.js';
import { type CommandRequest, type CommandRun, displayCommand } from '../process/command-run.js';
import { FileError } from '../project-files/file-error.js';
import { escapeMSBuild, isMSBuildName, uniqueNames } from '../project-files/msbuild-syntax.js';
import type { DotnetCall, Evaluation, EvaluationQuery, GlobalProperties } from './evaluation.js';

/** True if this code runs from the bundle, which is one module outside of the folder `msbuild`. */
const isBundled = basename(dirname(fileURLToPath(import.meta.url))) !== 'msbuild';

/**
 * The MSBuild file that reads projects. The package has it; in the sources `npm run build` makes it with a .NET SDK.
 */
const PROJECT_READER = fileURLToPath(
  new URL(`${isBundled ? '..' : '../..'}/project-reader/read.targets`, import.meta.url),
);

/** A project to read. The values of its global properties are escaped as in MSBuild. */
export interface RequestedProject {
  readonly path: string;
  readonly globalProperties: GlobalProperties;
}

export interface ReadRequest {
  readonly projects: readonly RequestedProject[];
  readonly query: EvaluationQuery;
  readonly returnsFiles?: boolean;
  /** True if a PackageVersion must be left out unless the project references the package. */
  readonly omitsUnusedVersions?: boolean;
  /** The absolute path of a solution to load as well, as MSBuild does before a build. */
  readonly solution?: string;
}

/** The reason why MSBuild cannot load a file, and the place. */
export interface LoadError {
  readonly code: string | null;
  readonly message: string;
  readonly file: string | null;
  readonly line: number;
  readonly column: number;
}

/** A project in the answer of the reader (dotnet/Mortise.ProjectReader/ReadRequest.cs). */
export interface ReadProject {
  readonly path: string;
  /** The outer evaluation, then the inner ones. */
  readonly evaluations: readonly Evaluation[];
  readonly files: readonly string[] | null;
  readonly error: LoadError | null;
}

interface ReadResult {
  readonly projects: ReadProject[] | null;
  readonly refused: { readonly path: string; readonly line: number; readonly what: string } | null;
  readonly solutionError?: LoadError | null;
}

export interface ReadRun {
  readonly run: CommandRun;
  /** Undefined if MSBuild itself could not run. */
  readonly projects: readonly ReadProject[] | undefined;
  /** The reason why MSBuild cannot load the requested solution, if it cannot. */
  readonly solutionError?: LoadError | null;
}

/**
 * Evaluates projects in one MSBuild process with Mortise's own task. No target, logger or task of the projects runs,
 * and files that could write are refused (docs/spec/dotnet-evaluation.md#reading-projects). A broken project is a
 * result with an error.
 * @param cwd the folder in which MSBuild runs, which decides the SDK
 * @param reader the MSBuild file with the task
 * @returns the run of MSBuild, and the projects in the order of the request
 * @throws FileError if a file is refused, or the reader cannot run
 */
export async function readProjects(
  dotnet: DotnetCall,
  request: ReadRequest,
  cwd: string,
  reader = PROJECT_READER,
): Promise<ReadRun> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-projects-'));
  try {
    const [requestFile, resultFile] = ['request.json', 'result.json'].map((name) => join(folder, name));
    await writeFile(requestFile!, JSON.stringify(messageOf(request)));
    const files = [`-p:Request=${escapeMSBuild(requestFile!)}`, `-p:Result=${escapeMSBuild(resultFile!)}`];
    const run = await dotnet(['msbuild', reader, '-nologo', '-noAutoResponse', '-m:1', '-t:Read', ...files], {
      cwd,
      ...commandFor(request),
    });
    if (isNotThere(run)) throw unusable('The project reader of Mortise is not built', 'Run npm run build.');
    if (isNotLoaded(run)) {
      throw unusable('This .NET SDK cannot load the project reader of Mortise', 'Use the .NET SDK 8 or a later one.');
    }
    const text =
      run.terminatedBy === 'exited' && run.exitCode === 0 ? await readFile(resultFile!, 'utf8').catch(() => '') : '';
    if (text === '') return { run, projects: undefined };
    const { projects, refused, solutionError } = JSON.parse(text) as ReadResult;
    if (refused) throw refusal(refused);
    return { run, projects: projects!, ...(solutionError && { solutionError }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function messageOf({ projects, query: { properties, itemTypes }, ...options }: ReadRequest): object {
  return {
    projects,
    properties: uniqueNames(['TargetFramework', 'TargetFrameworks', ...properties].filter(isMSBuildName)),
    itemTypes: uniqueNames(itemTypes.filter(isMSBuildName)),
    packagesFolder: packagesFolder(process.env),
    ...options,
  };
}

/** For a single project, returns a command that a person can type to see the same errors. */
function commandFor({ projects: [project, ...others] }: ReadRequest): Pick<CommandRequest, 'command'> {
  if (!project || others.length > 0) return {};
  return { command: displayCommand('dotnet', ['msbuild', project.path, '-getProperty:TargetFramework']) };
}

/** True if the reader does not exist, because `npm run build` ran without a .NET SDK. */
function isNotThere({ output }: CommandRun): boolean {
  return /\berror MSB1009\b/.test(output);
}

/** True if MSBuild cannot load the task: its runtime is too old, or it lacks an API that the task uses. */
function isNotLoaded({ output }: CommandRun): boolean {
  return /\berror MSB40(?:18|62)\b/.test(output);
}

function unusable(message: string, hint: string): FileError {
  return new FileError('invalid value', `${message}, and without it projects are not evaluated`, hint);
}

function refusal({ path, line, what }: NonNullable<ReadResult['refused']>): FileError {
  const where = line > 0 ? `${path}(${line})` : path;
  const message = `${where} has ${what}. An action that only reads evaluates no file that could change something or download a program`;
  const hint = what.startsWith('the SDK')
    ? 'Read the file. If you trust it, call Restore, which downloads the SDK; a name and version that are computed must be written out.'
    : 'Read the file. If you trust it, use Build, which evaluates it as the raw CLI does; else remove the line.';
  return new FileError('invalid value', message, hint);
}
