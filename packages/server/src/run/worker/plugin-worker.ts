import type { Duplex } from 'node:stream';
import {
  type ErrorOutcome,
  loadPlugin,
  type PluginDefinition,
  type PluginHost,
  type PluginInstance,
  type PluginLogEntry,
  type SettingsAnswer,
  type SettingsRequest,
  setNotSecretKey,
} from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import { enforceResultLimits, tooLargeResult } from '../../call/results/result-limits.js';
import { boundDefinition } from '../../plugins/load/bound-definition.js';
import { describeLoadError } from '../../plugins/load/load-error.js';
import { loadModule } from '../../plugins/load/load-module.js';
import { type LineChannel, MessageTooLarge, openLineChannel } from '../../processes/ndjson-channel.js';
import { DEFAULT_LIMITS } from '../../settings/plugin-limits.js';
import { errorStack } from '../../util/error-message.js';
import { Throttle } from '../../util/throttle.js';
import { TokenBucket } from '../../util/token-bucket.js';
import { SERVER } from '../../util/version.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { FromWorker, Loaded, LoadRequest, ToWorker, WorkerRequest, WorkerResponse } from './protocol.js';
import { createRateLimitedLog } from './rate-limited-log.js';
import { createWorkerCalls, type WorkerCalls } from './worker-calls.js';
import { createTrackedProcesses } from './worker-tracked-processes.js';

/** The function of Node.js, even if a plugin replaces `process.exit`. */
const exit = process.exit.bind(process);

/** The number of changed definitions that are sent immediately. Of further ones only the latest is sent. */
const DEFINITION_BURST = 5;
const DEFINITIONS_A_SECOND = 50;
/** The time that a plugin has to clean up if the process was started only for its definition. */
const DISCOVERY_CLEAN_UP_MS = 500;

/** A handler for each kind of request. The server matches an answer by the id of its request. */
type Handlers = {
  [K in WorkerRequest['do']]: (work: Extract<WorkerRequest, { do: K }>, id: number) => Promise<WorkerResponse[K]>;
};

/**
 * Runs one plugin for the server at the other end of the channel, and ends when the channel closes. Nothing that the
 * plugin prints, throws or leaves unhandled reaches the channel.
 */
