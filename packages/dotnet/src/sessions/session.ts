import type { OutputStream } from '../process/command-run.js';

export type SessionStatus = 'running' | 'exited' | 'stopped';
/** The state of `dotnet watch`: it builds, the program runs, or it waits for an edit. */
export type WatchState = 'building' | 'running' | 'waiting';

/** A program that runs in the background, or has ended and is still listed. */
export interface SessionInfo {
  readonly sessionId: string;
  readonly kind: 'run' | 'watch';
  readonly pid: number;
  /** The project, or the folder, that was asked for. */
  readonly target: string;
  readonly status: SessionStatus;
  /** For `watch` alone, as long as it runs. */
  readonly state?: WatchState;
  /** 128 + n for signal n; there when it has ended. */
  readonly exitCode?: number;
  /** ISO 8601, as are all times. */
  readonly startedAt: string;
  readonly endedAt?: string;
  /** Addresses that the program printed, in order; secrets in them are replaced. */
  readonly urls: readonly string[];
}

export interface SessionLine {
  readonly at: string;
  readonly stream: OutputStream;
  /** Without its line end. */
  readonly text: string;
}

export interface LineFilter {
  readonly stream?: OutputStream;
  /** Lines of this moment and later. */
  readonly since?: Date;
}

export interface SessionLines {
  readonly lines: readonly SessionLine[];
  /** How many lines there were; those that are kept no more count where `since` does not leave them out. */
  readonly total: number;
  /** Some of them are not in `lines`. */
  readonly truncated: boolean;
}

export interface SessionStart {
  /** The argument vector after `dotnet`. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly target: string;
  readonly kind: 'run' | 'watch';
  readonly env?: Readonly<Record<string, string>>;
  /** Marks secrets in a line. */
  markSecrets?(text: string): string;
  /** How long the answer can wait for the build, in milliseconds. */
  readonly timeoutMs: number;
  /** When it fires before the start is answered, the session is stopped, and the start has failed. */
  readonly signal: AbortSignal;
  /** Called once: the program itself runs, not its build any more; or it never will. Never for `watch`. */
  onBuilt?(): void;
}

/** How a start was answered: at the program's first output, or `Sessions.StartWaitMs` after its build. */
export interface StartedSession {
  readonly started: true;
  readonly session: SessionInfo;
  /** As a person would type it. */
  readonly command: string;
  /** What the answer came too early for. */
  readonly missing?: 'build' | 'output';
}

/** It ended before that, or was stopped. Its session is kept like others. */
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

/** The programs in the background, of all principals (docs/spec/dotnet-runtime.md#sessions). */
export interface SessionTable {
  /** Those that the principal has started: others do not exist for it (docs/spec/access.md#ownership). */
  of(owner: string): Sessions;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** The programs in the background of one principal. Methods return undefined for an unknown id. */
export interface Sessions {
  /**
   * @throws DotnetNotFoundError if there is no `dotnet`
   * @throws the signal's reason
   */
  start(request: SessionStart): Promise<StartedSession | FailedStart>;
  /** Running sessions and ended ones that are kept, the oldest first. */
  list(): SessionInfo[];
  get(sessionId: string): SessionInfo | undefined;
  /** The last `tailLines` of the lines that pass the filter; all without it. */
  lines(sessionId: string, filter?: LineFilter & { readonly tailLines?: number }): SessionLines | undefined;
  /** New lines as they come, until the session ends, the time is over or the signal fires. */
  follow(sessionId: string, request: FollowRequest): Promise<SessionInfo | undefined>;
  /** Asks the program to end, and kills it when it does not. One that has ended stays as it is. */
  stop(sessionId: string): Promise<SessionInfo | undefined>;
}
