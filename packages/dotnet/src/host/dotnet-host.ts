import type { CommandRun } from '../process/command-run.js';
import type { StartedProcess } from '../process/start-process.js';

/** The exit code of a process that exceeded its memory limit (Hosting/MemoryLimit.cs). */
const OVER_MEMORY = 71;

/** The exit code of a process whose SDK lacks what it needs (Program.cs). */
const UNUSABLE_SDK = 72;

/** An error of the .NET process itself, or an error with which it answers a request (Code/CodeRequest.cs). */
export class HostError extends Error {
  override readonly name = 'HostError';
  constructor(
    /** `ended`, `memory` and `unavailable` are about the process as a whole. Other kinds come from its answers. */
    readonly kind: string,
    message: string,
    readonly hint?: string,
    readonly candidates: readonly { readonly name: string; readonly path?: string; readonly line?: number }[] = [],
    /** The run of `dotnet --version` that selected no SDK, if that is the reason. */
    readonly run?: CommandRun,
  ) {
    super(message);
  }
}

interface Message {
  readonly id: number;
  readonly progress?: string;
  readonly result?: unknown;
  readonly error?: {
    readonly kind: string;
    readonly message: string;
    readonly hint?: string;
    readonly candidates?: HostError['candidates'];
  };
}

interface Pending {
  onProgress(text: string): void;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface HostRequest {
  readonly method: 'code' | 'evaluate' | 'ping';
  readonly params: object;
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

/** A running `Mortise.DotnetHost`. It speaks JSON, one message a line (Hosting/RequestLoop.cs). */
export class DotnetHost {
  readonly #pending = new Map<number, Pending>();
  #process: StartedProcess | undefined;
  #lastId = 0;
  #hasAnswered = false;
  #endError: HostError | undefined;
  #partialLine = '';
  #stderr = '';

  /** Connects the host to its process. Output of the process can arrive before this call. */
  attach(process: StartedProcess): void {
    this.#process = process;
    void process.ended.then((exitCode) => {
      this.#endError = this.#errorOf(exitCode);
      for (const { reject } of [...this.#pending.values()]) reject(this.#endError);
    });
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  get pid(): number {
    return this.#process!.pid;
  }

  /** @throws HostError, or the signal's reason if the request is cancelled */
  request({ method, params, signal, onProgress }: HostRequest): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#endError) return Promise.reject(this.#endError);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const cancel = () => {
        this.#pending.delete(id);
        this.#send({ cancel: id });
        reject(signal.reason);
      };
      const settle =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          signal.removeEventListener('abort', cancel);
          this.#pending.delete(id);
          then(value);
        };
      signal.addEventListener('abort', cancel, { once: true });
      this.#pending.set(id, { onProgress, resolve: settle(resolve), reject: settle(reject) });
      this.#send({ id, method, params });
    });
  }

  onText(text: string, stream: 'stdout' | 'stderr'): void {
    if (stream === 'stderr') {
      const reasons = text.split('\n').filter((line) => !/^(?:\s+at |-+$|Repeated? \d+ times)/.test(line));
      this.#stderr = `${this.#stderr}${reasons.join('\n')}`.slice(-2000);
      return;
    }
    // One text can have several lines, or a part of a long one.
    const lines = `${this.#partialLine}${text}`.split('\n');
    this.#partialLine = lines.pop()!;
    for (const line of lines) this.#receive(line);
  }

  async end(graceMs: number): Promise<void> {
    await this.#process?.end('SIGTERM', graceMs);
  }

  #send(message: object): void {
    this.#process!.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    // Native code can print a line that is not a message. It must not end the server.
    if (message === undefined) return;
    const { id, progress, result, error } = message;
    this.#hasAnswered = true;
    const pending = this.#pending.get(id);
    if (progress !== undefined) pending?.onProgress(progress);
    else if (error) pending?.reject(new HostError(error.kind, error.message, error.hint, error.candidates));
    else pending?.resolve(result);
  }

  #errorOf(exitCode: number): HostError {
    if (exitCode === OVER_MEMORY) return new HostError('memory', 'The process that reads code needed too much memory');
    const detail = this.#stderr.trim();
    if (exitCode === UNUSABLE_SDK || !this.#hasAnswered) {
      return new HostError('unavailable', `The process that reads code cannot start. ${detail}`.trimEnd());
    }
    return new HostError('ended', `The process that reads code ended with exit code ${exitCode}. ${detail}`.trimEnd());
  }
}

function parseMessage(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message;
  } catch {
    return undefined;
  }
}
