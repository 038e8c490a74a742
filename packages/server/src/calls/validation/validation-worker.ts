import { Worker } from 'node:worker_threads';
import { stringifyLarge } from '@mortise/mcp/util';
import type { JsonSchema } from '@mortise/plugin';
import type { CallChannel } from '@mortise/plugin/runtime';
import type { Runner } from '../../core/plugin-runner.js';
import type { Tool } from '../../core/snapshot.js';
import { onAbort } from '../../runners/shared/runner-errors.js';
import { bundlePath } from '../../util/package-root.js';
import { type CHECKS, type Phase, whyNotValid } from './validate-arguments.js';
import type { ActionRules } from './violations.js';

/** How long each phase of a check may take, in milliseconds. */
export const MAX_PHASE_MS: Readonly<Record<Phase, number>> = { read: 5_000, check: 1_000, compile: 5_000 };
/** A thread that has had nothing to do for this long is ended, in milliseconds. */
const IDLE_MS = 10_000;
/** A compiled schema is kept for this many times the time that compiling took. */
const MAX_TIMES = 100;
/** The limit of its heap, in MB. */
const MAX_HEAP_MB = 256;

const MAIN = bundlePath('validation-worker-main.js');

export interface CheckRequest {
  readonly check: keyof typeof CHECKS;
  readonly schemaNumber: number;
  /** There when its number is new. */
  readonly schema?: JsonSchema;
  /** The JSON text of what is checked. */
  readonly json: string;
  readonly rules?: ActionRules | undefined;
}

/** Why a check came to no end, and what it was doing then. */
export interface CheckFailure {
  readonly failed: string;
  readonly in: Phase;
}

export type CheckAnswer = { readonly found: unknown } | CheckFailure;

type FromThread = CheckAnswer | Exclude<Phase, 'read'> | 'ready';

export interface Check extends Pick<CheckRequest, 'check' | 'rules'> {
  readonly plugin: Pick<Tool, 'path' | 'runner'>;
  readonly value: unknown;
  readonly schema: JsonSchema;
}

export interface Job extends Check {
  readonly channel: CallChannel;
  settle(answer: CheckAnswer): void;
}

/** A thread for checks, which runs while it is needed. It does one check at a time, and takes the plugins in turn. */
export class CheckThread {
  #worker: Worker | undefined;
  #isReady = false;
  #sentAt = new Map<JsonSchema, number>();
  #current: Job | undefined;
  /** The waiting jobs of each plugin, in order. The plugin at the front has the next turn. */
  readonly #waiting = new Map<Runner, Job[]>();
  #timer: NodeJS.Timeout | undefined;
  /** The phase of the current validation, its start, and the remaining time for each phase. */
  #phase: Phase = 'read';
  #phaseSince = 0;
  #leftMs = { ...MAX_PHASE_MS };
  /** When the time for all phases is over. */
  #endsAt = 0;
  /** How long its schemas took to compile, in milliseconds. */
  #compiledMs = 0;
  /** Schemas that cannot be compiled within the limits: it is not tried again. */
  readonly #rejected = new WeakMap<JsonSchema, CheckFailure>();

  /**
   * @param maxMs how long a check may take, all phases together
   * @param handOver takes all jobs of a plugin whose check took too much time or memory; by default that check fails
   */
  constructor(
    private readonly maxMs = Number.POSITIVE_INFINITY,
    private readonly handOver?: (plugin: Check['plugin'], jobs: readonly Job[]) => void,
  ) {}

