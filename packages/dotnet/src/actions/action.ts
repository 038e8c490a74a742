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
  /** For the tool's description: what it is for, in a few words. */
  readonly description?: string;
  /** Beside `action` and what it requires. */
  readonly optional?: readonly ParameterName[];
  /** Missing or blank ones are refused, in this order. */
  readonly required?: readonly ParameterName[];
  /** Exactly one of them must be given: the parameter for one thing, or the one for several. */
  readonly requiredOneOf?: readonly [one: ParameterName, several: ParameterName];
  /** The target parameter; if the call omits it, the only project or solution in the call's folder is used. */
  readonly finds?: TargetParameter;
  /** Values that are other ones here than in other actions: these checks replace those of the table of parameters. */
  readonly checks?: Partial<Record<ParameterName, Parameter['check']>>;
  /** Checks that involve several parameters. Throws InvalidParameterError. */
  check?(args: Arguments): void;
  readonly confirm?: Confirmation;
  /** The list that the action is called for: it has as many entries as fit (docs/spec/dotnet-results.md#result-limits). */
  readonly lists?: string;
  /** The first and the last message of progress (docs/spec/dotnet-commands.md#progress-texts). */
  readonly progress?: readonly [start: string, end: string];
  /** The files that its commands change, absolute: they keep their layout, and {@link ActionContext.changes} names their lines. */
  edits?(call: ActionContext): readonly string[] | Promise<readonly string[]>;
  /** Throws InvalidParameterError or {@link ActionError}. */
  execute(call: ActionContext): Promise<ActionResult>;
}

/** What holds a lock changes something. */
interface LockingRow {
  readonly lock: ActionLock;
  readonly isReadOnly?: undefined;
  readonly writesWith?: undefined;
}

interface LocklessRow {
  readonly lock?: undefined;
  /** It changes nothing, and runs no code of the project. Others need the scope `mortise:write` (docs/spec/access.md#scopes). */
  readonly isReadOnly: boolean;
  /** Parameters with which an action that reads needs `mortise:write` all the same, because a command of it runs code. */
  readonly writesWith?: readonly ParameterName[];
}

/** One row of a tool's table: what an action takes, what it needs, and what it does. */
export type Action = ActionRow & (LockingRow | LocklessRow);

/** Asks the user before something is destroyed (docs/spec/dotnet-tools.md#destructive-actions). */
export interface Confirmation {
  /** `Delete the database of context Blog?`; undefined where these arguments destroy nothing. */
  question(args: Arguments): string | undefined;
  /** If the client does not support elicitation, `force: true` is required. */
  readonly needsForce?: true;
  /** What it does that wants the user's consent, after the action's name; default: `cannot be undone`. */
  readonly risk?: string;
}

export interface ActionLock {
  /** As messages name it: `build`. */
  readonly operation: string;
  targets(call: ActionContext): readonly LockTarget[] | Promise<readonly LockTarget[]>;
  /** What a refused call shows in addition to the error. */
  readonly refused?: object;
}

/** A call on its way through an action. */
export interface ActionContext {
  readonly args: Arguments;
  /** The action only reads: no program that the repository chooses may run. */
  readonly isLooking: boolean;
  /** Absolute: `workingDirectory`, else the server's. */
  readonly cwd: string;
  readonly context: CallContext;
  readonly services: Services;
  /** The background sessions of the principal that calls. */
  readonly sessions: Sessions;
  /** What others see of this call (ListSessions). */
  readonly operation: Operation;
  /** Held by this call. */
  readonly lockInfo: LockInfo | undefined;
  /** Releases the lock when `done` settles, be that before or after the call ends. */
  holdLockUntil(done: Promise<unknown>): void;
  /** Milliseconds that are left to the call. */
  readonly timeLeftMs: number;
  /** The lines of the files of {@link ActionRow.edits} that were changed since the last look. */
  readonly changes: () => Promise<readonly FileChange[]>;
  /** A path of the arguments as an absolute one: the only resolver (docs/spec/dotnet-tools.md#paths). */
  readonly resolve: (path: string) => string;
  /** Runs `dotnet` for this call: in its folder, within its time, ended with it. */
  readonly dotnet: (
    args: readonly string[],
    options?: Partial<Pick<CommandRequest, 'env' | 'stdin' | 'onLine' | 'cwd' | 'ownArgs' | 'command'>>,
  ) => Promise<CommandRun>;
  /** Secrets in the call's environment; they are marked in the output of the processes that it starts. */
  readonly secrets: CallSecrets | undefined;
}

/** How an action ended well. */
export interface ActionResult {
  /** structuredContent, in the order of docs/spec/dotnet-results.md#success-fields; lockInfo is added. */
  readonly data: object;
  /** Without the line of the exit code. */
  readonly text: string;
  /** The code that the process ended with; default 0. */
  readonly exitCode?: number;
  readonly command?: string;
  readonly metadata?: Record<string, string>;
  /** What a person's `command` prints; default: what it printed to us, and the text where there was no command. */
  readonly output?: string;
  /** Text or data omit relevant output, so the full output is stored, and `fullOutput` links to it. */
  readonly isPartial?: boolean;
  /** The text is complete by itself, without the line of the exit code. */
  readonly isTextOnly?: true;
}

/** The action did not do what it was called for: an ErrorResponse. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
  constructor(
    message: string,
    readonly options: FailOptions,
  ) {
    super(message);
  }
}

/** The same call with other arguments, for actions that do for each of several what they do for one. */
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
 * An answer of something that was changed, or found to be so already: `changed` is false then.
 * The notes are lines below the summary, and `note` in the data.
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

/** What an action takes, the required parameters first. Whatever holds a lock can wait for it. */
export function parametersOf(
  tool: { readonly common?: readonly ParameterName[] },
  action: Action,
): readonly ParameterName[] {
  const { finds, required = [], requiredOneOf, optional = [], lock } = action;
  const own = [...(finds ? [finds] : []), ...required, ...(requiredOneOf ?? []), ...optional];
  return [...new Set([...own, ...(tool.common ?? []), ...(lock ? (['waitSeconds'] as const) : [])])];
}
