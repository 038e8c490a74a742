import type { Duplex } from 'node:stream';
import { type CallPort, loadPlugin, type PluginHost, type PluginInstance } from '@mortise/plugin/host';
import { describeLoadError } from '../plugins/load-error.js';
import { loadModule } from '../plugins/load-module.js';
import { type LineChannel, openLineChannel } from './line-channel.js';
import type { CallTerms, FromProcess, Loaded, LoadOrder, ToProcess, Work, WorkResult } from './wire.js';

/** Arguments are at most what the server's own transports let in. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;

/** Progress reports of one call, and log lines, that one tick may send; of more only the last report counts. */
const MAX_REPORTS_A_TICK = 20;
const MAX_LOG_LINES_A_TICK = 1000;

/**
 * Runs one plugin for the server at the other end of the channel, and ends with it. Nothing that the plugin prints,
 * throws or leaves unhandled reaches the channel.
 */
export function runPluginProcess(stream: Duplex): void {
  const calls = new Map<number, AbortController>();
  const questions = new Map<number, { resolve(answers: Record<string, unknown>): void; reject(error: Error): void }>();
  let nextQuestion = 1;
  let plugin: PluginInstance | undefined;

  const channel: LineChannel<FromProcess> = openLineChannel<ToProcess, FromProcess>(stream, {
    maxLineBytes: MAX_LINE_BYTES,
    onEnd: () => process.exit(0),
    onMessage(message) {
      if ('work' in message) void answer(message.id, message.work);
      else if ('abort' in message)
        calls.get(message.abort)?.abort(new DOMException('The call was ended', 'AbortError'));
      else if ('answers' in message) questions.get(message.answered)?.resolve(message.answers);
      else questions.get(message.answered)?.reject(new Error(message.refused));
    },
  });
  const log = createTickLog(channel);

  // A rejection that nobody handles is the author's to know of, not the end of everybody's calls.
  process.on('unhandledRejection', (reason) =>
    log({ level: 'error', message: `unhandled rejection: ${describe(reason)}` }),
  );

  const doings: { [K in Work['do']]: (work: Extract<Work, { do: K }>, id: number) => Promise<WorkResult[K]> } = {
    load: ({ order }) => load(order),
    describe: async ({ order }) => {
      const loaded = await load(order);
      await plugin?.dispose();
      plugin = undefined;
      return loaded;
    },
    call: ({ name, args, terms }, id) => withPort(id, terms, (port) => plugin!.callTool(name, args, port)),
    read: ({ key, uri, variables, terms }, id) =>
      withPort(id, terms, (port) => plugin!.readResource(key, uri, variables, port)),
    prompt: ({ name, args, terms }, id) => withPort(id, terms, (port) => plugin!.getPrompt(name, args, port)),
    complete: ({ ref, argument, value, given }) => plugin!.complete(ref, argument, value, given),
    dispose: async () => {
      await plugin?.dispose();
      return null;
    },
    ping: async () => null,
  };

  async function answer(id: number, work: Work): Promise<void> {
    const value = await (doings[work.do] as (work: Work, id: number) => Promise<WorkResult[Work['do']]>)(work, id);
    channel.send({ done: id, value });
  }

  async function load({ entry, root, cacheDir, ...rest }: LoadOrder): Promise<Loaded> {
    const loaded = await loadModule(entry, { root, cacheDir });
    if ('problem' in loaded) return loaded;
    const host: PluginHost = {
      ...rest,
      log: (entry) => log(entry),
      reloadPlugins: async () => channel.send({ reload: true }),
      resourceUpdated: (uri) => channel.send({ resourceUpdated: uri }),
      definitionChanged: (definition) => channel.send({ definition }),
    };
    try {
      plugin = await loadPlugin(loaded.namespace, { file: loaded.file, host });
      return { definition: plugin.definition };
    } catch (error) {
      return { problem: await describeLoadError(error, { entry, root: root ?? rest.pluginsDir }) };
    }
  }

  async function withPort<T>(id: number, terms: CallTerms, work: (port: CallPort) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    calls.set(id, controller);
    const report = createTickReports((percent, message) =>
      channel.send({ progress: id, percent, ...(message !== undefined && { message }) }),
    );
    try {
      return await work({
        ...terms,
        signal: controller.signal,
        progress: report.report,
        log: (entry) => log(entry, id),
        requestInput: (requests) => {
          const ask = nextQuestion++;
          return new Promise<Record<string, unknown>>((resolve, reject) => {
            questions.set(ask, { resolve, reject });
            channel.send({ ask, id, requests });
          }).finally(() => questions.delete(ask));
        },
      });
    } finally {
      report.flush();
      calls.delete(id);
    }
  }
}

/** The reports of one tick go out at once up to a bound; beyond it the last one wins. */
function createTickReports(send: CallPort['progress']): { report: CallPort['progress']; flush(): void } {
  let sent = 0;
  let held: { percent: number; message: string | undefined } | undefined;
  const flush = () => {
    sent = 0;
    if (!held) return;
    const { percent, message } = held;
    held = undefined;
    send(percent, message);
  };
  return {
    flush,
    report(percent, message) {
      if (sent === 0) setImmediate(flush);
      sent += 1;
      if (sent <= MAX_REPORTS_A_TICK) send(percent, message);
      else held = { percent, message };
    },
  };
}

type LogEntry = Extract<FromProcess, { log: unknown }>['log'];

/** Log lines beyond the bound of one tick are dropped and counted. */
function createTickLog(channel: LineChannel<FromProcess>): (entry: LogEntry, id?: number) => void {
  let lines = 0;
  const endTick = () => {
    const dropped = lines - MAX_LOG_LINES_A_TICK;
    lines = 0;
    if (dropped > 0) channel.send({ log: { level: 'warn', message: `${dropped} log lines dropped` } });
  };
  return (entry, id) => {
    if (lines === 0) setImmediate(endTick);
    lines += 1;
    if (lines <= MAX_LOG_LINES_A_TICK) channel.send({ log: entry, ...(id !== undefined && { id }) });
  };
}

function describe(reason: unknown): string {
  try {
    return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
  } catch {
    return 'a value that cannot be shown';
  }
}
