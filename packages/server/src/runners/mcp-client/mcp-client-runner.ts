import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  type Completion,
  type CompletionRef,
  type ErrorOutcome,
  type InputRequiredOutcome,
  normalisePrompt,
  normaliseRead,
  type Outcome,
  type PluginDefinition,
  type PluginLogEntry,
  type PluginProblem,
  type PromptOutcome,
  type ReadOutcome,
} from '@mortise/plugin/runtime';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { GRACE_MS } from '../../core/limits.js';
import type { Runner, RunnerCallbacks } from '../../core/plugin-runner.js';
import { encodeHeader, paramHeaders } from '../../jsonrpc/param-headers.js';
import { createLogRateLimit, MAX_LINE_CHARS } from '../../processes/log-rate-limit.js';
import type { Reaper } from '../../processes/reaper.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { McpServerEntry } from '../../settings/settings.js';
import { IdMap } from '../../util/id-map.js';
import { estimateJsonSize } from '../../util/json-size.js';
import { type ProcessExitedError, raceWithAbort, throwIfBlocked } from '../shared/runner-errors.js';
import type { Connection } from './connect.js';
import { ConnectionManager } from './connection-manager.js';
import { ForwardedRequest, parseRequest } from './forwarded-request.js';
import { toLogEntry } from './log-entry.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import type { ListOptions } from './read-lists.js';
import { RemoteDefinition, type RemoteDefinitionOptions } from './remote-definition.js';
import { isObject, RpcError, rpcRejection, SessionExpiredError } from './rpc-errors.js';
import { createSuspendedRequests } from './suspended-requests.js';
import { failedOutcome, parseCompletion, toolOutcome } from './to-outcome.js';

/**
 * How long a server has to answer when a call in it is over its grace, in milliseconds (docs/spec/plugins.md#grace).
 */
const PING_MS = 500;

/** How many resources of one server are watched for clients: those that were asked for last. */
const MAX_WATCHED = 1000;

/** Before a server that cannot be started or reached is asked again to tell of them; twice as long after each failure. */
const WATCH_AGAIN_MS = 5000;
const LONGEST_WATCH_AGAIN_MS = 300_000;

const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/;

export interface MountedRunnerOptions {
  readonly entry: McpServerEntry;
  /** How its lists are read; `prefix` is `mcp.github.`, and nothing for a plugin of this kind. */
  readonly lists: ListOptions & Pick<RemoteDefinitionOptions, 'rejectReason'>;
  readonly host: RunnerCallbacks;
  readonly reaper: Reaper;
  readonly redactor: Redactor;
  readonly limits: PluginLimits;
  readonly backoff: RestartBackoff;
  /** What the server offered when it was last asked. */
  readonly definition: PluginDefinition;
  readonly idleMs: number;
  /** What supervises the process of a plugin (docs/spec/plugins.md#processes). */
  readonly supervisor?: ProcessSupervisor;
  /** What is sent as the arguments of a call, undefined where the client sent none; {} for those by default. */
  argumentsFor?(rawArgs: JsonObject | undefined): JsonObject | undefined;
  /** What a result of `tools/call` means; by default as of any server. */
  outcomeOf?(result: JsonObject): Outcome;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Before it is started or reached. @throws PluginUnavailableError where that would be of no use */
  onOpening(): void;
  /** What it offers now that all of its lists were read. */
  onListed(definition: PluginDefinition): void;
  /** It ended although it was needed. */
  onEnded(reason: string): void;
  /** Why it cannot be started or reached. */
  toProblem(ended: ProcessExitedError): PluginProblem;
}

interface Call<O> {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers?: Record<string, string> | undefined;
  read(result: JsonObject): O;
}

/** Many servers take it for a mistake where there are none. */
const orNone = (rawArgs: JsonObject = {}) => rawArgs;