  /** Never rejects. @param channel of the call that it is for: when that is over, so is this */
  run(check: Check, channel: CallChannel): Promise<CheckAnswer> {
    return new Promise((settle) => {
      const job = { ...check, channel, settle };
      const jobs = this.#waiting.get(check.plugin.runner);
      if (jobs) jobs.push(job);
      else this.#waiting.set(check.plugin.runner, [job]);
      onAbort(channel, () => this.#abandon(job));
      this.#next();
    });
  }

  /** Those that are not done have failed. */
  close(): void {
    const jobs = [this.#current, ...this.#waiting.values()].flat();
    this.#current = undefined;
    this.#waiting.clear();
    this.#end();
    for (const job of jobs) job?.settle({ failed: 'the server is shutting down', in: 'check' });
  }

  /** One that has begun runs on: it has its limit. */
  #abandon(job: Job): void {
    const { runner } = job.plugin;
    const others = this.#waiting.get(runner)?.filter((waiting) => waiting !== job) ?? [];
    if (others.length > 0) this.#waiting.set(runner, others);
    else this.#waiting.delete(runner);
    job.settle({ failed: 'the call was ended', in: 'check' });
  }

  #next(): void {
    if (this.#current || this.#waiting.size === 0) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    this.#current = this.#takeTurn()!;
    const { check, value, schema, rules } = this.#current;
    const rejection = this.#rejected.get(schema);
    if (rejection) {
      this.#answer(rejection);
      return;
    }
    const sentId = this.#sentAt.get(schema);
    const schemaNumber = sentId ?? this.#sentAt.size;
    this.#sentAt.set(schema, schemaNumber);
    this.#leftMs = { ...MAX_PHASE_MS };
    this.#endsAt = performance.now() + this.maxMs;
    this.#begin('read');
    try {
      const json = stringifyLarge(value);
      const request: CheckRequest = { check, json, rules, schemaNumber, ...(sentId === undefined && { schema }) };
      this.#worker.postMessage(request);
    } catch (error) {
      if (sentId === undefined) this.#sentAt.delete(schema);
      this.#answer({ failed: whyNotValid(error), in: 'check' });
    }
  }

  /** The first job of the plugin at the front, which goes to the end if it has more. */
  #takeTurn(): Job | undefined {
    for (const [runner, [job, ...others]] of this.#waiting) {
      this.#waiting.delete(runner);
      if (others.length > 0) this.#waiting.set(runner, others);
      return job;
    }
    return undefined;
  }

  #start(): Worker {
    const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.unref();
    worker.on('message', (message: FromThread) => {
      if (worker !== this.#worker) return;
      if (message === 'compile' || message === 'check') return this.#enter(message);
      if (message !== 'ready') return this.#answer(message);
      this.#isReady = true;
      this.#next();
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      // One that does not start fails what waits for it.
      this.#current ??= this.#takeTurn();
      const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(isOutOfMemory ? this.#tookMoreThan(`${MAX_HEAP_MB} MB of memory`) : error.message);
    });
    return worker;
  }

  /** The current check does something else now. */
  #enter(phase: Phase): void {
    const tookMs = performance.now() - this.#phaseSince;
    this.#leftMs[this.#phase] -= tookMs;
    if (this.#phase === 'compile') this.#compiledMs += tookMs;
    this.#begin(phase);
  }

  #begin(phase: Phase): void {
    this.#phase = phase;
    this.#phaseSince = performance.now();
    const leftMs = Math.min(this.#leftMs[phase], this.#endsAt - this.#phaseSince);
    this.#wake(leftMs, () => this.#fail(this.#tookMoreThan(`${MAX_PHASE_MS[phase] / 1000} s`)));
  }

  #tookMoreThan(limit: string): string {
    return `${this.#phase === 'compile' ? 'compiling it' : 'it'} took more than ${limit}`;
  }

  /** The current check has ended with this answer. */
  #answer(answer: CheckAnswer): void {
    const job = this.#current;
    this.#current = undefined;
    this.#wake(Math.max(IDLE_MS, MAX_TIMES * this.#compiledMs), () => this.#end());
    job?.settle(answer);
    this.#next();
  }

  #fail(reason: string): void {
    const job = this.#current;
    this.#current = undefined;
    this.#end();
    const failure: CheckFailure = { failed: reason, in: this.#phase };
    if (job && this.handOver) {
      const jobs = [job, ...(this.#waiting.get(job.plugin.runner) ?? [])];
      this.#waiting.delete(job.plugin.runner);
      const isWanted = ({ channel }: Job) => !channel.signal.aborted;
      this.handOver(job.plugin, jobs.filter(isWanted));
    } else if (job) {
      if (failure.in === 'compile') this.#rejected.set(job.schema, failure);
      job.settle(failure);
    }
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#sentAt = new Map();
    this.#compiledMs = 0;
  }

  #wake(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, Math.max(0, ms)).unref();
  }
}
