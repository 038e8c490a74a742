import type { CallContext, FailOptions, LockInfo } from '@mortise/plugin';
import type { LockTarget } from '../locks/lock.js';
import type { Operation } from '../operations.js';
import type { CommandRequest, CommandRun } from '../process/command-run.js';
import type { FileChange } from '../project-files/edited-files.js';
import type { Services } from '../services.js';
import type { Sessions } from '../sessions/session.js';
import type { CallSecrets } from './call-secrets.js';
import type { Arguments, Parameter, ParameterName } from './parameters.js';

/** The target of an action; if the call omits it, it is searched for in the call's folder. */
export type TargetParameter = 'project' | 'solution';

interface ActionRow {
  /** The purpose of the action in a few words, for the tool's description. */
  readonly description?: string;
  /** The parameters that a call may omit. */
  readonly optional?: readonly ParameterName[];
  /** The parameters that must be given and not be blank. The error names the first one that is missing. */
  readonly required?: readonly ParameterName[];
  /** Exactly one of these two parameters must be given: the one for a single value, or the one for a list. */
  readonly requiredOneOf?: readonly [one: ParameterName, several: ParameterName];
  /** The target parameter; if the call omits it, the only project or solution in the call's folder is used. */
  readonly finds?: TargetParameter;
  /** Checks that replace those of the table of parameters, because this action accepts other values. */
  readonly checks?: Partial<Record<ParameterName, Parameter['check']>>;
  /** Checks parameters that depend on each other. @throws InvalidParameterError */
  check?(args: Arguments): void;
  readonly confirm?: Confirmation;
  /**
   * The member of the data that the call asks for. It keeps as many entries as fit
   * (docs/spec/dotnet-results.md#result-limits).
   */
  readonly lists?: string;
  /** The first and the last message of progress (docs/spec/dotnet-commands.md#progress-texts). */
  readonly progress?: readonly [start: string, end: string];
  /**
   * The absolute paths of the files that the action's commands change. The layout of these files is kept, and
   * {@link ActionContext.changes} lists their changed lines.
   */
  edits?(call: ActionContext): readonly string[] | Promise<readonly string[]>;
  /** @throws InvalidParameterError or {@link ActionError} */
  execute(call: ActionContext): Promise<ActionResult>;
}

/** An action that holds a lock. It changes something, so it is never read-only. */
interface LockingRow {
  readonly lock: ActionLock;
  readonly isReadOnly?: undefined;
  readonly writesWith?: undefined;
}

interface LocklessRow {
  readonly lock?: undefined;
  /**
   * True if it changes nothing and runs no code of the project. Otherwise it needs `mortise:write`
   * (docs/spec/access.md#scopes).
   */
  readonly isReadOnly: boolean;
  /**
   * Parameters that make a read-only action need `mortise:write`, because its command then runs code of the project.
   */
  readonly writesWith?: readonly ParameterName[];
}

/** An action of a tool: its parameters, its lock or its access, and its implementation. */
export type Action = ActionRow & (LockingRow | LocklessRow);

/** Asks the user before something is destroyed (docs/spec/dotnet-tools.md#destructive-actions). */
export interface Confirmation {
  /**
   * Returns the question, for example `Delete the database of context Blog?`; undefined if the call destroys nothing.
   */
  question(args: Arguments): string | undefined;
  /** If the client does not support elicitation, `force: true` is required. */
  readonly needsForce?: true;
  /** The reason for the question, as a predicate of the action's name. Default: `cannot be undone`. */
  readonly risk?: string;
}

export interface ActionLock {
  /** The name of the operation in messages: `build`. */
  readonly operation: string;
  targets(call: ActionContext): readonly LockTarget[] | Promise<readonly LockTarget[]>;
  /** Fields of the result, in addition to the error, if the lock is refused. */
  readonly refused?: object;
}

