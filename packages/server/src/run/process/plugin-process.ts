import type { ChildProcess } from 'node:child_process';
import { Duplex } from 'node:stream';
import { IdMap } from '@mortise/mcp/util';
import {
  type CallChannel,
  type PluginDefinition,
  type PluginLogEntry,
  type PluginResults,
  type PluginWork,
  QuestionRefusedError,
} from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { GRACE_MS, PING_MS } from '../../core/grace-period.js';
import type { RunnerCallbacks } from '../../core/plugin-runner.js';
import { checkDefinition, type DefinitionSource } from '../../plugins/load/check-definition.js';
import type { ProcessExitedError } from '../../processes/exit-reason.js';
import { type LineChannel, type LineChannelEvents, openLineChannel } from '../../processes/ndjson-channel.js';
import { MessageRateLimit } from '../../processes/rate-limits.js';
import { SupervisedChild } from '../../processes/supervised-child.js';
import { type WorkerOptions, workerCommand } from '../../processes/worker-command.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { errorMessage } from '../../util/error-message.js';
import { CallAbandonedError, onAbort } from '../shared/runner-errors.js';
import { parseFromWorker, parseLoaded, parseResult } from '../worker/parse-message.js';
import type { FromWorker, ToWorker, WorkerRequest, WorkerResponse } from '../worker/protocol.js';
import { callMeta } from './call-meta.js';
import { LivenessProbe } from './liveness-probe.js';

/** Longer progress messages are left out: no client shows them, and redacting them takes time. */
const MAX_PROGRESS_CHARS = 10_000;

export interface PluginProcessOptions extends WorkerOptions {
  /** The limits of what the process can send. */
  readonly limits: PluginLimits;
}

/** The events of a plugin's process that belong to no call. */
export interface ProcessEvents {
  onLog(entry: PluginLogEntry): void;
  /** Called for each line that the plugin or its children print. */
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  onDefinition(definition: PluginDefinition): void;
  onResourceUpdated(uri: string): void;
  onResourceListChanged(): void;
  onReload(): void;
  /** Called when the plugin asks for its settings. */
  onSettings: RunnerCallbacks['ownSettings'];
}

type LoadWork = Extract<WorkerRequest, { request: unknown }>;

interface Pending {
  work: WorkerRequest;
  resolve(value: never): void;
  reject(error: Error): void;
  channel: CallChannel | undefined;
  /** True if the result has arrived. */
  isAnswered: boolean;
}

