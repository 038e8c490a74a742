import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CallContext, type ErrorResult, fail, type LockInfo, ok, type ToolCallResult } from '@mortise/plugin';
import { UnreadableFileError } from '@mortise/plugin/runtime';
import { errorEntry } from '../diagnostics/errors/plain-error.js';
import { adviseClosest } from '../diagnostics/explain/suggest-projects.js';
import type { AcquiredLock, LockTarget, RefusedLock } from '../locks/lock.js';
import { EvaluationError } from '../msbuild/evaluate.js';
import type { Operation } from '../operations.js';
import { type CommandRun, DotnetNotFoundError } from '../process/command-run.js';
import { displayCommand, withOwnArgs } from '../process/format-command.js';
import { FileError } from '../project-files/file-error.js';
import type { Services } from '../services.js';
import { type Action, type ActionContext, ActionError, type ActionLock, type Answer } from './action.js';
import { type CallSecrets, secretsOf } from './call-secrets.js';
import { commandFailed } from './command-failed.js';
import { confirm } from './confirm.js';
import { credentialOf } from './credential.js';
import { withTarget } from './find-target.js';
import { InvalidParameterError } from './invalid-parameter.js';
import { logStart } from './log-operation.js';
import { assertOnlyFiles } from './only-files.js';
import type { Arguments } from './parameters.js';
import { projectInRoots } from './project-in-roots.js';
import { type FailedCall, helpInSameFolder, withWorkingDirectory } from './with-working-directory.js';

/**
 * The pipeline of a .NET call: check → confirm → lock → run → answer. What is wrong with the arguments, a refused lock, a
 * missing CLI and a failed command are results; only faults of our own are thrown.
 */
export async function runAction(
  tool: string,
  action: Action,
  check: (args: Arguments) => Arguments,
  args: Arguments,
  context: CallContext,
  services: Services,
): Promise<ToolCallResult> {
  const call = new Call(tool, args, context, services);
  const result = await answered(action, check, call);
  return call.secrets?.markAllSecrets(result) ?? result;
}

async function answered(action: Action, check: (args: Arguments) => Arguments, call: Call): Promise<ToolCallResult> {
  try {
    call.args = check(call.args);
    call.cwd = workingDirectory(call.args);
    const project = await projectInRoots(action, call);
    if (project !== undefined) call.args = { ...call.args, project };
    if (action.finds) call.args = withTarget(action.finds, call.args, call.cwd);
    action.check?.(call.args);
    assertOnlyFiles(call.args, call.cwd);
    await confirm(action, call);
    call.operation.target = targetOf(call);
    if (action.lock) {
      call.lock = await acquire(action.lock, call);
      logStart(action.lock.operation, call);
    }
    return success(await withProgress(action, call), call);
  } catch (error) {
    return failure(error, call);
  } finally {
    await call.end();
  }
}

class Call implements ActionContext {
  cwd = process.cwd();
  lock: AcquiredLock | undefined;
  readonly secrets: CallSecrets | undefined;
  #isLockHandedOver = false;
  readonly #runs: CommandRun[] = [];
  readonly #limitMs: number;
  readonly #endsAt: number;

  readonly operation: Operation;

  constructor(
    readonly tool: string,
    public args: Arguments,
    readonly context: CallContext,
    readonly services: Services,
  ) {
    const { timeoutSeconds } = args;
    this.#limitMs = timeoutSeconds === undefined ? services.settings.timeoutMs : timeoutSeconds * 1000;
    this.#endsAt = Date.now() + this.#limitMs;
    this.operation = services.operations.begin({ tool, action: args.action, signal: context.signal });
    this.secrets = secretsOf({ ...args.environment, ...credentialOf(args) });
  }

  get lockInfo(): LockInfo | undefined {
    return this.lock?.lockInfo;
  }

  holdLockUntil(done: Promise<unknown>): void {
    const release = () => this.lock?.release();
    this.#isLockHandedOver = true;
    done.then(release, release);
  }

