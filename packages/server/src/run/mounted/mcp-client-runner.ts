import { encodeHeader, paramHeaders } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  type Completion,
  type CompletionRef,
  type CompletionRequest,
  type ErrorOutcome,
  type InputRequiredOutcome,
  normalisePrompt,
  normaliseRead,
  type Outcome,
  type PluginDefinition,
  type PluginProblem,
  type PromptOutcome,
  type ReadOutcome,
  type ToolDefinition,
  type WatchedResource,
} from '@mortise/plugin/runtime';
import { GRACE_MS, PING_MS } from '../../core/grace-period.js';
import type { Runner } from '../../core/plugin-runner.js';
import { OnDemand } from '../shared/on-demand.js';
import { throwIfBlocked } from '../shared/runner-errors.js';
import { WatchedResources } from '../shared/watched-resources.js';
import { ClientAttribution } from './client-attribution.js';
import type { Connection } from './connect.js';
import { ForwardedRequest } from './forwarded-request.js';
import { toLogEntry } from './log-entry.js';
import type { MountedRunnerOptions } from './mcp-client-runner-options.js';
import { OpenPages } from './open-pages.js';
import { metaOf } from './passed-meta.js';
import { withPlainBase64 } from './plain-base64.js';
import { RemoteDefinition } from './remote-definition.js';
import { RpcError, rpcRejection, SessionExpiredError } from './rpc-errors.js';
import { createSuspendedRequests } from './suspended-requests.js';
import { failedOutcome, parseCompletion, toolOutcome } from './to-outcome.js';
import { urlQuestions } from './url-questions.js';

