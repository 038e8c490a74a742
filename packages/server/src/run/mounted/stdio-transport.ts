import type { Transport } from '@modelcontextprotocol/client';
import { createLineReader } from '@mortise/mcp/util';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
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

/** How long a server may take to end by itself, unless its supervisor says otherwise, in milliseconds. */
const END_MS = 1000;
/** The maximum length of a line that is not a message; it is truncated for display after redaction. */
const MAX_OUTPUT_CHARS = 64 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/** What every message that is on its way gives. */
const ACCEPTED = Promise.resolve();

type Message = Parameters<Transport['send']>[0];

export interface ServerProcessOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** What it gets in addition to the variables of its entry. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly reaper: Reaper;
  readonly redactor: Redactor;
  /** The limits of what it can send. */
  readonly limits: PluginLimits;
  readonly supervisor?: ProcessSupervisor | undefined;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
}

/**
 * A server that speaks MCP over stdio, as a transport: a process group of its own, which ends with us. What it prints goes
 * to `onOutput`: its stderr, and lines of its stdout that are not messages or cannot be read.
 */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: Message) => void;
  /** The SDK recognises a stdio transport by these members. */
  readonly stderr = null;
  readonly pid: number | null;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #child: SupervisedChild;
  readonly #supervisor: ProcessSupervisor | undefined;
  /** For lines of its stdout that are not messages. */
  readonly #rateLimit = new MessageRateLimit();
  readonly #limits: PluginLimits;
  readonly #output: LineOutput | undefined;
  #isClosed = false;
  /** The SDK's client asks for the version with an id that is a text. */
  readonly #textIds = new Set<unknown>();
  /** `initialize` was sent, and no response came yet. */
  #isInitializing = false;
  /** It sent more than it may, and is ended. */
  #isRefused = false;

  /** @throws ProcessExitedError for what Node does not even try: a command line that is too long, or has a NUL in it */
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

  /** @throws ProcessExitedError for a program that cannot be started */
  async start(): Promise<void> {
    if (this.pid === null) throw await this.ended;
  }

  /** Messages of one tick are written together. */
  send(message: Message): Promise<void> {
    if (this.#isClosed) return this.ended.then((end) => Promise.reject(end));
    if ('method' in message && message.method === 'initialize') this.#isInitializing = true;
    if ('method' in message && 'id' in message && typeof message.id === 'string') this.#textIds.add(message.id);
    this.#output?.write(JSON.stringify(message));
    return ACCEPTED;
  }

  /** Ends its input, as MCP wants it, and after a second whatever is left. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#child.setReason(NOT_NEEDED);
    this.#output?.end();
    this.#child.process.stdin?.end();
    const timer = setTimeout(() => this.#child.kill(NOT_NEEDED), this.#supervisor?.shutdownMs ?? END_MS);
    await this.ended;
    clearTimeout(timer);
  }

  /** Ends it and everything that it started, at once; calls that are running end with this reason. */
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

  /** An unreadable answer to `initialize` ends the server, because the client would wait for another one in vain. */
  #drop(line: string, fault: string, value: unknown): void {
    this.#print(`A message was dropped because ${fault}: ${line}`);
    // An error with the id null answers an earlier request that the server did not understand.
    const isAnswer = (value as { id?: unknown }).id !== null;
    if (this.#isInitializing && isAnswer) this.kill(`its answer to initialize cannot be read: ${fault}`);
  }

  /** What one message throws must not lose the others of its chunk. */
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

/** Undefined for what is not JSON: many servers greet on stdout. */
function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
