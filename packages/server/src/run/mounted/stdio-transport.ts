import type { Transport } from '@modelcontextprotocol/client';
import { createLineReader } from '@mortise/mcp/util';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { MOUNTED_END_MS } from '../../core/grace-period.js';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import { LineOutput, messageViolation } from '../../processes/ndjson-channel.js';
import { MessageRateLimit } from '../../processes/rate-limits.js';
import { SupervisedChild } from '../../processes/supervised-child.js';
import { type LimitViolation, limitViolation, moreThan } from '../../settings/limit-violation.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import { readMessage } from './read-message.js';
import { NOT_NEEDED } from './server-transport.js';
import { commandLine } from './spawn-command.js';

/** The maximum length of a logged line that is not a message. */
const MAX_OUTPUT_CHARS = 64 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/** The result of every `send`. */
const ACCEPTED = Promise.resolve();

type Message = Parameters<Transport['send']>[0];

export interface ServerProcessOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The environment in addition to the variables of the entry. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly reaper: Reaper;
  readonly redactor: Redactor;
  /** The limits of what the server can send. */
  readonly limits: PluginLimits;
  readonly supervisor?: ProcessSupervisor | undefined;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
}

/**
 * The transport to a server over stdio. The server runs in a process group of its own, which ends with this process.
 * `onOutput` gets its stderr, and the lines of its stdout that are not messages.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** The SDK recognises a stdio transport by these members. */
  readonly stderr = null;
  readonly pid: number | null;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #child: SupervisedChild;
  readonly #supervisor: ProcessSupervisor | undefined;
  /** Limits the lines of stdout that are not messages. */
  readonly #rateLimit = new MessageRateLimit();
  readonly #limits: PluginLimits;
  readonly #output: LineOutput | undefined;
  #isClosed = false;
  /** The ids of requests that are texts: the SDK's client uses one for the version probe. */
  readonly #textIds = new Set<unknown>();
  /** True after `initialize` was sent, until a response arrives. */
  #isInitializing = false;
  /** True after the server has sent a message that is too large, for which it is killed. */
  #isRefused = false;

  /** @throws ProcessExitedError if Node does not try to start the process: its command line is too long, or has a NUL */
  constructor({
    command,
    args = [],
    env,
    environment,
    cwd,
    reaper,
    redactor,
    limits,
    supervisor,
    onOutput,
  }: ServerProcessOptions) {
    const { options, ...started } = commandLine(command, args, { ...environment, ...env });
    this.#supervisor = supervisor;
    this.#child = new SupervisedChild({
      ...started,
      ...options,
      cwd,
      stdio: 'pipe',
      outputs: ['stderr'],
      reaper,
      redactor,
      onOutput,
      onDropped: (message) => onOutput(message, 'stderr'),
      onEachLine: (line) => supervisor?.onOutput(line),
      cause: () => supervisor?.cause(),
    });
    this.pid = this.#child.pid ?? null;
    const reader = createLineReader(limits.MessageBytes, {
      onLine: (line) => this.#receive(line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line),
      onExceeded: () =>
        this.#refuse(limitViolation(limits, 'MessageBytes', 'its message', moreThan(limits.MessageBytes))),
    });
    const { stdin, stdout } = this.#child.process;
    this.#limits = limits;
    this.#output = stdin ? new LineOutput(stdin) : undefined;
    stdout?.on('data', (chunk: Buffer) => reader.push(chunk));
    stdin?.on('error', () => this.#child.pipeClosed('reads no more'));
    stdout?.on('error', () => this.#child.pipeClosed('writes no more'));
    stdout?.on('end', () => {
      reader.end();
      this.#child.pipeClosed('writes no more');
    });
    this.ended = this.#child.ended.then((end) => this.#finish(end));
  }

  /** @throws ProcessExitedError if the program cannot be started */
  async start(): Promise<void> {
    if (this.pid === null) throw await this.ended;
  }

  /** Sends a message. The messages of one tick are written together. */
  send(message: Message): Promise<void> {
    if (this.#isClosed) return this.ended.then((end) => Promise.reject(end));
    if ('method' in message && message.method === 'initialize') this.#isInitializing = true;
    if ('method' in message && 'id' in message && typeof message.id === 'string') this.#textIds.add(message.id);
    this.#output?.write(JSON.stringify(message));
    return ACCEPTED;
  }

  /** Ends the input of the server, as MCP describes, and kills the server if it does not end in time. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#child.setReason(NOT_NEEDED);
    this.#output?.end();
    this.#child.process.stdin?.end();
    const timer = setTimeout(() => this.#child.kill(NOT_NEEDED), this.#supervisor?.shutdownMs ?? MOUNTED_END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Kills the server and its descendants immediately. Running calls end with this reason. */
  kill(reason: string): void {
    this.#child.kill(reason);
  }

  #refuse({ message }: LimitViolation): void {
    this.#isRefused = true;
    this.kill(`its message is too large: ${message}`);
  }

  #receive(line: string): void {
    if (this.#isClosed || this.#isRefused) return;
    const violation = messageViolation(line, this.#limits, 'its message');
    if (violation) {
      this.#refuse(violation);
      return;
    }
    const value = parse(line);
    const read = readMessage(value, this.#textIds);
    if (read === undefined) this.#print(line);
    else if ('fault' in read) this.#drop(line, read.fault, value);
    else {
      if (!('method' in read.message)) this.#isInitializing = false;
      this.#deliver(read.message);
    }
  }

  #print(line: string): void {
    if (this.#rateLimit.tryTake(line.length)) this.#child.print(line.slice(0, MAX_OUTPUT_CHARS), 'stdout');
    else this.kill('it exceeded the rate limit with lines that are not messages');
  }

  /** Drops an unreadable message. An unreadable answer to `initialize` also kills the server, because no other will come. */
  #drop(line: string, fault: string, value: unknown): void {
    this.#print(`A message was dropped because ${fault}: ${line}`);
    // An error with the id null answers an earlier probe that the server did not understand.
    const isAnswer = (value as { id?: unknown }).id !== null;
    if (this.#isInitializing && isAnswer) this.kill(`its answer to initialize cannot be read: ${fault}`);
  }

  /** Delivers a message. An exception must not lose the other messages of the same chunk. */
  #deliver(message: Message): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }

  #finish(end: ProcessExitedError): ProcessExitedError {
    this.#isClosed = true;
    this.#output?.end();
    this.onclose?.();
    return end;
  }
}

/** @returns undefined if the line is not JSON, such as the greeting that many servers print */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
