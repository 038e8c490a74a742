import type { Duplex } from 'node:stream';
import {
  type ErrorOutcome,
  loadPlugin,
  type PluginDefinition,
  type PluginHost,
  type PluginInstance,
  setNotSecretKey,
} from '@mortise/plugin/runtime';
import { errorOutcome } from '../../call/results/error-outcomes.js';
import { tooLargeResult, withinResultLimits } from '../../call/results/result-limits.js';
import { boundDefinition } from '../../plugins/load/bound-definition.js';
import { describeLoadError } from '../../plugins/load/load-error.js';
import { loadModule } from '../../plugins/load/load-module.js';
import { MessageTooLarge, openLineChannel } from '../../processes/ndjson-channel.js';
import { DEFAULT_LIMITS } from '../../settings/plugin-limits.js';
import { errorStack } from '../../util/error-message.js';
import { Throttle } from '../../util/throttle.js';
import { TokenBucket } from '../../util/token-bucket.js';
import { SERVER } from '../../util/version.js';
import { withTimeout } from '../../util/with-timeout.js';
import { createBatchedLog } from './batched-log.js';
import type { FromWorker, Loaded, LoadRequest, ToWorker, WorkerRequest, WorkerResponse } from './protocol.js';
import { createSettingsRequests } from './settings-requests.js';
import { createWorkerCalls } from './worker-calls.js';
import { createTrackedProcesses } from './worker-tracked-processes.js';

/** That of Node.js, whatever a plugin puts in its place. */
const exit = process.exit.bind(process);

/** New lists that are sent as they come; of more only the last one is. */
const DEFINITION_BURST = 5;
const DEFINITIONS_A_SECOND = 50;
/** How long a plugin that was only asked what it offers may clean up, in milliseconds. */
const DISPOSE_MS = 500;

/**
 * Runs one plugin for the server at the other end of the channel, and ends with it. Nothing that the plugin prints,
 * throws or leaves unhandled reaches the channel.
 */
export function runPluginProcess(stream: Duplex): void {
  const channel = openLineChannel<FromWorker>(stream, {
    onClose: () => exit(0),
    onMessage(value) {
      const message = value as ToWorker;
      if ('work' in message) void answer(message);
      else if ('abort' in message) workerCalls.abort(message.abort);
      else if ('task' in message) workerCalls.becameTask(message.task);
      else if ('given' in message) settings.received(message);
      else workerCalls.answered(message);
    },
  });
  const log = createBatchedLog((log, id) => {
    const ofCall = id !== undefined && { id };
    try {
      channel.send({ log, ...ofCall });
    } catch (error) {
      channel.send({
        log: { level: log.level, message: `a log line was omitted: ${(error as Error).message}` },
        ...ofCall,
      });
    }
  });
  const workerCalls = createWorkerCalls(channel.send, log);
  const definitions = new Throttle(
    (definition: PluginDefinition) => channel.send({ definition: boundDefinition(definition, limits, file) }),
    new TokenBucket(DEFINITION_BURST, DEFINITIONS_A_SECOND),
  );
  const settings = createSettingsRequests(channel.send);
  const processes = createTrackedProcesses();
  let plugin: PluginInstance | undefined;
  let limits = DEFAULT_LIMITS;
  let file = '';

  // A rejection that no one handles is the author's to know of, not the end of everybody's calls.
  process.on('unhandledRejection', (reason) =>
    log({ level: 'error', message: `unhandled rejection: ${describeReason(reason)}` }),
  );

  const doings: {
    [K in WorkerRequest['do']]: (work: Extract<WorkerRequest, { do: K }>, id: number) => Promise<WorkerResponse[K]>;
  } = {
    load: ({ request }) => load(request),
    async discover({ request }) {
      const loaded = await load(request);
      if (plugin) await withTimeout(plugin.dispose(), DISPOSE_MS);
      plugin = undefined;
      return loaded;
    },
    run: ({ work, meta }, id) => workerCalls.run(id, meta, (channel) => plugin!.run(work, channel)),
    async watch({ key, uri, variables }) {
      plugin!.watchResource!({ key, uri, variables });
      return null;
    },
    async unwatch({ uri }) {
      plugin!.unwatchResource!(uri);
      return null;
    },
    async dispose() {
      await plugin?.dispose();
      return null;
    },
    ping: async () => null,
  };

  async function answer({ id, work }: Extract<ToWorker, { work: WorkerRequest }>): Promise<void> {
    const value = await (
      doings[work.do] as (work: WorkerRequest, id: number) => Promise<WorkerResponse[WorkerRequest['do']]>
    )(work, id);
    // A list that the call changed is known before the call's result is.
    definitions.flush();
    try {
      channel.send({ done: id, value: value === null ? value : withinResultLimits(value) });
    } catch (error) {
      channel.send({ done: id, value: unserializable(error) });
    }
  }

  async function load({
    entry,
    root,
    cacheDir,
    notSecretKey,
    limits: rawLimits,
    environment,
    ...rest
  }: LoadRequest): Promise<Loaded> {
    limits = rawLimits;
    file = entry;
    channel.bound(limits);
    Object.assign(process.env, environment);
    setNotSecretKey(notSecretKey);
    const loaded = await loadModule(entry, { root, cacheDir });
    if ('problem' in loaded) return loaded;
    const host: PluginHost = {
      ...rest,
      log,
      server: SERVER,
      processes,
      ownSettings: settings.request,
      reloadPlugins: async () => channel.send({ reload: true }),
      resourceUpdated: (uri) => channel.send({ resourceUpdated: uri }),
      resourceListChanged: () => channel.send({ resourceListChanged: true }),
      definitionChanged: (definition) => definitions.push(definition),
    };
    try {
      plugin = await loadPlugin(loaded.namespace, { file: loaded.file, host, root });
      return { definition: boundDefinition(plugin.definition, limits, entry) };
    } catch (error) {
      return { problem: await describeLoadError(error, { entry, root: root ?? rest.pluginsDir }) };
    }
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
