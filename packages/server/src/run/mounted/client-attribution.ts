import { type Linked, LinkedList } from '@mortise/mcp/util';
import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  checkAnswer,
  type InputRequest,
  isJsonObject,
  type PluginLogEntry,
} from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import type { ClientRoots } from '../../core/client-roots.js';
import { LogRateLimit, MAX_LOG_LINE_CHARS } from '../../processes/rate-limits.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { type ForwardedRequest, parseRequest } from './forwarded-request.js';
import { rpcRejection } from './rpc-errors.js';

interface AttributionOptions {
  readonly redactor: Redactor;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Logs a line of the plugin that belongs to no call. */
  log(entry: PluginLogEntry): void;
  /** The roots that the server can ask for outside of calls. */
  readonly roots?: ClientRoots | undefined;
  /** Called before the client of a call is asked. */
  onAsked(request: InputRequest, channel: CallChannel | undefined): void;
}

interface RunningRequest extends Linked<RunningRequest> {
  readonly request: ForwardedRequest;
}

/**
 * Determines to which client the questions and log lines of a server belong. In 2025-11-25 a question or log line does
 * not identify its call, so a client gets it only while no other client has calls in the server.
 */
export class ClientAttribution {
  readonly #options: AttributionOptions;
  /** True if the server has asked for roots. It must then be told when the roots change. */
  hasAskedForRoots = false;
  /** In the order in which the requests began. */
  readonly #running = new LinkedList<RunningRequest>();
  /** All log lines of the server are one stream, because a secret can span lines of different calls. */
  readonly #messages: RedactedLines<Omit<PluginLogEntry, 'message' | 'fields'>, PluginLogEntry['fields']>;
  readonly #rateLimit = new LogRateLimit((lines) =>
    this.#logOutside({ level: 'warn', message: `${lines} log lines were dropped because the plugin logs too fast` }),
  );

  constructor(options: AttributionOptions) {
    this.#options = options;
    this.#messages = options.redactor.lines((message, rest, fields) =>
      this.#onEntry({ ...rest, ...(fields && { fields }), message }),
    );
  }

  /** Adds a running request. The returned function removes it. */
  begin(request: ForwardedRequest): () => void {
    const running: RunningRequest = { request, previous: undefined, next: undefined };
    this.#running.add(running);
    return () => void this.#running.remove(running);
  }

  /**
   * Asks the client whose call is running, if it is the only one. For roots it asks the client over stdio, even without a
   * running call.
   * @throws RpcError if it is not clear which client to ask, or with the client's error; QuestionRefusedError if the
   * client's answer is invalid
   */
  async ask(method: string, params: JsonObject): Promise<object> {
    const request = parseRequest(method, params);
    const { last, clients } = this.#waiting();
    if (method === 'roots/list') this.hasAskedForRoots = true;
    // Roots do not depend on a running call, which may end before the answer arrives.
    const roots = method === 'roots/list' ? this.#options.roots?.list() : undefined;
    if (roots) return (await checkAnswer(method, request, await roots)) as object;
    if (!last) throw rpcRejection('No call is running, so there is no client to ask');
    if (clients > 1)
      throw rpcRejection('Ambiguous: calls from several clients are running, so it is not known which one to ask');
    this.#options.onAsked(request, last.channel);
    const { question } = await last.ask({ question: request });
    if (!isJsonObject(question)) throw rpcRejection('The client gave no valid answer');
    return question;
  }

  /** Logs a line of the server. */
  log({ message, fields, ...rest }: PluginLogEntry): void {
    this.#messages.add(message, rest, fields);
  }

  end(): void {
    this.#rateLimit.end();
  }

  /** Returns the request of the call that began last, and the number of clients whose calls are running. */
  #waiting(): { last: ForwardedRequest | undefined; clients: number } {
    const requests = this.#running.values().map(({ request }) => request);
    const waiting = requests.filter(({ channel }) => channel !== undefined);
    const clients = new Set(waiting.map(({ channel }) => channel!.client ?? channel));
    return { last: waiting.at(-1), clients: clients.size };
  }

  /** Logs a line for its client. While calls of several clients are running, no client gets it. */
  #onEntry(entry: PluginLogEntry): void {
    const { last, clients } = this.#waiting();
    if (clients === 0) this.#logOutside(entry);
    else if (!this.#isAdmitted(entry)) return;
    else if (clients === 1) last?.channel?.log(entry);
    else this.#options.onOutput(entry.message, entry.level === 'warn' || entry.level === 'error' ? 'stderr' : 'stdout');
  }

  #logOutside(entry: PluginLogEntry): void {
    if (this.#isAdmitted(entry)) this.#options.log(entry);
  }

  #isAdmitted({ message, fields }: PluginLogEntry): boolean {
    return this.#rateLimit.tryTake(message.length + (fields ? estimateJsonSize(fields, MAX_LOG_LINE_CHARS) : 0));
  }
}