  async end(): Promise<void> {
    this.operation.end();
    if (!this.#isLockHandedOver) await this.lock?.release();
  }

  get timeLeftMs(): number {
    return Math.max(1, this.#endsAt - Date.now());
  }

  readonly resolve: ActionContext['resolve'] = (path) => resolve(this.cwd, path);

  readonly dotnet: ActionContext['dotnet'] = async (args, options = {}) => {
    const { signal, logger } = this.context;
    const { ownArgs } = options;
    if (ownArgs?.length) logger.debug(this.#withMarkedSecrets(displayCommand('dotnet', withOwnArgs(args, ownArgs))));
    const { operation } = this;
    const ended = await this.services.dotnet({
      ...{ args, cwd: this.cwd, signal, timeoutMs: this.timeLeftMs, ...options },
      ...(this.secrets && { markSecrets: this.secrets.markSecrets }),
      onStart: (pid) => operation.started(pid),
      onTermination: (why) => operation.aborting(why),
    });
    const run = { ...ended, limitMs: this.#limitMs };
    this.#runs.push(run);
    return run;
  };

  #withMarkedSecrets(text: string): string {
    return this.secrets?.markSecrets(text) ?? text;
  }

  /** What a command of this call printed. */
  outputOf(command: string | undefined): string | undefined {
    return this.#runs.findLast((run) => run.command === command)?.output;
  }
}

/** What the call is about, as ListSessions names it. */
function targetOf({ args, resolve: absolute }: ActionContext): string {
  return absolute(args.project ?? args.projectPath ?? args.solution ?? '.');
}

function workingDirectory({ workingDirectory: requested }: Arguments): string {
  if (requested === undefined) return process.cwd();
  const folder = resolve(requested);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return folder;
  const what = stat ? 'is not a folder' : 'not found';
  throw new InvalidParameterError(
    'workingDirectory',
    'not found',
    `Parameter 'workingDirectory' ${what}: ${requested}`,
    {
      providedValue: requested,
      hint: `It was looked for as ${folder}.`,
    },
  );
}

/** Runs part of a call under a separate lock. @throws ActionError if another process or call holds it */
export async function withLock<T>(
  call: ActionContext,
  operation: string,
  targets: readonly LockTarget[],
  work: () => Promise<T>,
): Promise<T> {
  const lock = await acquire({ operation, targets: () => targets }, call);
  try {
    return await work();
  } finally {
    await lock?.release();
  }
}

async function acquire(lock: ActionLock, call: ActionContext): Promise<AcquiredLock | undefined> {
  const { locks } = call.services;
  const targets = await lock.targets(call);
  if (targets.length === 0) return undefined;
  const { signal } = call.context;
  call.operation.isWaiting = true;
  const request = { targets, operation: lock.operation, callId: randomUUID(), waitMs: lockWaitMs(call), signal };
  const got = await locks.acquire(request).catch((error: unknown) => {
    throw signal.aborted ? cancelled(`It waited for ${targets[0]!.path}; nothing was run.`) : error;
  });
  call.operation.isWaiting = false;
  if ('acquired' in got) return got.acquired;
  throw lockConflict(lock, targets[0]!.path, got.refused, call);
}

/** The call was cancelled while it ran no command. */
function cancelled(hint?: string): ActionError {
  const message = 'The operation was cancelled by the user';
  return new ActionError(message, {
    errors: [errorEntry('OPERATION_CANCELLED', message, { ...(hint && { hint }), data: { exitCode: -1 } })],
  });
}

/** Waiting is a part of the time that the call has. */
function lockWaitMs({ args: { waitSeconds }, services: { settings }, timeLeftMs }: ActionContext): number {
  return Math.min(waitSeconds === undefined ? settings.lockWaitMs : waitSeconds * 1000, timeLeftMs);
}

function lockConflict(
  { operation, refused }: ActionLock,
  path: string,
  { lockInfo, conflictingOperation, ownerPid, ownerHost }: RefusedLock,
  { args }: ActionContext,
): ActionError {
  const target = args.project ?? args.solution ?? path;
  const message = `Cannot execute '${operation}' on '${target}' because a conflicting operation is already in progress: ${conflictingOperation}`;
  const additionalData = {
    operationType: operation,
    target,
    conflictingOperation,
    ownerPid: String(ownerPid),
    ownerHost,
  };
  return new ActionError(message, {
    errors: [errorEntry('CONCURRENCY_CONFLICT', message, { data: { exitCode: -1, additionalData } })],
    lockInfo,
    ...(refused && { structured: refused }),
  });
}

async function withProgress(action: Action, call: ActionContext): Promise<Answer> {
  const [start, end] = action.progress ?? [];
  if (start === undefined) return action.execute(call);
  call.context.progress.report(0, start);
  try {
    return await action.execute(call);
  } finally {
    call.context.progress.report(100, end);
  }
}

function success(answer: Answer, call: Call): ToolCallResult {
  const { data, text, exitCode = 0, command, isTextOnly, isPartial = false } = answer;
  const { lockInfo } = call;
  const metadata = { ...answer.metadata, ...(exitCode !== 0 && { processExitCode: String(exitCode) }) };
  const hasMetadata = Object.keys(metadata).length > 0;
  const trimmed = text.trimEnd();
  const lines = isTextOnly ? [text] : [trimmed, 'Exit Code: 0'].filter((line) => line !== '');
  return ok(
    lines.join('\n'),
    { ...data, ...(lockInfo && { lockInfo }), ...(hasMetadata && { metadata }) },
    {
      output: answer.output ?? call.outputOf(command) ?? trimmed,
      showsAll: !isPartial,
      ...(command !== undefined && { command }),
      ...('summary' in data && { summary: String(data.summary) }),
      ...(hasMetadata && { metadata }),
    },
  );
}

const failedCall = ({ tool, args }: Call): FailedCall => ({ toolName: tool, args });

const FILE_KINDS: readonly string[] = ['project', 'projectPath', 'solution', 'startupProject'];

/** A project or solution that is not there comes with the nearest ones that are. */
function withNearest({ parameter, message, result, details }: InvalidParameterError, call: Call): ToolCallResult {
  if (details.reason !== 'not found' || !FILE_KINDS.includes(parameter)) return result;
  const action = adviseClosest(details.entry.data?.additionalData?.providedValue, call.cwd, parameter);
  const entry = { ...details.entry, recommendedAction: action };
  return fail(message, { errors: withWorkingDirectory([entry], failedCall(call)) });
}

function failure(error: unknown, call: Call): ToolCallResult {
  const { lockInfo: lock } = call;
  if (error instanceof InvalidParameterError) return withNearest(error, call);
  const lockInfo = lock && { lockInfo: lock };
  if (error instanceof ActionError) {
    const { errors, codes, ...options } = error.options;
    const nextOf = (list: ErrorResult[]) => withWorkingDirectory(list, failedCall(call));
    return fail(error.message, {
      ...lockInfo,
      ...options,
      ...(errors && { errors: nextOf(errors) }),
      ...(codes && { codes: helpInSameFolder(codes, failedCall(call)) }),
    });
  }
  if (error instanceof DotnetNotFoundError) return dotnetMissing(error, lockInfo);
  if (error instanceof FileError) return fileErrorOutcome(error, call);
  const { signal } = call.context;
  if (signal.aborted && error === signal.reason) return failure(cancelled(), call);
  const unusable = unusablePath(error);
  if (unusable) return fileErrorOutcome(unusable, call);
  if (error instanceof EvaluationError) return failure(commandFailed(error.run, { label: 'Evaluation' }), call);
  throw error;
}

/** What the operating system says of a path that nothing can be done with. */
const PATH_REASONS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'The path is too long',
  E2BIG: 'The arguments are too long',
  ELOOP: 'The symbolic links of the path go round in a circle',
  ERR_INVALID_ARG_VALUE: 'The path holds a NUL character',
};

/** What is named is a named pipe, a device or a folder where a file must be, or no path at all. */
function unusablePath(error: unknown): FileError | undefined {
  const hint = 'Give the path of a file that can be read.';
  if (error instanceof UnreadableFileError) return new FileError('not found', error.message, hint);
  const { code = '', path } = error as NodeJS.ErrnoException;
  const reason = PATH_REASONS[code];
  if (reason === undefined) return undefined;
  return new FileError('not found', path === undefined ? reason : `${reason}: ${path.slice(0, 200)}`, hint);
}

const FILE_PARAMETERS = ['projectPath', 'project', 'solution', 'globalJsonPath'] as const;

/** A file that cannot be read or edited as asked. */
function fileErrorOutcome(
  { reason, message, hint, line, column, parameter: requested }: FileError,
  call: Call,
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

/** The dotnet CLI is missing (docs/spec/contract.md#cli-missing). */
export function dotnetMissing({ detail, command }: DotnetNotFoundError, more: object = {}): ToolCallResult {
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
