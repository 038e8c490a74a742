import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Transport } from '@modelcontextprotocol/client';
import type { Redactor } from '@mortise/redact';
import { type ChildOutput, createChildOutput } from '../../processes/child-output.js';
import { waitForExit } from '../../processes/exit-reason.js';
import { createLogRateLimit } from '../../processes/log-rate-limit.js';
import { MessageMeter } from '../../processes/message-meter.js';
import { createMessageRateLimit } from '../../processes/message-rate-limit.js';
import { readOutputLines } from '../../processes/output-lines.js';
import type { Reaper } from '../../processes/reaper.js';
import { killProcessTree } from '../../processes/spawn-worker.js';
import { createTrackedProcesses } from '../../processes/tracked-processes.js';
import { type LimitViolation, limitViolation, moreThan } from '../../settings/limit-violation.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { createLineReader } from '../../util/line-reader.js';
import { StreamShare } from '../../util/stream-share.js';
import { ProcessExitedError } from '../shared/runner-errors.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import { mountedEnvironment } from './server-environment.js';
import { NOT_NEEDED } from './server-transport.js';
import { commandLine } from './spawn-command.js';

/** How long a server may take to end by itself, unless its supervisor says otherwise, in milliseconds. */
const END_MS = 1000;
/** One that ends by itself closes its streams a moment before, and says why only by its exit. */
const CLOSED_STREAM_MS = 1000;
/** Of a line that is not a message; what is shown of it is cut when it was redacted. */
const MAX_OUTPUT_CHARS = 64 * 1024;
/** Shorter lines are parsed without being measured. */
const LONG_LINE_CHARS = 64 * 1024;

/** What every message that is on its way gives. */
const ACCEPTED = Promise.resolve();

type Message = Parameters<Transport['send']>[0];

export interface ServerProcessOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  readonly reaper: Reaper;
  readonly redactor: Redactor;
  /** Of what it can send. */
  readonly limits: PluginLimits;
  readonly supervisor?: ProcessSupervisor | undefined;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
}

