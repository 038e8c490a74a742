import { encodeHeader, paramHeaders } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import {
  type CallChannel,
  type CompletionRef,
  type ErrorOutcome,
  type InputRequiredOutcome,
  normalisePrompt,
  normaliseRead,
  type PluginDefinition,
  type PluginProblem,
  type PluginResults,
  type PluginWork,
  type ToolDefinition,
  type WatchedResource,
  type WorkOf,
} from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
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
import { metaOf, passedMeta } from './passed-meta.js';
import { withPlainBase64 } from './plain-base64.js';
import { RemoteDefinition } from './remote-definition.js';
import { RpcError, rpcRejection, SessionExpiredError } from './rpc-errors.js';
import { createSuspendedRequests } from './suspended-requests.js';
import { failedOutcome, parseCompletion, toolOutcome } from './to-outcome.js';
import { urlQuestions } from './url-questions.js';

const LIST_CHANGED = /^notifications\/(?:tools|resources|prompts)\/list_changed$/;

/** A request to the server, and the conversion of its result. */
interface Forwarded<O> {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers?: Record<string, string> | undefined;
  read(result: JsonObject): O;
}

/** Creates the request to forward for each kind of work. */
type Requests = { [K in keyof PluginResults]?: (work: WorkOf<K>) => Forwarded<PluginResults[K]> };

/** Many servers reject a missing `arguments`, so `{}` is sent. */
const argumentsOrEmpty = (rawArgs: JsonObject = {}) => rawArgs;

