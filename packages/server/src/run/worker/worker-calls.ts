import { IdMap } from '@mortise/mcp/util';
import { type CallerInfo, type ClientCapabilities, type ProgressReport, secretLines } from '@mortise/plugin';
import {
  type CallChannel,
  DEFAULT_VERSION,
  type InputRequest,
  type PluginLogEntry,
  QuestionRefusedError,
} from '@mortise/plugin/runtime';
import { Throttle } from '../../util/throttle.js';
import { TokenBucket } from '../../util/token-bucket.js';
import type { CallMeta, FromWorker, ToWorker } from './protocol.js';
import type { LogLine } from './rate-limited-log.js';

/** Longer messages are cut. The server would drop them. */
const MAX_MESSAGE_CHARS = 20_000;
/** The number of progress reports that are sent immediately. Of further ones only the latest is sent. */
const PROGRESS_BURST = 20;
const PROGRESS_A_SECOND = 200;

type Answer = Extract<ToWorker, { answered: number }>;

/** The channels of the calls that run in this process. */
export interface WorkerCalls {
  /** Runs the work of call `id` with a channel that leads to its caller through the server. */
  run<T>(id: number, meta: CallMeta, work: (channel: CallChannel) => Promise<T>): Promise<T>;
  abort(id: number): void;
  becameTask(id: number): void;
  answered(answer: Answer): void;
}

/** @param send sends a message to the server */
export function createWorkerCalls(send: (message: FromWorker) => void, log: LogLine): WorkerCalls {
  const running = new IdMap<WorkerCallChannel>();
  const questions = new Map<number, Question>();
  let nextQuestion = 1;

  async function ask(id: number, requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    const number = nextQuestion++;
    try {
      return await new Promise<Record<string, unknown>>((resolve, reject) => {
        questions.set(number, { resolve, reject });
        send({ ask: number, id, requests });
      });
    } finally {
      questions.delete(number);
    }
  }

  return {
    async run(id, meta, work) {
      const channel = new WorkerCallChannel(id, meta, { send, log, ask });
      running.set(id, channel);
      try {
        return await work(channel);
      } finally {
        channel.end();
        running.delete(id);
      }
    },
    abort: (id) => running.get(id)?.abort(),
    becameTask: (id) => running.get(id)?.becameTask(),
    answered(answer) {
      const question = questions.get(answer.answered);
      if ('answers' in answer) question?.resolve(answer.answers);
      else
        question?.reject('refused' in answer ? new QuestionRefusedError(answer.refused) : new Error(answer.rejected));
    },
  };
}

interface Question {
  resolve(answers: Record<string, unknown>): void;
  reject(error: Error): void;
}

type SecretMarker = ReturnType<typeof secretLines>;

/** The connection of a call's channel to the server. */
interface ServerLink {
  send(message: FromWorker): void;
  log: LogLine;
  ask(id: number, requests: Record<string, InputRequest>): Promise<Record<string, unknown>>;
}

/** The channel of one call. Its parts are created when they are first used, because most calls use none of them. */
class WorkerCallChannel implements CallChannel {
  readonly #id: number;
  readonly #meta: CallMeta;
  readonly #server: ServerLink;
  readonly #abortSignal = new LazySignal();
  #isTask = false;
  #reports: Throttle<FromWorker> | undefined;
  #messageMarker: SecretMarker | undefined;
  #logMarker: SecretMarker | undefined;

  constructor(id: number, meta: CallMeta, server: ServerLink) {
    this.#id = id;
    this.#meta = meta;
    this.#server = server;
  }

  get signal(): AbortSignal {
    return this.#abortSignal.signal;
  }

  get clientCapabilities(): ClientCapabilities {
    return this.#meta.clientCapabilities ?? {};
  }

  get caller(): CallerInfo | undefined {
    return this.#meta.caller;
  }

  get protocolVersion(): string | undefined {
    return this.#meta.protocolVersion ?? DEFAULT_VERSION[this.#meta.inputMode];
  }

  get inputMode(): CallChannel['inputMode'] {
    return this.#isTask ? 'ask' : this.#meta.inputMode;
  }

  get answers(): CallChannel['answers'] {
    return this.#meta.answers ?? {};
  }

  get onceResults(): CallChannel['onceResults'] {
    return this.#meta.onceResults;
  }

  progress(report: ProgressReport): void {
    const { message } = report;
    this.#reports ??= new Throttle(
      (report) => this.#server.send(report),
      new TokenBucket(PROGRESS_BURST, PROGRESS_A_SECOND),
    );
    // Mark secrets before reports are dropped: several reports may be the lines of one private key.
    this.#messageMarker ??= secretLines();
    const marked = message !== undefined && { message: this.#messageMarker(message.slice(0, MAX_MESSAGE_CHARS)) };
    this.#reports.push({ progress: this.#id, report: { ...report, ...marked } });
  }

  log(entry: PluginLogEntry): void {
    this.#logMarker ??= secretLines();
    this.#server.log({ ...entry, message: this.#logMarker(entry.message) }, this.#id);
  }

  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    return this.#server.ask(this.#id, requests);
  }

  completeElicitation(elicited: string): void {
    if (this.inputMode === 'ask') this.#server.send({ elicited, id: this.#id });
  }

  abort(): void {
    this.#abortSignal.abort();
  }

  becameTask(): void {
    this.#isTask = true;
  }

  /** Sends the last progress report if it is still held back. */
  end(): void {
    this.#reports?.flush();
  }
}

/** Creates the AbortSignal when plugin code first asks for it, because creating it costs more than a short call. */
class LazySignal {
  #isAborted = false;
  #controller: AbortController | undefined;

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new DOMException('The call was ended', 'AbortError'));
  }
}