/** One operating-system process for one plugin. `request({do: 'load'})` loads the plugin. */
export class PluginProcess {
  readonly pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  readonly ended: Promise<ProcessExitedError>;
  readonly #child: SupervisedChild;
  readonly #channel: LineChannel<ToWorker>;
  readonly #isInspected: boolean;
  #pending = new IdMap<Pending>();
  /** The ids of calls for which nobody waits. Their results are dropped, and do not count for the rate limit. */
  readonly #abandoned = new Set<number>();
  readonly #rateLimit = new MessageRateLimit();
  #events: ProcessEvents | undefined;
  /** The source of the plugin that the process was last asked to load. */
  #source: DefinitionSource = { file: '', prefix: '' };
  readonly #livenessProbe = new LivenessProbe({
    ping: () => this.request({ do: 'ping' }),
    kill: (reason) => this.kill(reason),
    ended: () => this.ended,
  });
  /** The pending check of a definition, if any. Later definitions and results of the process wait for it. */
  #checking: Promise<void> | undefined;
  readonly #env: Readonly<Record<string, string>>;
  #nextId = 1;
  #end: ProcessExitedError | undefined;

  constructor(options: PluginProcessOptions, { reaper, redactor }: { reaper: Reaper; redactor: Redactor }) {
    this.#child = new SupervisedChild({
      ...workerCommand(options),
      outputs: ['stdout', 'stderr'],
      reaper,
      // Guarding a process starts the reaper, which would delay the process. The first load guards it.
      isGuardedLater: true,
      redactor,
      onOutput: (line, stream) => this.#events?.onOutput(line, stream),
      onDropped: (message) => this.#events?.onLog({ level: 'warn', message }),
    });
    const { pid } = this.#child;
    this.#env = options.env;
    this.#isInspected = options.inspectPort !== undefined;
    this.pid = pid ?? -1;
    const events: LineChannelEvents = {
      onMessage: (value, length) => this.#receive(value, length),
      onClose: (reason) => {
        if (reason !== undefined) this.kill(reason);
        else this.#child.pipeClosed('closed its connection to the server');
      },
    };
    // If the server has run out of file descriptors, `stdio` is undefined.
    const [, , , channel] = (this.#child.process.stdio as ChildProcess['stdio'] | undefined) ?? [];
    this.#channel = openLineChannel((channel as Duplex | null | undefined) ?? deadEnd(), events, options);
    this.ended = this.#child.ended.then(async (end) => {
      // Wait for a result that is being checked, because it arrived before the end.
      await this.#checking;
      return this.#finish(end);
    });
  }

  /**
   * Sends a request and waits for its response.
   * @param channel the channel of the call, if the request is a call
   * @throws ProcessExitedError if the process ends first; CallAbandonedError if the call was aborted and its grace is over
   */
  request<W extends WorkerRequest>(work: W, channel?: CallChannel): Promise<WorkerResponse[W['do']]> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      const id = this.#nextId++;
      if ('request' in work) {
        this.#child.guard();
        this.#source = { file: work.request.entry, prefix: '', limits: work.request.limits };
      }
      const message = { id, work: 'request' in work ? this.#withoutOwnVariables(work) : work };
      this.#channel.send(message);
      this.#pending.set(id, { work, resolve: resolve as Pending['resolve'], reject, channel, isAnswered: false });
      if (channel) onAbort(channel, () => this.#abort(id));
      channel?.onTask?.(() => {
        if (this.#pending.has(id)) this.#channel.send({ task: id });
      });
    });
  }

  /** Runs a call of the plugin. @throws as {@link request} */
  run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    return this.request({ do: 'run', work, meta: callMeta(channel) }, channel) as Promise<PluginResults[W['do']]>;
  }

  /** True if this environment has all variables that the process was started with, with the same values. */
  canServe(environment: Readonly<Record<string, string>>): boolean {
    return Object.entries(this.#env).every(([name, value]) => environment[name] === value);
  }

  /** Returns the request without the variables that the process was started with. */
  #withoutOwnVariables({ do: kind, request }: LoadWork): WorkerRequest {
    const added = Object.entries(request.environment).filter(([name]) => this.#env[name] === undefined);
    return { do: kind, request: { ...request, environment: Object.fromEntries(added) } };
  }

  /** The pending liveness probe, if any. Resolves when the process has answered or ended. */
  get livenessProbe(): Promise<void> | undefined {
    return this.#livenessProbe.pending;
  }

  /** True if the process has not answered a liveness probe in time. */
  get isBlocked(): boolean {
    return this.#livenessProbe.isOverdue;
  }

  /** Sets the receiver of events that belong to no call. */
  listen(events: ProcessEvents): void {
    this.#events = events;
  }

  /** Kills the process and its descendants immediately. Running calls end with this reason. */
  kill(reason: string): void {
    if (this.#end) return;
    this.#child.kill(reason);
    this.#channel.close();
  }

  #abort(id: number): void {
    if (!this.#pending.has(id)) return;
    this.#channel.send({ abort: id });
    this.#probe(GRACE_MS + PING_MS);
    setTimeout(() => this.#abandon(id), GRACE_MS).unref();
  }

  #abandon(id: number): void {
    const call = this.#pending.get(id);
    if (!call) return;
    this.#pending.delete(id);
    if (!call.isAnswered) this.#abandoned.add(id);
    call.reject(new CallAbandonedError('The call did not stop after it was cancelled'));
    this.#probe(PING_MS);
  }

  /** Kills the process if it does not answer a ping in time, because it would not react to an abort either. */
  #probe(timeoutMs: number): void {
    if (!this.#isInspected) this.#livenessProbe.start(timeoutMs);
  }

  #receive(value: unknown, length: number): void {
    const message = parseFromWorker(value);
    if (!message) this.kill('it sent an invalid message');
    else if ('done' in message && this.#settle(message)) return;
    else if (!this.#rateLimit.tryTake(length)) this.kill('it exceeded the message rate limit');
    else if ('progress' in message) this.#progress(message);
    else if ('log' in message) this.#log(message, length);
    else if ('ask' in message) void this.#ask(message);
    else if ('elicited' in message) this.#pending.get(message.id)?.channel?.completeElicitation?.(message.elicited);
    else if ('definition' in message) this.#inOrder(() => this.#define(message));
    else if ('resourceUpdated' in message) this.#events?.onResourceUpdated(message.resourceUpdated);
    else if ('resourceListChanged' in message) this.#events?.onResourceListChanged();
    else if ('settings' in message) void this.#sendSettings(message);
    else if ('reload' in message) this.#events?.onReload();
  }

  /** @returns true if the result was expected, so that it does not count for the rate limit */
  #settle({ done, value }: Extract<FromWorker, { done: number }>): boolean {
    const pending = this.#pending.get(done);
    if (!pending) return this.#abandoned.delete(done);
    if (pending.isAnswered) return false;
    pending.isAnswered = true;
    const { work } = pending;
    if ('request' in work) this.#inOrder(() => this.#resolveLoad(done, pending, work, value));
    else if (work.do === 'ping') this.#resolve(done, pending, parseResult(work, value));
    else this.#inOrder(() => this.#resolve(done, pending, parseResult(work, value)));
    return true;
  }

  async #resolveLoad(id: number, pending: Pending, work: LoadWork, value: unknown): Promise<void> {
    const known = work.do === 'load' ? work.known : undefined;
    const loaded = await parseLoaded(value, known, this.#source);
    if (!this.#end) this.#resolve(id, pending, loaded);
  }

  /** @param result undefined if the value is not a result of this request */
  #resolve(id: number, pending: Pending, result: unknown): void {
    if (result === undefined) {
      this.kill('it sent an invalid result');
      return;
    }
    this.#pending.delete(id);
    pending.resolve(result as never);
  }

  async #define({ definition }: Extract<FromWorker, { definition: PluginDefinition }>): Promise<void> {
    const checked = await checkDefinition(definition, this.#source);
    if (!this.#end) this.#events?.onDefinition(checked);
  }

  /** Runs work in the order of the messages: if a call changes the definition, the change is handled before its result. */
  #inOrder(work: () => void | Promise<void>): void {
    const checking = this.#checking ? this.#checking.then(work) : work();
    if (!checking) return;
    this.#checking = checking;
    void checking.then(() => {
      if (this.#checking === checking) this.#checking = undefined;
    });
  }

  #progress({ progress, report: { message, ...amount } }: Extract<FromWorker, { progress: number }>): void {
    const isShown = message !== undefined && message.length <= MAX_PROGRESS_CHARS;
    this.#pending.get(progress)?.channel?.progress({ ...amount, ...(isShown && { message }) });
  }

  #log({ id, log }: Extract<FromWorker, { log: unknown }>, length: number): void {
    if (!this.#child.tryLog(length)) return;
    const channel = id === undefined ? undefined : this.#pending.get(id)?.channel;
    if (channel) channel.log(log);
    else this.#events?.onLog(log);
  }

  async #ask({ ask: answered, id, requests }: Extract<FromWorker, { ask: unknown }>): Promise<void> {
    try {
      const channel = this.#pending.get(id)?.channel;
      if (!channel) throw new Error('The call has ended');
      this.#channel.send({ answered, answers: await channel.requestInput(requests) });
    } catch (error) {
      if (error instanceof QuestionRefusedError) this.#channel.send({ answered, refused: error.errors });
      else this.#channel.send({ answered, rejected: errorMessage(error) });
    }
  }

  async #sendSettings({ settings: given, request }: Extract<FromWorker, { settings: number }>): Promise<void> {
    const answer = await this.#events?.onSettings(request);
    if (answer && !this.#end) this.#channel.send({ given, answer });
  }

  #finish(end: ProcessExitedError): ProcessExitedError {
    this.#end = end;
    this.#channel.close();
    const pending = this.#pending.values();
    this.#pending = new IdMap();
    for (const { reject } of pending) reject(end);
    return end;
  }
}

/** Returns a stream that replaces the channel of a process that could not be started. */
function deadEnd(): Duplex {
  return new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
}
