export interface CommandRequest {
  /** The arguments after `dotnet`. No shell parses them. */
  readonly args: readonly string[];
  /**
   * Arguments that no person would type: loggers, result files, output formats for programs. They are inserted before
   * the `--` of `args`, or at its end. `command` does not show them.
   */
  readonly ownArgs?: readonly string[];
  /** The command line in errors. Default: `dotnet` and `args`. */
  readonly command?: string;
  /** The absolute path of an existing folder. */
  readonly cwd: string;
  /** Ends the whole process tree when it fires. */
  readonly signal: AbortSignal;
  /** The time in milliseconds after which the process tree is ended. */
  readonly timeoutMs: number;
  /** Variables in addition to those of every command. */
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin; default: empty. */
  readonly stdin?: string;
  /** Called when the process has started. It leads a process group. */
  onStart?(pid: number): void;
  /** Called before the process tree is ended. */
  onTermination?(why: 'cancelled' | 'timed out'): void;
  /** Marks secrets in the output before it is read or truncated. */
  markSecrets?(text: string): string;
  /** Called for each line when it arrives, without its line end. */
  onLine?(line: string, stream: OutputStream): void;
}

export type OutputStream = 'stdout' | 'stderr';

/** The end and the output of a command. */
export interface CommandRun {
  /** The arguments without {@link CommandRequest.ownArgs}. */
  readonly args: readonly string[];
  /** The command as a person would type it, for display only: `dotnet build App.csproj`. */
  readonly command: string;
  readonly cwd: string;
  /** The reason of the end. The exit code has a meaning only for `exited`. */
  readonly terminatedBy: 'exited' | 'cancelled' | 'timed out';
  /** −1 unless it exited; 128 + n for signal n. */
  readonly exitCode: number;
  /** Both streams in order of arrival; the middle is left out above `Output.MaxBytes`. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes that `output` leaves out; usually 0. */
  readonly omittedBytes: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The time limit of the whole call in milliseconds, if any. */
  readonly limitMs?: number;
}

/**
 * Runs `dotnet`. Rejects with {@link DotnetNotFoundError} if it cannot be started; a failed command does not reject.
 */
export type RunDotnet = (request: CommandRequest) => Promise<CommandRun>;

/** Thrown if there is no `dotnet`, or it cannot be started. */
export class DotnetNotFoundError extends Error {
  override readonly name = 'DotnetNotFoundError';
  constructor(
    /** The error message of the system. */
    readonly detail: string,
    /** The command that could not be run, for display. */
    readonly command: string,
  ) {
    super(`The dotnet CLI cannot be run: ${detail}`);
  }
}

const PLAIN = /^[\w@%+=:,./\\-]+$/;

/** Returns the command line as a person would type it into a POSIX shell, for display only. */
export function displayCommand(program: string, args: readonly string[]): string {
  return [program, ...args.map(quote)].join(' ');
}

/** Inserts `ownArgs` before the `--` of `args`, or at the end. */
export function withOwnArgs(args: readonly string[], ownArgs: readonly string[] = []): string[] {
  const dashes = args.indexOf('--');
  return dashes < 0 ? [...args, ...ownArgs] : [...args.slice(0, dashes), ...ownArgs, ...args.slice(dashes)];
}

function quote(arg: string): string {
  if (PLAIN.test(arg)) return arg;
  return `"${arg.replace(/["$`]/g, '\\$&')}"`;
}

/**
 * Returns the run of a command that was not started, because files already show how it would have failed. The exit code
 * has no meaning.
 * @param stderr the expected error output
 */
export function commandNotRun({ cwd }: Pick<CommandRun, 'cwd'>, args: readonly string[], stderr: string): CommandRun {
  return {
    args,
    command: displayCommand('dotnet', args),
    cwd,
    terminatedBy: 'exited',
    exitCode: 0,
    output: stderr,
    stdout: '',
    stderr,
    omittedBytes: 0,
    startedAt: new Date(),
    durationMs: 0,
  };
}
