import { Worker } from 'node:worker_threads';
import { stringifyLarge } from '@mortise/mcp/util';
import type { JsonSchema } from '@mortise/plugin';
import type { CallChannel } from '@mortise/plugin/runtime';
import { onAbort } from '../../runners/shared/runner-errors.js';
import { bundlePath } from '../../util/package-root.js';
import { type CHECKS, type Phase, whyNotValid } from './validate-arguments.js';

/** How long one check may take, and apart from it reading the value and compiling the schema, in milliseconds. */
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
}

/** Why a check came to no end, and what it was doing then. */
export interface CheckFailure {
  readonly failed: string;
  readonly in: Phase;
}

export type CheckAnswer = { readonly found: unknown } | CheckFailure;

type FromThread = CheckAnswer | Exclude<Phase, 'read'> | 'ready';

export interface Check extends Pick<CheckRequest, 'check'> {
  readonly value: unknown;
  readonly schema: JsonSchema;
}

interface Job extends Check {
  settle(answer: CheckAnswer): void;
}

/** A thread for the validations of one plugin, one at a time; it runs while it is needed. */
export class CheckThread {
  #worker: Worker | undefined;
  #isReady = false;
  #sentAt = new Map<JsonSchema, number>();
  #current: Job | undefined;
  readonly #waiting: Job[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** The phase of the current validation, its start, and the remaining time for each phase. */
  #phase: Phase = 'read';
  #phaseSince = 0;
  #leftMs = { ...MAX_PHASE_MS };
  /** How long its schemas took to compile, in milliseconds. */
  #compiledMs = 0;
  /** Schemas that cannot be compiled within the limits: it is not tried again. */
  readonly #rejected = new WeakMap<JsonSchema, CheckFailure>();

  /** Never rejects. @param channel of the call that it is for: when that is over, so is this */
  run(check: Check, channel: CallChannel): Promise<CheckAnswer> {
    return new Promise((settle) => {
      const job = { ...check, settle };
      this.#waiting.push(job);
      onAbort(channel, () => this.#abandon(job));
      this.#next();
    });
  }

  /** Those that are not done have failed. */
  close(): void {
    const failure: CheckFailure = { failed: 'the server is shutting down', in: 'check' };
    for (const job of this.#waiting.splice(0)) job.settle(failure);
    this.#end();
    this.#settle(failure);
    clearTimeout(this.#timer);
  }

  /** One that has begun runs on: it has its limit. */
  #abandon(job: Job): void {
    const path = this.#waiting.indexOf(job);
    if (path >= 0) this.#waiting.splice(path, 1);
    job.settle({ failed: 'the call was ended', in: 'check' });
  }

  #next(): void {
    if (this.#current) return;
    this.#rejectKnownFailures();
    if (this.#waiting.length === 0) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    this.#current = this.#waiting.shift()!;
    const { check, value, schema } = this.#current;
    const sentId = this.#sentAt.get(schema);
    const schemaNumber = sentId ?? this.#sentAt.size;
    this.#sentAt.set(schema, schemaNumber);
    this.#leftMs = { ...MAX_PHASE_MS };
    this.#begin('read');
    try {
      const json = stringifyLarge(value);
      const request: CheckRequest = { check, json, schemaNumber, ...(sentId === undefined && { schema }) };
      this.#worker.postMessage(request);
    } catch (error) {
      if (sentId === undefined) this.#sentAt.delete(schema);
      this.#settle({ failed: whyNotValid(error), in: 'check' });
      this.#next();
    }
  }

  /** Those at the front of the queue whose schema is refused already. */
  #rejectKnownFailures(): void {
    const rejectionOf = (job: Job | undefined) => job && this.#rejected.get(job.schema);
    for (let rejection = rejectionOf(this.#waiting[0]); rejection; rejection = rejectionOf(this.#waiting[0]))
      this.#waiting.shift()!.settle(rejection);
  }

  #start(): Worker {
    const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.unref();
    worker.on('message', (message: FromThread) => {
      if (worker !== this.#worker) return;
      if (message === 'compile' || message === 'check') return this.#enter(message);
      if (message === 'ready') this.#isReady = true;
      else this.#settle(message);
      this.#next();
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      // One that does not start fails what waits for it.
      this.#current ??= this.#waiting.shift();
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
    this.#wake(this.#leftMs[phase], () => this.#fail(this.#tookMoreThan(`${MAX_PHASE_MS[phase] / 1000} s`)));
  }

  #tookMoreThan(limit: string): string {
    return `${this.#phase === 'compile' ? 'compiling it' : 'it'} took more than ${limit}`;
  }

  #settle(answer: CheckAnswer): void {
    const job = this.#current;
    this.#current = undefined;
    this.#wake(Math.max(IDLE_MS, MAX_TIMES * this.#compiledMs), () => this.#end());
    job?.settle(answer);
  }

  #fail(reason: string): void {
    const failure: CheckFailure = { failed: reason, in: this.#phase };
    if (this.#current && failure.in === 'compile') this.#rejected.set(this.#current.schema, failure);
    this.#end();
    this.#settle(failure);
    clearTimeout(this.#timer);
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
