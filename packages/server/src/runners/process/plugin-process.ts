import type { Readable } from 'node:stream';
import type { CallPort, PluginDefinition, PluginLogEntry } from '@mortise/plugin/host';
import { type LineChannel, openLineChannel } from '../../plugin-process/line-channel.js';
import type { CallTerms, FromProcess, ToProcess, Work, WorkResult } from '../../plugin-process/wire.js';
import { type ChildOptions, killGroup, spawnChild } from './child.js';
import { createFloodGate } from './flood-gate.js';
import type { Reaper } from './reaper.js';

/** The process ended while work was going on. `output` is what it printed last. */
export class ProcessEnded extends Error {
  constructor(
    readonly reason: string,
    readonly output: string,
  ) {
    super(reason);
  }
}

export interface ProcessEvents {
  onLog(entry: PluginLogEntry): void;
  /** What the plugin or its children print. */
  onPrint(line: string, stream: 'stdout' | 'stderr'): void;
  onDefinition(definition: PluginDefinition): void;
  onResourceUpdated(uri: string): void;
  onReload(): void;
}

/** One operating-system process that runs one plugin, or is ready to. */
export interface PluginProcess {
  readonly pid: number;
  /** Rejects with ProcessEnded when the process ends first. `port` where the work is a call. */
  request<W extends Work>(work: W, port?: CallPort): Promise<WorkResult[W['do']]>;
  /** From now on these hear of what belongs to no call. */
  listen(events: ProcessEvents): void;
  /** Ends it and everything that it started, at once; calls that are running end with this reason. */
  kill(reason: string): void;
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<ProcessEnded>;
}

/** A result may be as large as a plugin likes to make it, but not larger than this. */
const MAX_LINE_BYTES = 256 * 1024 * 1024;
/** The last lines of output that a crash is explained by. */
const LAST_LINES = 20;
const MAX_PRINTED_LINE_CHARS = 4000;
/** What a plugin may print a second before it has to wait. */
const PRINT_BYTES_A_SECOND = 1024 * 1024;

interface Pending {
  resolve(value: never): void;
  reject(error: ProcessEnded): void;
  port: CallPort | undefined;
}

/** Starts a process that has no plugin yet; `request({do: 'load'})` gives it one. */
export function startPluginProcess(options: ChildOptions, reaper: Reaper): PluginProcess {
  const { child, channel: stream } = spawnChild(options);
  const pid = child.pid ?? -1;
  if (pid > 0) reaper.add(pid);
  const pending = new Map<number, Pending>();
  const lastLines: string[] = [];
  const gate = createFloodGate();
  let nextId = 1;
  let events: ProcessEvents | undefined;
  let killedBecause: string | undefined;

  const kill = (reason: string) => {
    killedBecause ??= reason;
    killGroup(child);
  };

  const channel: LineChannel<ToProcess> = openLineChannel<FromProcess, ToProcess>(stream, {
    maxLineBytes: MAX_LINE_BYTES,
    onEnd(reason) {
      // A process without its channel is of no use; one that ends by itself closes the channel first, and says why by its exit.
      if (reason !== undefined) kill(reason);
      else setTimeout(() => kill('it closed its connection to the server'), 100).unref();
    },
    onMessage(message, bytes) {
      const isAwaited = 'done' in message && pending.has(message.done);
      if (!isAwaited && !gate.admits(bytes)) return kill('it flooded the server with messages');
      receive(message);
    },
  });

  function receive(message: FromProcess): void {
    if ('done' in message) {
      const work = pending.get(message.done);
      pending.delete(message.done);
      work?.resolve(message.value as never);
    } else if ('progress' in message) pending.get(message.progress)?.port?.progress(message.percent, message.message);
    else if ('log' in message) logOf(message.id, message.log);
    else if ('ask' in message) void ask(message);
    else if ('definition' in message) events?.onDefinition(message.definition);
    else if ('resourceUpdated' in message) events?.onResourceUpdated(message.resourceUpdated);
    else if ('reload' in message) events?.onReload();
  }

  function logOf(id: number | undefined, entry: PluginLogEntry): void {
    const port = id === undefined ? undefined : pending.get(id)?.port;
    if (port) port.log(entry);
    else events?.onLog(entry);
  }

  async function ask({ ask: answered, id, requests }: Extract<FromProcess, { ask: unknown }>): Promise<void> {
    try {
      const port = pending.get(id)?.port;
      if (!port) throw new Error('The call has ended');
      channel.send({ answered, answers: await port.requestInput(requests) });
    } catch (error) {
      channel.send({ answered, refused: error instanceof Error ? error.message : String(error) });
    }
  }

  for (const name of ['stdout', 'stderr'] as const) {
    readLines(child[name]!, (line) => {
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
      events?.onPrint(line, name);
    });
  }

  const ended = new Promise<ProcessEnded>((resolve) => {
    const finish = (how: string) => {
      if (pid > 0) {
        killGroup(child);
        reaper.remove(pid);
      }
      channel.close();
      const error = new ProcessEnded(killedBecause ?? how, lastLines.join('\n'));
      for (const work of pending.values()) work.reject(error);
      pending.clear();
      resolve(error);
    };
    child.once('error', (error) => finish(`it could not be started: ${error.message}`));
    // `close` comes after the last output was read, but never when a child of the plugin keeps the pipe open.
    child.once('exit', (code, signal) => {
      const how = exitReason(code, signal);
      const timer = setTimeout(() => finish(how), 200);
      child.once('close', () => {
        clearTimeout(timer);
        finish(how);
      });
    });
  });

  return {
    pid,
    ended,
    kill,
    listen(listener) {
      events = listener;
    },
    request(work, port) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve: resolve as Pending['resolve'], reject, port });
        channel.send({ id, work });
        if (port) onEnd(port, () => pending.has(id) && channel.send({ abort: id }));
      });
    },
  };
}

/** Hears when the call is ended from outside, the cheap way where there is one. */
export function onEnd(port: CallPort, listener: () => void): void {
  if (port.onEnd) port.onEnd(listener);
  else port.signal.addEventListener('abort', listener, { once: true });
}

/** The part of a port that a call takes with it. */
export function termsOf({ clientCapabilities, inputMode, answers }: CallPort): CallTerms {
  return { clientCapabilities, inputMode, answers };
}

function exitReason(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === 'SIGABRT') return 'it was aborted (SIGABRT): out of memory, or process.abort()';
  if (signal !== null) return `it was ended by the signal ${signal}`;
  return code === 0 ? 'it ended itself (exit code 0)' : `it ended with exit code ${code}`;
}

/** Passes lines on, at most a bounded number of bytes a second: who prints more has to wait. */
function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  let budget = PRINT_BYTES_A_SECOND;
  let refill: NodeJS.Timeout | undefined;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(0, MAX_PRINTED_LINE_CHARS);
    for (const line of lines) onLine(line.slice(0, MAX_PRINTED_LINE_CHARS).replace(/\r$/, ''));
    budget -= text.length;
    refill ??= setTimeout(() => {
      refill = undefined;
      budget = PRINT_BYTES_A_SECOND;
      stream.resume();
    }, 1000).unref();
    if (budget <= 0) stream.pause();
  });
  stream.on('end', () => {
    clearTimeout(refill);
    if (rest !== '') onLine(rest);
  });
  stream.on('error', () => {});
}