const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/;

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
  readonly #connection: OnDemand<Connection>;
  readonly #attribution: ClientAttribution;
  readonly #watched = new WatchedResources((resources) =>
    this.#connection.use(undefined, ({ updates }) => updates.watch(resources.map(({ uri }) => uri))),
  );
  readonly #stopRoots: (() => void) | undefined;
  /** While a process has not said yet that it still answers. */
  #livenessProbe: Promise<void> | undefined;
  readonly #suspended = createSuspendedRequests();
  readonly #pages = new OpenPages();
  #special:
    | { readonly tools: readonly ToolDefinition[]; readonly byName: ReadonlyMap<string, ToolDefinition> }
    | undefined;

  constructor(options: MountedRunnerOptions) {
    this.#options = options;
    const { backoff, idleMs, lists, supervisor, limits, definition, host, onOutput, onListed, redactor } = options;
    this.#attribution = new ClientAttribution({
      redactor,
      onOutput,
      log: (line) => host.log(line),
      roots: options.roots,
      onAsked: (request, channel) => this.#pages.add({ question: request }, channel),
    });
    this.#stopRoots = options.roots?.onChanged(() => {
      if (this.#attribution.hasAskedForRoots) this.#connection.current?.rpc.notify('notifications/roots/list_changed');
    });
    const onChanged = (changed: PluginDefinition) => host.definitionChanged(changed);
    this.#definition = new RemoteDefinition({ ...lists, limits, definition, onListed, onChanged });
    this.#connection = new OnDemand<Connection>({
      backoff,
      idleMs,
      start: () => this.#connect(),
      end: (connection) => connection.close(),
      setBusy: (_, isBusy) => supervisor?.setBusy(isBusy),
      isNeeded: ({ updates }) => updates.isWatching || this.#suspended.size > 0,
      livenessProbe: () => this.#livenessProbe,
      onUnavailable: (problem) => this.#definition.showUnavailable(problem),
      onEnded: (reason) => {
        options.onEnded(reason);
        this.#watched.watchAgain();
      },
      toProblem: options.toProblem,
    });
  }

  get definition(): PluginDefinition {
    return this.#definition.definition;
  }

  /** Starts or contacts the server, and reads its definition. @throws PluginUnavailableError */
  open(): Promise<void> {
    return this.#connection.use(undefined, async () => {});
  }

  get processId(): number | undefined {
    return this.#connection.current?.pid;
  }

  /** Shows why it cannot be used, until it can. */
  showUnavailable(problem: PluginProblem): void {
    this.#definition.showUnavailable(problem);
  }

  /** Ends the server unless it is being used; the next call starts it again. */
  closeIfIdle(): Promise<void> {
    return this.#connection.endIfUnused();
  }

  callTool(name: string, rawArgs: JsonObject | undefined, channel: CallChannel): Promise<Outcome> {
    const { argumentsFor = orNone, outcomeOf = toolOutcome } = this.#options;
    const args = argumentsFor(rawArgs);
    const { wrapsOutput = false, callsAsTask } = this.#traitsOf(name);
    const params = { name: this.#ownName(name), ...(args && { arguments: args }), ...(callsAsTask && { task: {} }) };
    const headers = this.#headers(name, args ?? {});
    const read = (result: JsonObject) => ({
      ...outcomeOf(withPlainBase64(result), wrapsOutput),
      ...metaOf(result),
    });
    return this.#call({ method: 'tools/call', params, headers, read }, channel);
  }

  readResource(
    _key: string,
    uri: string,
    _variables: Record<string, string>,
    channel: CallChannel,
  ): Promise<ReadOutcome> {
    const read = (result: JsonObject) => ({
      ...normaliseRead({ contents: withPlainBase64(result).contents }, uri, undefined),
      ...metaOf(result),
    });
    return this.#call<ReadOutcome>({ method: 'resources/read', params: { uri }, read }, channel);
  }

  get watched(): Iterable<WatchedResource> {
    return this.#watched.resources;
  }

  /** Starts the server if it does not run: nothing else could report changes. */
  watchResource(resource: WatchedResource): void {
    this.#watched.add(resource);
  }

  unwatchResource(uri: string): void {
    this.#watched.delete(uri);
    void this.#connection.current?.updates.unwatch(uri);
  }

  getPrompt(name: string, args: Record<string, string>, channel: CallChannel): Promise<PromptOutcome> {
    const params = { name: this.#ownName(name), arguments: args };
    const read = (result: JsonObject) => ({ ...normalisePrompt(withPlainBase64(result)), ...metaOf(result) });
    return this.#call<PromptOutcome>({ method: 'prompts/get', params, read }, channel);
  }

  async complete(
    { ref, argument, value, knownArguments }: CompletionRequest,
    channel: CallChannel,
  ): Promise<Completion> {
    const params = {
      ref: this.#reference(ref),
      argument: { name: argument, value },
      context: { arguments: knownArguments },
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
    this.#stopRoots?.();
    this.#attribution.end();
    await this.#connection.dispose();
  }

  /** @throws ProcessExitedError, PluginUnavailableError */
  async #connect(): Promise<Connection> {
    const { entry, onOpening } = this.#options;
    onOpening();
    // The SDK's client is loaded by who needs it.
    const { connect } = await import('./connect.js');
    const connection: Connection = await connect(entry, {
      ...this.#options,
      environment: this.#options.host.environment,
      onNotification: (method, params) => this.#notified(method, params),
      onRequest: (method, params) => this.#attribution.ask(method, params),
      onLost: () => this.#connection.lose(connection, 'the connection to it was lost'),
    });
    try {
      await this.#definition.read(connection);
    } catch (error) {
      connection.kill('what it offers cannot be used');
      throw error;
    }
    this.#options.supervisor?.loaded();
    void connection.updates.watch(this.#watched.resources.map(({ uri }) => uri));
    return connection;
  }

  get #name(): string {
    return this.#options.host.pluginName;
  }

  /** The tools that are not like most: their calls are changed on the way. */
  #traitsOf(name: string): Pick<ToolDefinition, 'wrapsOutput' | 'callsAsTask'> {
    const { tools } = this.definition;
    if (this.#special?.tools !== tools) {
      const special = tools.filter(({ wrapsOutput, callsAsTask }) => wrapsOutput || callsAsTask);
      this.#special = { tools, byName: new Map(special.map((tool) => [tool.name, tool])) };
    }
    return this.#special.byName.get(name) ?? {};
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
    return this.#connection.use(channel, async (connection) => {
      throwIfBlocked(this.#options.host);
      const suspended = this.#suspended.take(channel.answers, call.method, call.params);
      const request = suspended ?? this.#request(call, connection);
      const end = this.#attribution.begin(request);
      try {
        const round = await request.round(channel);
        if (round.kind === 'input_required') {
          this.#suspended.add(request);
          return round;
        }
        const outcome = call.read(round.result);
        return outcome.kind === 'error' ? (request.unansweredIn(round.result) ?? outcome) : outcome;
      } catch (error) {
        if (error instanceof SessionExpiredError) this.#connection.retire(connection);
        const unanswered = error instanceof RpcError ? request.unansweredIn(error.message) : undefined;
        if (unanswered) return unanswered;
        this.#pages.add(urlQuestions(error) ?? {}, channel);
        throw error;
      } finally {
        end();
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

  /** A process that does not answer a ping does not process a cancellation either. */
  async #checkAlive(connection: Connection): Promise<void> {
    if ('url' in this.#options.entry || this.#connection.current !== connection) return;
    if (await connection.rpc.isAlive(GRACE_MS + PING_MS)) return;
    connection.kill(`it did not respond within ${PING_MS} ms after a cancelled call`);
    await connection.ended;
  }

  #notified(method: string, params: JsonObject): void {
    if (LIST_CHANGED.test(method))
      this.#definition.readSoon(() =>
        this.#connection.use(undefined, (connection) => this.#definition.read(connection)),
      );
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#options.host.resourceUpdated(params.uri);
    else if (method === 'notifications/elicitation/complete') this.#pages.complete(params);
    else if (method === 'notifications/message') this.#attribution.log(toLogEntry(params));
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
