import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { CAN_LEAD_GROUP, createProcessTag, killTree, type Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { type ChildOutput, createChildOutput, type OutputStream, readOutputLines } from './child-output.js';
import { ProcessExitedError, waitForExit } from './exit-reason.js';
import { LogRateLimit } from './rate-limits.js';

/** A process that ends by itself closes its pipes shortly before; the reason is known only after its exit. */
const CLOSED_PIPE_MS = 1000;

export interface SupervisedChildOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** All of it, but for the tag. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  readonly windowsVerbatimArguments?: true;
  readonly stdio: StdioOptions;
  /** The streams whose lines are output; for a protocol over stdout, `print` is called with what is output. */
  readonly outputs: readonly OutputStream[];
  readonly reaper: Reaper;
  /** Set if code of ours runs in it until `guard` is called, and ends when its pipes to the server close. */
  readonly isGuardedLater?: true;
  readonly redactor: Redactor;
  /** Called with each printed line, redacted; not called for lines above the log's rate limit. */
  onOutput(line: string, stream: OutputStream): void;
  /** Told once a second, where log lines exceeded the rate limit, how many did. */
  onDropped(message: string): void;
  /** Each line that it has printed, redacted. */
  onEachLine?(line: string): void;
  /** Why it ended by itself, if its output shows the reason. */
  cause?(): string | undefined;
}

/**
 * A process that runs third-party code. It has its own process group, and a tag in the environment of all its descendants; with
 * both, all of them end when it ends, is killed, or the server ends, which the reaper sees to. Its output is redacted and rate-limited for the log;
 * the last lines are kept to explain why it ended.
 */
export class SupervisedChild {
  readonly process: ChildProcess;
  /** Undefined if it could not be started; `ended` has the reason. */
  readonly pid: number | undefined;
  /** Resolves when it has ended, however it did, and its last output was read. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #output: ChildOutput;
  readonly #logRateLimit: LogRateLimit;
  readonly #cause: SupervisedChildOptions['cause'];
  readonly #reaper: Reaper;
  readonly #tag: string;
  #isGuarded = false;
  #killedBecause: string | undefined;
  #hasEnded = false;

  /** @throws ProcessExitedError for what Node does not even try: a command line that is too long, or has a NUL in it */
  constructor(options: SupervisedChildOptions) {
    const { outputs, reaper, isGuardedLater, redactor, onOutput, onDropped, onEachLine, cause } = options;
    const { tag, environment } = createProcessTag();
    this.process = start(options, environment);
    this.pid = this.process.pid;
    this.#cause = cause;
    this.#reaper = reaper;
    this.#tag = tag;
    this.#logRateLimit = new LogRateLimit((lines) => onDropped(`${lines} log lines dropped (rate limit)`));
    this.#output = createChildOutput(redactor, (line, stream) => {
      onEachLine?.(line);
      if (this.#logRateLimit.tryTake(line.length)) onOutput(line, stream);
    });
    if (!isGuardedLater) this.guard();
    const lines = outputs.flatMap((name) => {
      // Without a file descriptor to spare there is no stdio at all.
      const stream = this.process[name];
      return stream ? [readOutputLines(stream, (line) => this.#output.add(line, name))] : [];
    });
    this.ended = waitForExit(this.process, lines).then((how) => this.#finish(how));
  }

  /** It may run third-party code from now on: its group ends with the server, whatever that code does. */
  guard(): void {
    if (this.pid === undefined || this.#isGuarded || this.#hasEnded) return;
    this.#isGuarded = true;
    this.#reaper.add({ pid: this.pid, tag: this.#tag });
  }

  /** Something that it printed, which did not come by one of its `outputs`. */
  print(line: string, stream: OutputStream): void {
    this.#output.add(line, stream);
  }

  /** Whether a log entry of `chars` characters can be written now; otherwise it is dropped and counted. */
  tryLog(chars: number): boolean {
    return this.#logRateLimit.tryTake(chars);
  }

  /** Why it ends, unless something else was the reason before. */
  setReason(reason: string): void {
    this.#killedBecause ??= reason;
  }

  /** Kills it and all its descendants immediately. @param reason as a clause: `it did not answer` */
  kill(reason: string): void {
    if (this.#hasEnded) return;
    this.setReason(reason);
    if (this.pid !== undefined) killTree(this.pid);
  }

  /** One of its pipes was closed: alive or not, it cannot be spoken with, and is ended. @param what it did, in words */
  pipeClosed(what: string): void {
    setTimeout(() => this.kill(`it ${what}`), CLOSED_PIPE_MS).unref();
  }

  #finish(how: string): ProcessExitedError {
    this.#hasEnded = true;
    if (this.#isGuarded) this.#reaper.remove({ pid: this.pid!, tag: this.#tag });
    for (const stream of [this.process.stdin, this.process.stdout, this.process.stderr]) stream?.destroy();
    this.#output.end();
    this.#logRateLimit.end();
    return new ProcessExitedError(this.#killedBecause ?? this.#cause?.() ?? how, this.#output.last());
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
      detached: CAN_LEAD_GROUP,
      windowsHide: true,
      windowsVerbatimArguments,
    });
  } catch (error) {
    throw new ProcessExitedError(`it could not be started: ${(error as Error).message}`, '');
  }
}