export class PluginWorker {
  readonly #channel: LineChannel<FromWorker>;
  readonly #log = createRateLimitedLog((log, id) => this.#sendLog(log, id));
  readonly #calls: WorkerCalls;
  readonly #settings: SettingsRequests;
  readonly #processes = createTrackedProcesses();
  readonly #definitions = new Throttle(
    (definition: PluginDefinition) => this.#channel.send({ definition: this.#withinLimits(definition) }),
    new TokenBucket(DEFINITION_BURST, DEFINITIONS_A_SECOND),
  );
  #plugin: PluginInstance | undefined;
  #limits = DEFAULT_LIMITS;
  #file = '';

  constructor(stream: Duplex) {
    this.#channel = openLineChannel<FromWorker>(stream, {
      onClose: () => exit(0),
      onMessage: (message) => this.#receive(message as ToWorker),
    });
    this.#calls = createWorkerCalls(this.#channel.send, this.#log);
    this.#settings = new SettingsRequests(this.#channel.send);
    // An unhandled rejection is logged for the author. It must not end the process, which runs other calls.
    process.on('unhandledRejection', (reason) =>
      this.#log({ level: 'error', message: `unhandled rejection: ${describeReason(reason)}` }),
    );
  }

  #receive(message: ToWorker): void {
    if ('work' in message) void this.#answer(message);
    else if ('abort' in message) this.#calls.abort(message.abort);
    else if ('task' in message) this.#calls.becameTask(message.task);
    else if ('given' in message) this.#settings.received(message);
    else this.#calls.answered(message);
  }

  async #answer({ id, work }: Extract<ToWorker, { work: WorkerRequest }>): Promise<void> {
    const handler = this.#handlers[work.do] as (
      work: WorkerRequest,
      id: number,
    ) => Promise<WorkerResponse[typeof work.do]>;
    const value = await handler(work, id);
    // If the call has changed a list, the server learns of that before it gets the result.
    this.#definitions.flush();
    try {
      this.#channel.send({ done: id, value: value === null ? value : enforceResultLimits(value) });
    } catch (error) {
      this.#channel.send({ done: id, value: unserializable(error) });
    }
  }

  readonly #handlers: Handlers = {
    load: ({ request }) => this.#load(request),
    discover: async ({ request }) => {
      const loaded = await this.#load(request);
      if (this.#plugin) await withTimeout(this.#plugin.dispose(), DISCOVERY_CLEAN_UP_MS);
      this.#plugin = undefined;
      return loaded;
    },
    run: ({ work, meta }, id) => this.#calls.run(id, meta, (channel) => this.#plugin!.run(work, channel)),
    watch: async ({ key, uri, variables }) => {
      this.#plugin!.watchResource!({ key, uri, variables });
      return null;
    },
    unwatch: async ({ uri }) => {
      this.#plugin!.unwatchResource!(uri);
      return null;
    },
    dispose: async () => {
      await this.#plugin?.dispose();
      return null;
    },
    ping: async () => null,
  };

  async #load({ entry, root, cacheDir, notSecretKey, limits, environment, ...rest }: LoadRequest): Promise<Loaded> {
    this.#limits = limits;
    this.#file = entry;
    this.#channel.setSendLimits(limits);
    Object.assign(process.env, environment);
    setNotSecretKey(notSecretKey);
    const loaded = await loadModule(entry, { root, cacheDir });
    if ('problem' in loaded) return loaded;
    try {
      const plugin = await loadPlugin(loaded.namespace, { file: loaded.file, host: this.#hostOf(rest), root });
      this.#plugin = plugin;
      return { definition: this.#withinLimits(plugin.definition) };
    } catch (error) {
      return { problem: await describeLoadError(error, { entry, root: root ?? rest.pluginsDir }) };
    }
  }

  #hostOf(plugin: Pick<PluginHost, 'pluginName' | 'pluginsDir' | 'config' | 'dataDir'>): PluginHost {
    const { send } = this.#channel;
    return {
      ...plugin,
      log: this.#log,
      server: SERVER,
      processes: this.#processes,
      ownSettings: (request) => this.#settings.request(request),
      reloadPlugins: async () => send({ reload: true }),
      resourceUpdated: (uri) => send({ resourceUpdated: uri }),
      resourceListChanged: () => send({ resourceListChanged: true }),
      definitionChanged: (definition) => this.#definitions.push(definition),
    };
  }

  /** Cuts the definition to the limits, because the channel refuses a message that is too large. */
  #withinLimits(definition: PluginDefinition): PluginDefinition {
    return boundDefinition(definition, this.#limits, this.#file);
  }

  #sendLog(log: PluginLogEntry, id: number | undefined): void {
    const ofCall = id !== undefined && { id };
    try {
      this.#channel.send({ log, ...ofCall });
    } catch (error) {
      const message = `a log line was omitted: ${(error as Error).message}`;
      this.#channel.send({ log: { level: log.level, message }, ...ofCall });
    }
  }
}

/** Asks the server for the settings of the plugin. */
class SettingsRequests {
  readonly #send: (message: FromWorker) => void;
  readonly #waiting = new Map<number, (answer: SettingsAnswer) => void>();
  #last = 0;

  constructor(send: (message: FromWorker) => void) {
    this.#send = send;
  }

  request(request: SettingsRequest): Promise<SettingsAnswer> {
    return new Promise((resolve) => {
      this.#last += 1;
      this.#waiting.set(this.#last, resolve);
      this.#send({ settings: this.#last, request });
    });
  }

  received({ given, answer }: Extract<ToWorker, { given: number }>): void {
    this.#waiting.get(given)?.(answer);
    this.#waiting.delete(given);
  }
}

function unserializable(error: unknown): ErrorOutcome {
  const violation = error instanceof MessageTooLarge ? error.violation : undefined;
  return violation
    ? tooLargeResult(violation)
    : errorOutcome('TOOL_INVALID_RESULT', `The result cannot be sent: ${(error as Error).message}`);
}

function describeReason(reason: unknown): string {
  try {
    return errorStack(reason);
  } catch {
    return 'a value that cannot be shown';
  }
}
