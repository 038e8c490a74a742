import { existsSync } from 'node:fs';
import { type FailOptions, fail, type ToolCallResult } from '@mortise/plugin';
import { UnreadableFileError } from '@mortise/plugin/runtime';
import { errorEntry } from '../advice/plain-error.js';
import { adviseClosest } from '../advice/suggest-projects.js';
import { HostError } from '../host/dotnet-host.js';
import { EvaluationError } from '../msbuild/evaluate.js';
import { DotnetNotFoundError } from '../process/command-run.js';
import { FileError } from '../project-files/file-error.js';
import { type ActionContext, ActionError } from './action.js';
import { boundedData, withOmitted } from './bounded-data.js';
import { commandFailed } from './command-failed.js';
import { hostFailure } from './host-failure.js';
import { InvalidParameterError } from './invalid-parameter.js';
import { type FailedCall, helpWithWorkingDirectory, withWorkingDirectory } from './with-working-directory.js';

/** The part of a call that its error result is made from. */
type FailingCall = Pick<ActionContext, 'args' | 'cwd' | 'context' | 'resolve' | 'lockInfo' | 'services'> & {
  readonly tool: string;
};

/** Creates the error of a call that was cancelled while no command ran. */
export function cancelled(hint?: string): ActionError {
  const message = 'The operation was cancelled by the user';
  return new ActionError(message, {
    errors: [errorEntry('OPERATION_CANCELLED', message, { ...(hint && { hint }), data: { exitCode: -1 } })],
  });
}

const failedCall = ({ tool, args }: FailingCall): FailedCall => ({ toolName: tool, args });

const FILE_KINDS: readonly string[] = ['project', 'projectPath', 'solution', 'startupProject'];

/** Adds a call with the most similar existing file to the error for a missing project or solution. */
function withSuggestions({ parameter, message, details }: InvalidParameterError, call: FailingCall): ToolCallResult {
  const { reason, entry } = details;
  const isFile = reason === 'not found' && FILE_KINDS.includes(parameter);
  const closest = () => adviseClosest(entry.data?.additionalData?.providedValue, call.cwd, parameter);
  const recommendedAction = entry.recommendedAction ?? (isFile ? closest() : undefined);
  if (recommendedAction === undefined) return fail(message, { errors: [entry] });
  return fail(message, { errors: withWorkingDirectory([{ ...entry, recommendedAction }], failedCall(call)) });
}

/** Converts an error into the result of the call. @throws the error itself if it is a fault in our own code */
export function failure(error: unknown, call: FailingCall): ToolCallResult {
  const { lockInfo: lock } = call;
  if (error instanceof InvalidParameterError) return withSuggestions(error, call);
  const lockInfo = lock && { lockInfo: lock };
  if (error instanceof ActionError) {
    const { errors, codes, ...options } = error.options;
    return fail(error.message, {
      ...lockInfo,
      ...options,
      ...boundedFields(error.options),
      ...(errors && { errors: withWorkingDirectory(errors, failedCall(call)) }),
      ...(codes && { codes: helpWithWorkingDirectory(codes, failedCall(call)) }),
    });
  }
  if (error instanceof DotnetNotFoundError) return dotnetMissing(error, lockInfo);
  if (error instanceof FileError) return fileErrorOutcome(error, call);
  const { signal } = call.context;
  if (signal.aborted && error === signal.reason) return failure(cancelled(), call);
  const unusable = unusablePath(error);
  if (unusable) return fileErrorOutcome(unusable, call);
  if (error instanceof EvaluationError) return failure(commandFailed(error.run, { label: 'Evaluation' }), call);
  if (error instanceof HostError) return failure(hostFailure(error, call.services.settings.hostMemoryMb), call);
  throw error;
}

/** Shortens the fields that are shown in addition to the errors. The errors and their help are never shortened. */
function boundedFields({ structured, errors, codes, output = '' }: FailOptions): Partial<FailOptions> {
  if (structured === undefined) return {};
  const { data, omitted } = boundedData(structured, undefined, JSON.stringify({ errors, codes }).length);
  return { structured: data, ...(omitted !== '' && { output: withOmitted(output, omitted) }) };
}

/** The messages for error codes with which the operating system or Node.js refuses a path. */
const PATH_REASONS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'The path is too long',
  E2BIG: 'The arguments are too long',
  ELOOP: 'The symbolic links of the path form a loop',
  ERR_INVALID_ARG_VALUE: 'The path holds a NUL character',
};

/** Converts the error for a path that is not a readable file, or not a valid path; undefined for other errors. */
function unusablePath(error: unknown): FileError | undefined {
  const hint = 'Give the path of a file that can be read.';
  if (error instanceof UnreadableFileError) return new FileError('not found', error.message, hint);
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = PATH_REASONS[code];
  if (reason === undefined) return undefined;
  return new FileError('not found', path === undefined ? reason : `${reason}: ${path.slice(0, 200)}`, hint);
}

const FILE_PARAMETERS = ['projectPath', 'project', 'solution', 'globalJsonPath'] as const;

/** Converts the error for a file that cannot be read or edited as the call asks. */
function fileErrorOutcome(
  { reason, message, hint, line, column, parameter: requested }: FileError,
  call: FailingCall,
): ToolCallResult {
  const { args } = call;
  const fileParameter = FILE_PARAMETERS.find((name) => args[name] !== undefined) ?? 'workingDirectory';
  const parameter = requested ?? fileParameter;
  const code = reason === 'changed meanwhile' ? 'CONCURRENCY_CONFLICT' : 'INVALID_PARAMS';
  const file = requested === undefined ? args[fileParameter] : undefined;
  const data = {
    exitCode: -1,
    additionalData: { parameter, reason, ...(file !== undefined && { providedValue: file }) },
  };
  const location = file !== undefined && line !== undefined && { file, line, column: column ?? 1 };
  const isMissing = reason === 'not found' && file !== undefined && !existsSync(call.resolve(file));
  const action = isMissing && { recommendedAction: adviseClosest(file, call.cwd, parameter) };
  const entry = { ...errorEntry(code, message, { hint, data }), ...location, ...action };
  return fail(message, { errors: withWorkingDirectory([entry], failedCall(call)) });
}

/** Returns the result of a call for which there is no dotnet CLI (docs/spec/contract.md#cli-missing). */
function dotnetMissing({ detail, command }: DotnetNotFoundError, more: object = {}): ToolCallResult {
  const message = `Capability 'dotnet CLI' is not available in the current environment. Details: ${detail}`;
  const alternatives = [
    'Install the .NET SDK from https://dotnet.microsoft.com/download',
    "Verify 'dotnet' is on PATH (try: dotnet --info)",
    'If using global.json, ensure the requested SDK is installed',
  ];
  const hint = 'Try one of the alternatives or adjust the environment to enable this capability.';
  const data = { command, exitCode: -1, stderr: detail };
  const entry = errorEntry('CAPABILITY_NOT_AVAILABLE', message, { hint, alternatives, data });
  return fail(message, { ...more, errors: [{ ...entry, mcpErrorCode: -32001 }] });
}
