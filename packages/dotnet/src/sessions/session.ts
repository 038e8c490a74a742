import type { OutputStream } from '../process/command-run.js';

export type SessionStatus = 'running' | 'exited' | 'stopped';
/** The state of `dotnet watch`: building, running the program, or waiting for an edit. */
export type WatchState = 'building' | 'running' | 'waiting';

/** A background program that runs, or has ended and is still listed. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly kind: 'run' | 'watch';
  readonly pid: number;
  /** The project or folder of the call. */
  readonly target: string;
  readonly status: SessionStatus;
  /** The state of a running `watch`. */
  readonly state?: WatchState;
  /** The exit code of an ended program, 128 + n for signal n. */
  readonly exitCode?: number;
  /** The time of the start in ISO 8601, like all times here. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** The addresses that the program printed, in order, with secrets replaced. */
  readonly urls: readonly string[];
}

export interface SessionLine {
  readonly at: string;
  readonly stream: OutputStream;
  /** The text of the line without its line end. */
  readonly text: string;
}

export interface LineFilter {
  readonly stream?: OutputStream;
  /** Earlier lines do not pass. */
  readonly since?: Date;
}

export interface SessionLines {
  readonly lines: readonly SessionLine[];
  /** The number of lines that pass the filter, including those that are no longer kept. */
  readonly total: number;
  /** True if `lines` has fewer than `total` lines. */
  readonly truncated: boolean;
}

export interface SessionStart {
  /** The arguments after `dotnet`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly target: string;
  readonly kind: 'run' | 'watch';
  readonly env?: Readonly<Record<string, string>>;
  markSecrets?(text: string): string;
  /** The maximum time until the answer, in milliseconds. */
  readonly timeoutMs: number;
  /** If it fires before the answer, the session is stopped, and the start has failed. */
  readonly signal: AbortSignal;
  /** Called once when the build is over: the program runs, or it never will. Not called for `watch`. */
  onBuilt?(): void;
}

/** The answer to a start after the program's first output, or `Sessions.StartWaitMs` after its build. */
export interface StartedSession {
  readonly started: true;
  readonly session: SessionInfo;
  /** The command as a person would type it. */
  readonly command: string;
  /** The event for which the answer did not wait long enough. */
  readonly missing?: 'build' | 'output';
}

/** The answer to a start whose program ended or was stopped before the answer. Its session is kept like others. */
export interface FailedStart {
  readonly started: false;
  readonly session: SessionInfo;
  readonly command: string;
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FollowRequest extends LineFilter {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onLine(line: SessionLine): void;
}

/** The background sessions of all principals (docs/spec/dotnet-runtime.md#sessions). */
export interface SessionTable {
  /** Returns the sessions of a principal, which cannot see the sessions of others (docs/spec/access.md#ownership). */
  of(owner: string): Sessions;
  close(): Promise<void>;
}

/** The background sessions of one principal. Methods return undefined for an unknown id. */
export interface Sessions {
  /**
   * Starts a program, and waits as {@link StartedSession} describes.
   * @throws DotnetNotFoundError if there is no `dotnet`
   * @throws the signal's reason if it has already fired
   */
  start(request: SessionStart): Promise<StartedSession | FailedStart>;
  /** Returns running sessions and ended ones that are still kept, the oldest first. */
  list(): SessionInfo[];
  get(sessionId: string): SessionInfo | undefined;
  /** Returns the last `tailLines` of the lines that pass the filter; by default all of them. */
  lines(sessionId: string, filter?: LineFilter & { readonly tailLines?: number }): SessionLines | undefined;
  /** Passes on new lines until the session ends, the time is over or the signal fires. */
  follow(sessionId: string, request: FollowRequest): Promise<SessionInfo | undefined>;
  /** Asks the program to end, and kills it if it does not. Has no effect on an ended session. */
  stop(sessionId: string): Promise<SessionInfo | undefined>;
}
