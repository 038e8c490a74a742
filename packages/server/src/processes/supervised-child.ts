import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createProcessTag, HAS_PROCESS_GROUPS, killTree, type Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { type ChildOutput, createChildOutput, type OutputStream, readOutputLines } from './child-output.js';
import { ProcessExitedError, waitForExit } from './exit-reason.js';
import { LogRateLimit } from './rate-limits.js';

/** A process that ends closes its pipes first, so the exit is awaited for this time to learn the reason. */
const CLOSED_PIPE_MS = 1000;

export interface SupervisedChildOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment, except the tag. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  readonly windowsVerbatimArguments?: true;
  readonly stdio: StdioOptions;
  /** The streams whose lines are output. If stdout carries a protocol, its other lines are passed to `print`. */
  readonly outputs: readonly OutputStream[];
  readonly reaper: Reaper;
  /** Set if only Mortise's own code runs in the process until `guard` is called. It ends when its pipes close. */
  readonly isGuardedLater?: true;
  readonly redactor: Redactor;
  /** Called with each redacted line within the log's rate limit. */
  onOutput(line: string, stream: OutputStream): void;
  /** Called at most once a second if lines exceeded the rate limit, with their number in the message. */
  onDropped(message: string): void;
  /** Called with every redacted line. */
  onEachLine?(line: string): void;
  /** Returns the reason for which the process ended by itself, if its output shows one. */
  cause?(): string | undefined;
}

/**
 * A process that runs third-party code. It has its own process group, and a tag in the environment of its descendants. By
 * both, the reaper and this class find all descendants and kill them when the process ends or the server ends. The output
 * is redacted, and its rate in the log is limited. The last lines are kept to explain the end of the process.
 */
export class SupervisedChild {
  readonly process: ChildProcess;
  /** Undefined if the process could not be started. Then `ended` has the reason. */
  readonly pid: number | undefined;
  /** Resolves when the process has ended and its last output was read. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #output: ChildOutput;
  readonly #logRateLimit: LogRateLimit;
  readonly #cause: SupervisedChildOptions['cause'];
  readonly #reaper: Reaper;
  readonly #tag: string;
  #isGuarded = false;
  #killedBecause: string | undefined;
  #hasEnded = false;

  /** @throws ProcessExitedError if Node does not try to start the process: its command line is too long, or has a NUL */
  constructor(options: SupervisedChildOptions) {
    const { outputs, reaper, isGuardedLater, redactor, onOutput, onDropped, onEachLine, cause } = options;
    const { tag, environment } = createProcessTag();
    this.process = start(options, environment);
    this.pid = this.process.pid;
    this.#cause = cause;
    this.#reaper = reaper;
    this.#tag = tag;
    this.#logRateLimit = new LogRateLimit((lines) =>
      onDropped(`${lines} log lines were dropped because the plugin logs too fast`),
    );
    this.#output = createChildOutput(redactor, (line, stream) => {
      onEachLine?.(line);
      if (this.#logRateLimit.tryTake(line.length)) onOutput(line, stream);
    });
    if (!isGuardedLater) this.guard();
    const lines = outputs.flatMap((name) => {
      // If this process has run out of file descriptors, `stdio` is undefined.
      const stream = this.process[name];
      return stream ? [readOutputLines(stream, (line) => this.#output.add(line, name))] : [];
    });
    this.ended = waitForExit(this.process, lines).then((exitReason) => this.#finish(exitReason));
  }

  /** Call this before third-party code runs: from now on the reaper ends the process group when the server ends. */
  guard(): void {
    if (this.pid === undefined || this.#isGuarded || this.#hasEnded) return;
    this.#isGuarded = true;
    this.#reaper.add({ pid: this.pid, tag: this.#tag });
  }

  /** Adds a line of output that did not arrive on one of the `outputs`. */
  print(line: string, stream: OutputStream): void {
    this.#output.add(line, stream);
  }

  /** Returns true if the rate limit allows a log entry of this length now. Otherwise the entry counts as dropped. */
  tryLog(chars: number): boolean {
    return this.#logRateLimit.tryTake(chars);
  }

  /** Sets the reason of the end, unless there is one already. */
  setReason(reason: string): void {
    this.#killedBecause ??= reason;
  }

  /** Kills the process and its descendants immediately. @param reason a clause such as `it did not answer` */
  kill(reason: string): void {
    if (this.#hasEnded) return;
    this.setReason(reason);
    if (this.pid !== undefined) killTree(this.pid);
  }

  /**
   * Call this when a pipe to the process was closed. Kills the process after a second, because it cannot be reached.
   * @param predicate what the process did, such as `reads no more`
   */
  pipeClosed(predicate: string): void {
    setTimeout(() => this.kill(`it ${predicate}`), CLOSED_PIPE_MS).unref();
  }

  #finish(exitReason: string): ProcessExitedError {
    this.#hasEnded = true;
    if (this.#isGuarded) this.#reaper.remove({ pid: this.pid!, tag: this.#tag });
    for (const stream of [this.process.stdin, this.process.stdout, this.process.stderr]) stream?.destroy();
    this.#output.end();
    this.#logRateLimit.end();
    return new ProcessExitedError(this.#killedBecause ?? this.#cause?.() ?? exitReason, this.#output.last());
  }
}

function start(options: SupervisedChildOptions, tagged: Readonly<Record<string, string>>): ChildProcess {
  const { file, args, env, cwd, stdio, windowsVerbatimArguments } = options;
  try {
    if (cwd !== undefined && !existsSync(cwd)) throw new Error(`its folder (cwd) does not exist: ${cwd}`);
    return spawn(file, args, {
      cwd,
      env: { ...env, ...tagged },
      stdio,
      detached: HAS_PROCESS_GROUPS,
      windowsHide: true,
      windowsVerbatimArguments,
    });
  } catch (error) {
    throw new ProcessExitedError(`it could not be started: ${(error as Error).message}`, '');
  }
}
