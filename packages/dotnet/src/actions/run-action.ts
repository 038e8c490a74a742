import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type CallContext, type LockInfo, ok, type ToolCallResult } from '@mortise/plugin';
import { errorEntry } from '../advice/plain-error.js';
import type { AcquiredLock, LockTarget, RefusedLock } from '../locks/lock.js';
import type { Operation } from '../operations.js';
import { type CommandRun, displayCommand, withOwnArgs } from '../process/command-run.js';
import { EditedFiles } from '../project-files/edited-files.js';
import { assertNoRepositorySdk } from '../sdk/repository-sdk.js';
import type { Services } from '../services.js';
import type { Sessions } from '../sessions/session.js';
import { type Action, type ActionContext, ActionError, type ActionLock, type ActionResult } from './action.js';
import { boundedData, withOmitted } from './bounded-data.js';
import { cancelled, failure } from './call-failure.js';
import { checkedPaths, workingDirectory } from './call-paths.js';
import { type CallSecrets, credentialOf, secretsOf } from './call-secrets.js';
import { confirm } from './confirm.js';
import { withTarget } from './find-target.js';
import type { Arguments } from './parameters.js';

/**
 * Runs a .NET call: check → confirm → lock → execute → result. Wrong arguments, a refused lock, a missing CLI and a
 * failed command become error results; only faults in our own code are thrown.
 */
export async function runAction(
  tool: string,
  action: Action,
  check: (args: Arguments) => Arguments,
  args: Arguments,
  context: CallContext,
  services: Services,
): Promise<ToolCallResult> {
  const call = new Call(tool, action, args, context, services);
  const result = await execute(action, check, call);
  return call.secrets?.markAllSecrets(result) ?? result;
}

async function execute(action: Action, check: (args: Arguments) => Arguments, call: Call): Promise<ToolCallResult> {
  try {
    call.args = check(call.args);
    const { roots } = call.services.settings;
    call.cwd = workingDirectory(call.args, roots);
    call.args = await withTarget(action, call);
    call.args = checkedPaths(roots, call.args, call.cwd);
    action.check?.(call.args);
    await confirm(action, call);
    call.operation.target = targetOf(call);
    if (action.lock) {
      call.lock = await acquire(action.lock, call);
      logStart(action.lock.operation, call);
    }
    if (action.edits) call.edited = await EditedFiles.read(await action.edits(call));
    return success(await withProgress(action, call), action, call);
  } catch (error) {
    return failure(error, call);
  } finally {
    await call.end();
  }
}

class Call implements ActionContext {
  cwd = process.cwd();
  lock: AcquiredLock | undefined;
  edited: EditedFiles | undefined;
  readonly secrets: CallSecrets | undefined;
  #isLockHandedOver = false;
  readonly #runs: CommandRun[] = [];
  readonly limitMs: number;
  readonly #endsAt: number;

  readonly operation: Operation;
  readonly isReadOnly: boolean;

  constructor(
    readonly tool: string,
    action: Action,
    public args: Arguments,
    readonly context: CallContext,
    readonly services: Services,
  ) {
    const isWriting = action.writesWith?.some((name) => args[name] !== undefined && args[name] !== false);
    this.isReadOnly = action.isReadOnly === true && !isWriting;
    const { timeoutSeconds } = args;
    this.limitMs = timeoutSeconds === undefined ? services.settings.timeoutMs : timeoutSeconds * 1000;
    this.#endsAt = Date.now() + this.limitMs;
    this.operation = services.operations.begin({ tool, action: args.action, signal: context.signal });
    this.secrets = secretsOf({ ...args.environment, ...credentialOf(args, services.settings.withheld) });
  }