/** Runs the calls of a mounted MCP server, which is started or reached at the first one. */
export class MountedRunner implements Runner {
  readonly #options: MountedRunnerOptions;
  readonly #definition: RemoteDefinition;
  readonly #connections: ConnectionManager;
  readonly #running = new IdMap<ForwardedRequest>();
  /** Resources that clients want to hear of, whatever becomes of the connection. */
  readonly #watched = new Set<string>();
  #watchTimer: NodeJS.Timeout | undefined;
  /** While a process has not said yet that it still answers. */
  #livenessProbe: Promise<void> | undefined;
  #nextId = 1;
  readonly #suspended = createSuspendedRequests();
  /** What it logs is one stream, whichever call it is about. */
  readonly #messages: RedactedLines<Omit<PluginLogEntry, 'message'>>;
  readonly #logRateLimit = createLogRateLimit((lines) =>
    this.#log({ level: 'warn', message: `${lines} lines left out: more than the log takes in a second` }),
  );

  constructor(options: MountedRunnerOptions) {
    this.#options = options;
    const {
      entry,
      backoff,
      idleMs,
      lists,
      supervisor,
      reaper,
      limits,
      definition,
      host,
      onOutput,
      onListed,
      redactor,
    } = options;
    this.#messages = redactor.lines((message, fields) => this.#onLogEntry({ ...fields, message }));
    const onChanged = (changed: PluginDefinition) => host.definitionChanged(changed);
    this.#definition = new RemoteDefinition({ ...lists, limits, definition, onListed, onChanged });
    this.#connections = new ConnectionManager({
      entry,
      backoff,
      idleMs,
      connect: {
        reaper,
        redactor,
        limits,
        supervisor,
        onOutput,
        onNotification: (method, params) => this.#notified(method, params),
        onRequest: (method, params) => this.#onQuestion(method, params),
      },
      onBusy: (isBusy) => supervisor?.setBusy(isBusy),
      onOpening: options.onOpening,
      onOpen: (connection) => this.#opened(connection),
      mustStayOpen: ({ updates }) => updates.canWatch || this.#suspended.size > 0,
      onUnavailable: (problem) => this.#definition.showUnavailable(problem),
      onEnded: (reason) => {
        options.onEnded(reason);
        this.#watchAll();
      },
      toProblem: options.toProblem,
    });
  }

  get definition(): PluginDefinition {
    return this.#definition.definition;
  }

  /** Starts or reaches the server, and reads what it offers. @throws PluginUnavailableError */
  open(): Promise<void> {
    return this.#connections.use(undefined, async () => {});
  }

  charge(ms: number): void {
    this.#connections.charge(ms);
  }

  /** Shows why it cannot be used, until it can. */
  showUnavailable(problem: PluginProblem): void {
    this.#definition.showUnavailable(problem);
  }

  /** Ends the server unless it is being used; the next call starts it again. */
  closeIfIdle(): Promise<void> {
    return this.#connections.closeIfIdle();
  }

  callTool(name: string, rawArgs: JsonObject | undefined, channel: CallChannel): Promise<Outcome> {
    const { argumentsFor = orNone, outcomeOf = toolOutcome } = this.#options;
    const args = argumentsFor(rawArgs);
    const params = { name: this.#ownName(name), ...(args && { arguments: args }) };
    const headers = this.#headers(name, args ?? {});
    return this.#call({ method: 'tools/call', params, headers, read: outcomeOf }, channel);
  }

  readResource(
    _key: string,
    uri: string,
    _variables: Record<string, string>,
    channel: CallChannel,
  ): Promise<ReadOutcome> {
    const read = (result: JsonObject) => normaliseRead({ contents: result.contents }, uri, undefined);
    return this.#call<ReadOutcome>({ method: 'resources/read', params: { uri }, read }, channel);
  }

  get watched(): Iterable<string> {
    return this.#watched;
  }

  /** The server is started for it where it does not run: no one else could tell. */
  watchResource(uri: string): void {
    // The newest last: no one says when a client wants to hear of one no more.
    this.#watched.delete(uri);
    this.#watched.add(uri);
    if (this.#watched.size > MAX_WATCHED) this.#watched.delete(this.#watched.values().next().value!);
    this.#watchAll();
  }

  getPrompt(name: string, args: Record<string, string>, channel: CallChannel): Promise<PromptOutcome> {
    const params = { name: this.#ownName(name), arguments: args };
    return this.#call<PromptOutcome>({ method: 'prompts/get', params, read: normalisePrompt }, channel);
  }

  async complete(
    ref: CompletionRef,
    argument: string,
    value: string,
    rawArgs: Record<string, string>,
    channel: CallChannel,
  ): Promise<Completion> {
    const params = {
      ref: this.#reference(ref),
      argument: { name: argument, value },
      context: { arguments: rawArgs },
    };
    const read = (result: JsonObject) =>
      ({ kind: 'completion', completion: parseCompletion(result.completion) }) as const;
    const outcome = await this.#call({ method: 'completion/complete', params, read }, channel);
    return outcome.kind === 'completion' ? outcome.completion : { values: [] };
  }

  /** Ends the server once nothing is running; does not wait for that. */
  async dispose(): Promise<void> {
    this.#definition.close();
    this.#watched.clear();
    this.#suspended.clear();
    this.#logRateLimit.end();
    await this.#connections.close();
  }

  async #opened(connection: Connection): Promise<void> {
    await this.#definition.read(connection);
    void connection.updates.watch([...this.#watched], 'asked');
  }

  /** Again later, where the server cannot be started or reached: whoever wants to hear of changes calls nothing. */
  #watchAll(againMs = WATCH_AGAIN_MS): void {
    clearTimeout(this.#watchTimer);
    if (this.#watched.size === 0) return;
    this.#connections
      .use(undefined, ({ updates }) => updates.watch([...this.#watched], 'asked'))
      .catch(() => {
        clearTimeout(this.#watchTimer);
        const next = Math.min(LONGEST_WATCH_AGAIN_MS, againMs * 2);
        this.#watchTimer = setTimeout(() => this.#watchAll(next), againMs).unref();
      });
  }

  get #name(): string {
    return this.#options.host.pluginName;
  }

  #ownName(name: string): string {
    return name.slice(this.#options.lists.prefix.length);
  }

  async #call<O extends { kind: string }>(
    call: Call<O>,
    channel: CallChannel,
  ): Promise<O | ErrorOutcome | InputRequiredOutcome> {
    const { method } = call;
    try {
      return await this.#attempt(call, channel);
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) return failedOutcome(this.#name, method, error);
    }
    // The server did nothing: it knows the session no more. Another one is opened, once.
    try {
      return await this.#attempt(call, channel);
    } catch (error) {
      return failedOutcome(
        this.#name,
        method,
        error instanceof SessionExpiredError ? rpcRejection(error.message) : error,
      );
    }
  }

  #attempt<O extends { kind: string }>(
    call: Call<O>,
    channel: CallChannel,
  ): Promise<O | ErrorOutcome | InputRequiredOutcome> {
    // A call that comes while it is not known whether the process still answers does not end with it.
    if (this.#livenessProbe)
      return raceWithAbort(this.#livenessProbe, channel).then(() => this.#attempt(call, channel));
    return this.#connections.use(channel, async (connection) => {
      throwIfBlocked(this.#options.host);
      const suspended = this.#suspended.take(channel.answers, call.method, call.params);
      const request = suspended ?? this.#request(call, connection);
      const id = this.#nextId++;
      this.#running.set(id, request);
      try {
        const end = await request.round(channel);
        if (end.kind === 'input_required') {
          this.#suspended.add(request);
          return end;
        }
        if (call.method === 'resources/read') void connection.updates.watch([String(call.params.uri)], 'listed');
        const outcome = call.read(end.result);
        return outcome.kind === 'error' ? (request.missing ?? outcome) : outcome;
      } catch (error) {
        if (error instanceof SessionExpiredError) this.#connections.closeWhenIdle(connection);
        if (error instanceof RpcError && request.missing) return request.missing;
        throw error;
      } finally {
        this.#running.delete(id);
      }
    });
  }

  #request({ method, params, headers }: Call<unknown>, connection: Connection): ForwardedRequest {
    const onCancelled = () => {
      this.#livenessProbe ??= this.#checkAlive(connection).finally(() => {
        this.#livenessProbe = undefined;
      });
    };
    return new ForwardedRequest(connection.rpc, { method, params, headers, onCancelled });
  }

  /** A process that cannot even say that it is there does not hear of a cancel either. */
  async #checkAlive(connection: Connection): Promise<void> {
    if ('url' in this.#options.entry || !this.#connections.isCurrent(connection)) return;
    if (await connection.rpc.isAlive(GRACE_MS + PING_MS)) return;
    connection.kill(`it did not answer for ${PING_MS} ms after a call in it had to end`);
    await connection.ended;
  }

  /** 2025-11-25: no request of a server says which call it belongs to. The client that called is asked, if there is but one. */
  async #onQuestion(method: string, params: JsonObject): Promise<object> {
    const request = parseRequest(method, params);
    const { last, clients } = this.#waiting();
    if (!last) throw rpcRejection('No call is running whose client could be asked');
    if (clients > 1) throw rpcRejection('Calls of several clients are running: it cannot be said which one to ask');
    const { question } = await last.ask({ question: request });
    if (!isObject(question)) throw rpcRejection('The client gave no valid answer');
    return question;
  }

  /** The call that began last, and how many clients wait for one. */
  #waiting(): { last: ForwardedRequest | undefined; clients: number } {
    const waiting = this.#running.values().filter(({ channel }) => channel !== undefined);
    const clients = new Set(waiting.map(({ channel }) => channel!.client ?? channel));
    return { last: waiting.at(-1), clients: clients.size };
  }

  #notified(method: string, params: JsonObject): void {
    if (LIST_CHANGED.test(method))
      this.#definition.readSoon(() =>
        this.#connections.use(undefined, (connection) => this.#definition.read(connection)),
      );
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#options.host.resourceUpdated(params.uri);
    else if (method === 'notifications/message') this.#read(toLogEntry(params));
  }

  #read({ message, fields, ...rest }: PluginLogEntry): void {
    this.#messages.add(message, { ...rest, ...(fields && { fields: this.#messages.value(fields) }) });
  }

  /** No line of a server says which call it belongs to: while calls of several clients are running, none of them gets it. */
  #onLogEntry(entry: PluginLogEntry): void {
    const { last, clients } = this.#waiting();
    if (clients === 0) this.#log(entry);
    else if (!this.#isAdmitted(entry)) return;
    else if (clients === 1) last?.channel?.log(entry);
    else this.#options.onOutput(entry.message, entry.level === 'warn' || entry.level === 'error' ? 'stderr' : 'stdout');
  }

  #log(entry: PluginLogEntry): void {
    if (this.#isAdmitted(entry)) this.#options.host.log(entry);
  }

  #isAdmitted({ message, fields }: PluginLogEntry): boolean {
    return this.#logRateLimit.tryConsume(message.length + (fields ? estimateJsonSize(fields, MAX_LINE_CHARS) : 0));
  }

  #reference(ref: CompletionRef): JsonObject {
    return ref.type === 'prompt'
      ? { type: 'ref/prompt', name: this.#ownName(ref.name) }
      : { type: 'ref/resource', uri: ref.uriTemplate };
  }

  #headers(name: string, args: JsonObject): Record<string, string> | undefined {
    if (!('url' in this.#options.entry)) return undefined;
    const schema = this.definition.tools.find((tool) => tool.name === name)?.inputSchema;
    const headers = schema ? paramHeaders(schema, args) : [];
    return Object.fromEntries(headers.map(({ header, text }) => [header, encodeHeader(text)]));
  }
}