/** Runs the calls of a mounted MCP server, which is started or reached at the first call. */
export class MountedRunner implements Runner {
  readonly #options: MountedRunnerOptions;
  readonly #definition: RemoteDefinition;
  readonly #connection: OnDemand<Connection>;
  readonly #attribution: ClientAttribution;
  readonly #watched = new WatchedResources((resources) =>
    this.#connection.use(undefined, ({ updates }) => updates.watch(resources.map(({ uri }) => uri))),
  );
  readonly #stopRoots: (() => void) | undefined;
  /** The pending liveness probe of the server's process, if any. */
  #livenessProbe: Promise<void> | undefined;
  readonly #suspended = createSuspendedRequests();
  readonly #pages = new OpenPages();
  /** The tools whose calls need a conversion, by name, and the list of tools from which they were taken. */
  #special:
    | { readonly tools: readonly ToolDefinition[]; readonly byName: ReadonlyMap<string, ToolDefinition> }
    | undefined;

  constructor(options: MountedRunnerOptions) {
    this.#options = options;
    const { backoff, idleMs, lists, supervisor, limits, definition, callbacks, onOutput, onListed, redactor } = options;
    this.#attribution = new ClientAttribution({
      redactor,
      onOutput,
      log: (line) => callbacks.log(line),
      roots: options.roots,
      onAsked: (request, channel) => this.#pages.add({ question: request }, channel),
    });
    this.#stopRoots = options.roots?.onChanged(() => {
      if (this.#attribution.hasAskedForRoots) this.#connection.current?.rpc.notify('notifications/roots/list_changed');
    });
    const onChanged = (changed: PluginDefinition) => callbacks.definitionChanged(changed);
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

  /** Lists the problem until the server can be used again. */
  showUnavailable(problem: PluginProblem): void {
    this.#definition.showUnavailable(problem);
  }

  /** Ends the server unless it is in use. The next call starts it again. */
  closeIfIdle(): Promise<void> {
    return this.#connection.endIfUnused();
  }

  async run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    const requestOf = this.#requests[work.do] as ((work: W) => Forwarded<PluginResults[W['do']]>) | undefined;
    if (!requestOf) return errorOutcome('INTERNAL_ERROR', `A mounted server cannot do '${work.do}'`);
    const forwarded = requestOf(work);
    try {
      return await this.#attempt(forwarded, channel);
    } catch (error) {
      if (!(error instanceof SessionExpiredError)) return failedOutcome(this.#name, forwarded.method, error);
    }
    // The server no longer knows the session, so it has done nothing. Open another session, once.
    try {
      return await this.#attempt(forwarded, channel);
    } catch (error) {
      const reason = error instanceof SessionExpiredError ? rpcRejection(error.message) : error;
      return failedOutcome(this.#name, forwarded.method, reason);
    }
  }

  readonly #requests: Requests = {
    call: ({ name, args: rawArgs }) => {
      const { argumentsFor = argumentsOrEmpty, outcomeOf = toolOutcome } = this.#options;
      const args = argumentsFor(rawArgs);
      const { wrapsOutput = false, callsAsTask } = this.#traitsOf(name);
      return {
        method: 'tools/call',
        params: { name: this.#ownName(name), ...(args && { arguments: args }), ...(callsAsTask && { task: {} }) },
        headers: this.#headers(name, args ?? {}),
        read: (result) => ({ ...outcomeOf(withPlainBase64(result), wrapsOutput), ...metaOf(result) }),
      };
    },
    read: ({ uri }) => ({
      method: 'resources/read',
      params: { uri },
      read: (result) => ({
        ...normaliseRead({ contents: withPlainBase64(result).contents }, uri, undefined),
        ...metaOf(result),
      }),
    }),
    prompt: ({ name, args }) => ({
      method: 'prompts/get',
      params: { name: this.#ownName(name), arguments: args },
      read: (result) => ({ ...normalisePrompt(withPlainBase64(result)), ...metaOf(result) }),
    }),
    complete: ({ ref, argument, value, knownArguments }) => ({
      method: 'completion/complete',
      params: {
        ref: this.#reference(ref),
        argument: { name: argument, value },
        context: { arguments: knownArguments },
      },
      read: (result) => parseCompletion(result.completion),
    }),
  };

  get watched(): Iterable<WatchedResource> {
    return this.#watched.resources;
  }

  /** Starts the server if it does not run, because only a running server reports changes. */
  watchResource(resource: WatchedResource): void {
    this.#watched.add(resource);
  }

  unwatchResource(uri: string): void {
    this.#watched.delete(uri);
    void this.#connection.current?.updates.unwatch(uri);
  }

  /** Ends the server after its running calls. Returns without waiting for these calls. */
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
    // Imported on demand, because only mounted servers need the SDK's client.
    const { connect } = await import('./connect.js');
    const connection: Connection = await connect(entry, {
      ...this.#options,
      environment: this.#options.callbacks.environment,
      onNotification: (method, params) => this.#onNotification(method, params),
      onRequest: (method, params) => this.#attribution.ask(method, params),
      onLost: () => this.#connection.lose(connection, 'the connection to it was lost'),
    });
    try {
      await this.#definition.read(connection);
    } catch (error) {
      connection.kill('its definition cannot be used');
      throw error;
    }
    this.#options.supervisor?.loaded();
    void connection.updates.watch(this.#watched.resources.map(({ uri }) => uri));
    return connection;
  }

  get #name(): string {
    return this.#options.callbacks.pluginName;
  }

  /** The traits of a tool whose calls need a conversion. Most tools have none. */
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

  #attempt<O extends object>(
    forwarded: Forwarded<O>,
    channel: CallChannel,
  ): Promise<O | ErrorOutcome | InputRequiredOutcome> {
    const { method, params } = forwarded;
    return this.#connection.use(channel, async (connection) => {
      throwIfBlocked(this.#options.callbacks);
      const suspended = this.#suspended.take(channel.answers, method, params);
      const request = suspended ?? this.#request(forwarded, connection);
      const end = this.#attribution.begin(request);
      try {
        const round = await request.round(channel);
        if (round.kind === 'input_required') {
          this.#suspended.add(request);
          return round;
        }
        const outcome = forwarded.read(round.result);
        const isError = 'kind' in outcome && outcome.kind === 'error';
        return isError ? (request.unansweredIn(round.result) ?? outcome) : outcome;
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

  #request({ method, params, headers }: Forwarded<unknown>, connection: Connection): ForwardedRequest {
    const onCancelled = () => {
      this.#livenessProbe ??= this.#checkAlive(connection).finally(() => {
        this.#livenessProbe = undefined;
      });
    };
    const { metaFor = ({ meta }) => passedMeta(meta) } = this.#options;
    return new ForwardedRequest(connection.rpc, { method, params, headers, metaFor, onCancelled });
  }

  /** Kills a process that does not answer a ping, because it does not process a cancellation either. */
  async #checkAlive(connection: Connection): Promise<void> {
    if ('url' in this.#options.entry || this.#connection.current !== connection) return;
    if (await connection.rpc.isAlive(GRACE_MS + PING_MS)) return;
    connection.kill(`it did not answer a ping within ${GRACE_MS + PING_MS} ms after a cancelled call`);
    await connection.ended;
  }

  #onNotification(method: string, params: JsonObject): void {
    if (LIST_CHANGED.test(method))
      this.#definition.readSoon(() =>
        this.#connection.use(undefined, (connection) => this.#definition.read(connection)),
      );
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string')
      this.#options.callbacks.resourceUpdated(params.uri);
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
