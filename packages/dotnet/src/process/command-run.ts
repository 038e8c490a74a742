/** One `dotnet` command to run. */
export interface CommandRequest {
  /** The argument vector after `dotnet`; never a shell string. */
  readonly args: readonly string[];
  /**
   * Arguments that no person would type: loggers, result files, output formats for programs. They go behind `args`, and
   * before its `--`; `command` does not show them.
   */
  readonly ownArgs?: readonly string[];
  /** As errors show it; default: `dotnet` and `args`. */
  readonly command?: string;
  /** Absolute; must be a folder that exists. */
  readonly cwd: string;
  /** Fires when the call is ended from outside: the whole process tree is ended then. */
  readonly signal: AbortSignal;
  /** After this many milliseconds the process tree is ended. */
  readonly timeoutMs: number;
  /** Added to the environment that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed; without it stdin is empty. */
  readonly stdin?: string;
  /** Hears of the process, which leads a group. */
  onStart?(pid: number): void;
  /** Hears that it is being ended, before it is gone. */
  onTermination?(why: 'cancelled' | 'timed out'): void;
  /** Marks secrets in the output before it is read or truncated. */
  markSecrets?(text: string): string;
  /** Each line as it comes, without its line end. */
  onLine?(line: string, stream: OutputStream): void;
}

export type OutputStream = 'stdout' | 'stderr';

/** How a command ended, and what it printed. */
export interface CommandRun {
  /** Without our own. */
  readonly args: readonly string[];
  /** As a person would type it: `dotnet build App.csproj`. For display only. */
  readonly command: string;
  readonly cwd: string;
  /** A run that did not end by itself is never judged by its exit code. */
  readonly terminatedBy: 'exited' | 'cancelled' | 'timed out';
  /** −1 unless it exited; 128 + n for signal n. */
  readonly exitCode: number;
  /** Both streams in order of arrival; the middle is left out above `Output.MaxBytes`. */
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes left out of `output`; 0 mostly. */
  readonly omittedBytes: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** The time limit of the whole call, if any. */
  readonly limitMs?: number;
}

/** Runs `dotnet`. Rejects with {@link DotnetNotFoundError} if there is none; never because of how the command ends. */
export type RunDotnet = (request: CommandRequest) => Promise<CommandRun>;

/** There is no `dotnet` to run, or it cannot be started. */
export class DotnetNotFoundError extends Error {
  override readonly name = 'DotnetNotFoundError';
  constructor(
    /** What the system said. */
    readonly detail: string,
    /** The command that could not be run, for display. */
    readonly command: string,
  ) {
    super(`The dotnet CLI cannot be run: ${detail}`);
  }
}

const PLAIN = /^[\w@%+=:,./\\-]+$/;

/** A command line as a person would type it into a POSIX shell, for display only. */
export function displayCommand(program: string, args: readonly string[]): string {
  return [program, ...args.map(quote)].join(' ');
}

/** The arguments with Mortise's own, which are inserted before `--` and what follows it. */
export function withOwnArgs(args: readonly string[], ownArgs: readonly string[] = []): string[] {
  const dashes = args.indexOf('--');
  return dashes < 0 ? [...args, ...ownArgs] : [...args.slice(0, dashes), ...ownArgs, ...args.slice(dashes)];
}

function quote(arg: string): string {
  if (PLAIN.test(arg)) return arg;
  return `"${arg.replace(/["$`]/g, '\\$&')}"`;
}

/** A command that was not run, because files show already how it would have failed. Its exit code is not known. */
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