/** A call that is being executed, and the services that its action can use. */
export interface ActionContext {
  readonly args: Arguments;
  /** True if the call is read-only, so that no program that the repository chooses may run. */
  readonly isReadOnly: boolean;
  /** The absolute folder of the call: `workingDirectory`, or by default the server's folder. */
  readonly cwd: string;
  readonly context: CallContext;
  readonly services: Services;
  readonly sessions: Sessions;
  /** This call's entry in the list of running operations (ListSessions). */
  readonly operation: Operation;
  readonly lockInfo: LockInfo | undefined;
  /** Releases the lock when `done` settles, instead of when the call ends. */
  holdLockUntil(done: Promise<unknown>): void;
  /** The time limit of the whole call, in milliseconds. */
  readonly limitMs: number;
  /** The time until the call's deadline, in milliseconds; at least 1. */
  readonly timeLeftMs: number;
  /** The lines of the files of {@link ActionRow.edits} that have changed since the previous call of `changes`. */
  readonly changes: () => Promise<readonly FileChange[]>;
  /** Makes a path of the arguments absolute. No other code may do that (docs/spec/dotnet-tools.md#paths). */
  readonly resolve: (path: string) => string;
  /** Runs `dotnet` in the call's folder. The command is ended when the call is cancelled or its time is over. */
  readonly dotnet: (
    args: readonly string[],
    options?: Partial<Pick<CommandRequest, 'env' | 'stdin' | 'onLine' | 'cwd' | 'ownArgs' | 'command'>>,
  ) => Promise<CommandRun>;
  /** The secrets in the call's environment. They are marked in the output of the processes that the call starts. */
  readonly secrets: CallSecrets | undefined;
}

/** The result of an action that succeeded. */
export interface ActionResult {
  /** structuredContent without lockInfo, in the order of docs/spec/dotnet-results.md#success-fields. */
  readonly data: object;
  /** The text of the result, without the line `Exit Code: 0`. */
  readonly text: string;
  /** The exit code of the process; default 0. */
  readonly exitCode?: number;
  readonly command?: string;
  readonly metadata?: Record<string, string>;
  /** The full output. Default: the output of `command`, or the text if no command ran. */
  readonly output?: string;
  /**
   * True if the text or the data omits relevant output. Then the full output is stored, and `fullOutput` links to it.
   */
  readonly isPartial?: boolean;
  /** Omits the line `Exit Code: 0`. */
  readonly isTextOnly?: true;
}

/** Thrown if an action fails. The result of the call is an ErrorResponse. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  constructor(
    message: string,
    readonly options: FailOptions,
  ) {
    super(message);
  }
}

/**
 * Returns the same call with other arguments. Actions that process a list call themselves so for each of its values.
 */
export function withArgs(call: ActionContext, args: Arguments): ActionContext {
  return {
    ...call,
    args,
    get lockInfo() {
      return call.lockInfo;
    },
    get timeLeftMs() {
      return call.timeLeftMs;
    },
    holdLockUntil: (done) => call.holdLockUntil(done),
  };
}

/**
 * Returns the result of an action that changes something.
 * @param notes lines below the summary, which are also the `note` of the data
 */
export function changed(
  summary: string,
  data: object = {},
  { notes = [], ...more }: Partial<ActionResult> & { readonly notes?: readonly string[] } = {},
): ActionResult {
  const note = notes.join('\n');
  return {
    data: { success: true, ...data, ...(note !== '' && { note }), summary },
    text: [summary, ...notes].join('\n'),
    ...more,
  };
}

/**
 * Returns the parameters of an action, the required ones first. An action that holds a lock also takes `waitSeconds`.
 */
export function parametersOf(
  tool: { readonly common?: readonly ParameterName[] },
  action: Action,
): readonly ParameterName[] {
  const { finds, required = [], requiredOneOf, optional = [], lock } = action;
  const own = [...(finds ? [finds] : []), ...required, ...(requiredOneOf ?? []), ...optional];
  return [...new Set([...own, ...(tool.common ?? []), ...(lock ? (['waitSeconds'] as const) : [])])];
}