  get sessions(): Sessions {
    return this.services.sessions.of(this.context.caller.principal ?? '');
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
    try {
      await this.changes();
    } finally {
      if (!this.#isLockHandedOver) await this.lock?.release();
    }
  }

  get timeLeftMs(): number {
    return Math.max(1, this.#endsAt - Date.now());
  }

  readonly changes: ActionContext['changes'] = async () => (await this.edited?.changes()) ?? [];

  readonly resolve: ActionContext['resolve'] = (path) => resolve(this.cwd, path);

  readonly dotnet: ActionContext['dotnet'] = async (args, options = {}) => {
    const { signal, logger } = this.context;
    const { ownArgs } = options;
    if (ownArgs?.length) logger.debug(this.#withMarkedSecrets(displayCommand('dotnet', withOwnArgs(args, ownArgs))));
    if (this.isReadOnly) assertNoRepositorySdk(options.cwd ?? this.cwd, this.services.settings.trustedFolders);
    const { operation } = this;
    const ended = await this.services.dotnet({
      ...{ args, cwd: this.cwd, signal, timeoutMs: this.timeLeftMs, ...options },
      ...(this.secrets && { markSecrets: this.secrets.markSecrets }),
      onStart: (pid) => operation.started(pid),
      onTermination: (why) => operation.aborting(why),
    });
    const run = { ...ended, limitMs: this.limitMs };
    this.#runs.push(run);
    return run;
  };

  #withMarkedSecrets(text: string): string {
    return this.secrets?.markSecrets(text) ?? text;
  }

  outputOf(command: string | undefined): string | undefined {
    return this.#runs.findLast((run) => run.command === command)?.output;
  }
}

/** Returns the target of the call for ListSessions. */
function targetOf({ args, resolve: absolute }: ActionContext): string {
  return absolute(args.project ?? args.projectPath ?? args.solution ?? '.');
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
  const answer = await locks.acquire(request).catch((error: unknown) => {
    throw signal.aborted ? cancelled(`The call waited for the lock of ${targets[0]!.path}; nothing was run.`) : error;
  });
  call.operation.isWaiting = false;
  if ('acquired' in answer) return answer.acquired;
  throw lockConflict(lock, targets[0]!.path, answer.refused, call);
}

/** Returns the maximum wait for a lock, in milliseconds: never more than the time that the call has left. */
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

async function withProgress(action: Action, call: ActionContext): Promise<ActionResult> {
  const [start, end] = action.progress ?? [];
  if (start === undefined) return action.execute(call);
  call.context.progress.report(0, start);
  try {
    return await action.execute(call);
  } finally {
    call.context.progress.report(100, end);
  }
}

function success(answer: ActionResult, action: Action, call: Call): ToolCallResult {
  const { text, exitCode = 0, command, isTextOnly, isPartial = false } = answer;
  const { lockInfo } = call;
  const { data, omitted } = boundedData(answer.data, action.lists, lockInfo ? JSON.stringify(lockInfo).length : 0);
  const metadata = { ...answer.metadata, ...(exitCode !== 0 && { processExitCode: String(exitCode) }) };
  const hasMetadata = Object.keys(metadata).length > 0;
  const trimmed = text.trimEnd();
  const lines = isTextOnly ? [text] : [trimmed, 'Exit Code: 0'].filter((line) => line !== '');
  return ok(
    lines.join('\n'),
    { ...data, ...(lockInfo && { lockInfo }), ...(hasMetadata && { metadata }) },
    {
      output: withOmitted(answer.output ?? call.outputOf(command) ?? trimmed, omitted),
      showsAll: !isPartial && omitted === '',
      ...(command !== undefined && { command }),
      ...('summary' in data && { summary: String(data.summary) }),
      ...(hasMetadata && { metadata }),
    },
  );
}

/**
 * Logs the start of an operation. Clients that receive log messages see it, too
 * (docs/spec/dotnet-runtime.md#log-messages).
 */
export function logStart(operation: string, { args, cwd, context }: ActionContext): void {
  const target = args.project ?? args.solution ?? cwd;
  context.logger.info(`Starting operation '${operation}' on ${target}`);
}
