import { HostError } from '../host/dotnet-host.js';
import { packagesFolder } from '../process/command-environment.js';
import { type CommandRun, commandNotRun, displayCommand } from '../process/command-run.js';
import { FileError } from '../project-files/file-error.js';
import { isMSBuildName, uniqueNames } from '../project-files/msbuild-syntax.js';
import type { Evaluation, EvaluationQuery, GlobalProperties } from './evaluation.js';

/**
 * Sends a request to the .NET process for the SDK of a folder, on behalf of a call, and returns its answer
 * (dotnet/Mortise.DotnetHost/Evaluation/ReadRequest.cs).
 * @throws HostError; {@link TimeUpError} if the time of the call is over
 */
export type EvaluationHost = (folder: string, params: object) => Promise<unknown>;

/** Thrown if the time of a call is over before its projects are evaluated. */
export class TimeUpError extends Error {
  override readonly name = 'TimeUpError';
  constructor(readonly limitMs: number) {
    super('The projects were not evaluated in the time of the call');
  }
}

/** Thrown if MSBuild cannot evaluate a project: the SDK, an import or the file is broken, or the time is over. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  constructor(
    readonly project: string,
    /** The error as a command that a person can type would print it, in `stderr`. */
    readonly run: CommandRun,
  ) {
    super(`The project ${project} cannot be evaluated`);
  }
}

/** A project to read. The values of its global properties are escaped as in MSBuild. */
export interface RequestedProject {
  readonly path: string;
  readonly globalProperties: GlobalProperties;
}

export interface ReadRequest {
  readonly projects: readonly RequestedProject[];
  readonly query: EvaluationQuery;
  /** True if a PackageVersion must be left out unless the project references the package. */
  readonly omitsUnusedVersions?: boolean;
  /** The absolute path of a solution to load as well, as MSBuild does before a build. */
  readonly solution?: string;
}

/** The reason why MSBuild cannot load a file, and the place. */
export interface LoadError {
  readonly code?: string;
  readonly message: string;
  readonly file?: string;
  readonly line: number;
  readonly column: number;
}

/** A project in the answer of the process. */
export interface ReadProject {
  readonly path: string;
  /** The outer evaluation, then the inner ones. */
  readonly evaluations: readonly Evaluation[];
  /** The project and the files outside of the SDK that it imports. */
  readonly files?: readonly string[];
  readonly error?: LoadError;
}

interface ReadResult {
  /** In the order of the request; absent if a file is refused. */
  readonly projects?: readonly ReadProject[];
  readonly refused?: { readonly path: string; readonly line: number; readonly what: string };
  /** The reason why MSBuild cannot load the requested solution, if it cannot. */
  readonly solutionError?: LoadError;
}

/**
 * Evaluates projects in the .NET process. No target, logger or task of the projects runs, and files that could write
 * are refused (docs/spec/dotnet-evaluation.md#reading-projects). A broken project is a result with an error.
 * @param folder the folder whose global.json selects the SDK
 * @throws FileError if a file is refused
 * @throws EvaluationError if the folder has no SDK, or the time of the call is over
 * @throws HostError if the process cannot evaluate
 */
export async function readProjects(
  host: EvaluationHost,
  request: ReadRequest,
  folder: string,
): Promise<ReadResult & { readonly projects: readonly ReadProject[] }> {
  const target = request.projects[0]?.path ?? request.solution ?? folder;
  const { projects, refused, solutionError } = (await host(folder, messageOf(request)).catch((error: unknown) => {
    throw evaluationError(error, target, folder);
  })) as ReadResult;
  if (refused) throw refusal(refused);
  return { projects: projects!, ...(solutionError && { solutionError }) };
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

/** Returns an EvaluationError for what a command of the CLI would report too; the error itself otherwise. */
function evaluationError(error: unknown, target: string, folder: string): unknown {
  if (error instanceof HostError && error.run) {
    return new EvaluationError(target, { ...error.run, command: displayCommand('dotnet', argsFor(target)) });
  }
  if (!(error instanceof TimeUpError)) return error;
  const { limitMs } = error;
  const run = { ...evaluationRun(target, folder, ''), terminatedBy: 'timed out' as const, exitCode: -1, limitMs };
  return new EvaluationError(target, run);
}

/** The command with which a person sees the errors of a project. */
const argsFor = (project: string): string[] => ['msbuild', project, '-getProperty:TargetFramework'];

/** Returns the run of that command that would print the errors in `stderr`. */
export const evaluationRun = (project: string, cwd: string, stderr: string): CommandRun =>
  commandNotRun({ cwd }, argsFor(project), stderr);

function refusal({ path, line, what }: NonNullable<ReadResult['refused']>): FileError {
  const where = line > 0 ? `${path}(${line})` : path;
  const message = `${where} has ${what}. An action that only reads evaluates no file that could change something or download a program`;
  const hint = what.startsWith('the SDK')
    ? 'Read the file. If you trust it, call Restore, which downloads the SDK; a name and version that are computed must be written out.'
    : 'Read the file. If you trust it, use Build, which evaluates it as the raw CLI does; else remove the line.';
  return new FileError('invalid value', message, hint);
}