/**
 * A server that speaks MCP over stdio, as a transport: a process group of its own, which ends with us. What it prints goes
 * to `onOutput`: its stderr, and lines of its stdout that are not JSON.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** By these the SDK knows a transport over stdio. */
  readonly stderr = null;
  readonly pid: number | null;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #child: ChildProcess;
  readonly #supervisor: ProcessSupervisor | undefined;
  readonly #onOutput: ServerProcessOptions['onOutput'];
  readonly #output: ChildOutput;
  /** For lines of its stdout that are not messages. */
  readonly #rateLimit = createMessageRateLimit();
  readonly #logRateLimit = createLogRateLimit((lines) =>
    this.#onOutput(`${lines} log lines dropped (rate limit)`, 'stderr'),
  );
  readonly #limits: PluginLimits;
  readonly #share: StreamShare | undefined;
  #outgoing = '';
  #killedBecause: string | undefined;
  #isClosed = false;

  /** @throws ProcessExitedError for what Node does not even try: a command line that is too long, or has a NUL in it */
  constructor({ command, args = [], env, cwd, reaper, redactor, limits, supervisor, onOutput }: ServerProcessOptions) {
    const tracked = createTrackedProcesses(reaper);
    const { file, options, ...rest } = commandLine(command, args, mountedEnvironment(process.env, env));
    const start = () => {
      if (cwd !== undefined && !existsSync(cwd)) throw new Error(`its folder (cwd) does not exist: ${cwd}`);
      return spawn(file, rest.args, {
        ...options,
        cwd,
        env: { ...rest.env, ...tracked.environment },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
    };
    const child = orEnded(start, tracked.end);
    this.#child = child;
    this.#supervisor = supervisor;
    this.#onOutput = onOutput;
    this.#output = createChildOutput(redactor, (line, stream) => {
      supervisor?.onOutput(line);
      if (this.#logRateLimit.tryConsume(line.length)) onOutput(line, stream);
    });
    this.pid = child.pid ?? null;
    const group = child.pid === undefined ? undefined : tracked.own(child.pid);
    const reader = createLineReader(limits.MessageBytes, {
      onLine: (line) => this.#measure(line),
      onTruncated: () =>
        this.#refuse(limitViolation(limits, 'MessageBytes', 'its message', moreThan(limits.MessageBytes))),
    });
    this.#limits = limits;
    this.#share = child.stdout ? new StreamShare(child.stdout, limits.TimeSharePercent) : undefined;
    child.stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    child.stdin?.on('error', () => this.#streamClosed('reads no more'));
    child.stdout?.on('error', () => this.#streamClosed('writes no more'));
    child.stdout?.on('end', () => this.#streamClosed('writes no more'));
    const outputs = child.stderr ? [readOutputLines(child.stderr, (line) => this.#output.add(line, 'stderr'))] : [];
    this.ended = waitForExit(child, outputs).then((how) => {
      group?.remove();
      tracked.end();
      return this.#finish(how);
    });
  }

  /** @throws ProcessExitedError for a program that cannot be started */
  async start(): Promise<void> {
    if (this.pid === null) throw await this.ended;
  }

  /** Messages of one tick are written together. */
  send(message: Message): Promise<void> {
    if (this.#isClosed) return this.ended.then((end) => Promise.reject(end));
    if (this.#outgoing === '') process.nextTick(this.#flush);
    this.#outgoing += `${JSON.stringify(message)}\n`;
    return ACCEPTED;
  }

  /** Ends its input, as MCP wants it, and after a second whatever is left. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#killedBecause ??= NOT_NEEDED;
    this.#child.stdin?.end();
    const timer = setTimeout(() => killProcessTree(this.#child), this.#supervisor?.shutdownMs ?? END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends it and everything that it started, at once; calls that are running end with this reason. */
  kill(reason: string): void {
    if (this.#isClosed) return;
    this.#killedBecause ??= reason;
    killProcessTree(this.#child);
  }

  /** Alive or not, it cannot be spoken with. */
  #streamClosed(what: string): void {
    setTimeout(() => this.kill(`it ${what}`), CLOSED_STREAM_MS).unref();
  }

  readonly #flush = () => {
    const lines = this.#outgoing;
    this.#outgoing = '';
    if (!this.#isClosed) this.#child.stdin?.write(lines);
  };

  /** What its messages took more to work through. */
  charge(ms: number): void {
    if (!this.#isClosed) this.#share?.charge(ms);
  }

  #refuse({ message }: LimitViolation): void {
    this.kill(`its message is too large: ${message}`);
  }

  /** Long lines are measured before they are parsed, and take their time of the server's share. */
  #measure(line: string): void {
    if (line.length < LONG_LINE_CHARS) this.#receive(line);
    else this.#receiveLong(line);
  }

  #receiveLong(line: string): void {
    const startedAt = performance.now();
    const violation = new MessageMeter(this.#limits, 'its message').add(Buffer.from(line));
    if (violation) this.#refuse(violation);
    else this.#receive(line);
    this.charge(performance.now() - startedAt);
  }

  #receive(line: string): void {
    if (this.#isClosed) return;
    const message = parse(line);
    if (message !== undefined) this.onmessage?.(message);
    else if (this.#rateLimit.tryConsume(line.length)) this.#output.add(line.slice(0, MAX_OUTPUT_CHARS), 'stdout');
    else this.kill('it exceeded the rate limit with lines that are not messages');
  }

  #finish(how: string): ProcessExitedError {
    this.#isClosed = true;
    this.#child.stdin?.destroy();
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#output.end();
    this.#logRateLimit.end();
    this.#share?.end();
    this.onclose?.();
    return new ProcessExitedError(this.#killedBecause ?? this.#supervisor?.cause() ?? how, this.#output.last());
  }
}

function orEnded<T>(start: () => T, giveUp: () => void): T {
  try {
    return start();
  } catch (error) {
    giveUp();
    throw new ProcessExitedError(`it could not be started: ${(error as Error).message}`, '');
  }
}

/** Undefined for what is not a JSON object: many servers greet on stdout. */
function parse(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : undefined;
  } catch {
    return undefined;
  }
}
