import { Worker } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import { bundlePath } from '../../util/package-root.js';
import { SlotQueue } from '../../util/slot-queue.js';
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
  /** Whether the thread says when the next phase begins: each message costs time. */
  readonly reportsPhases: boolean;
}

/** Why a check came to no end, and what it was doing then. */
export interface CheckFailure {
  readonly failed: string;
  readonly in: Phase;
  /** The check took more than its limits, so that its thread had to be ended. */
  readonly endedThread?: true;
}

export const CALL_ENDED: CheckFailure = { failed: 'the call was ended', in: 'check' };
const CLOSED: CheckFailure = { failed: 'the server is shutting down', in: 'check' };

export type CheckAnswer = { readonly found: unknown } | CheckFailure;

type FromThread = CheckAnswer | Exclude<Phase, 'read'> | 'ready';

export interface Check extends Pick<CheckRequest, 'check' | 'rules'> {
  readonly value: unknown;
  readonly schema: JsonSchema;
}

/** A thread for checks, one at a time; it runs while it is needed. */
export class CheckThread {
  readonly #turns = new SlotQueue({ maxRunning: 1 });
  #worker: Worker | undefined;
  #isReady = false;
  #isClosed = false;
  #sentAt = new Map<JsonSchema, number>();
  /** Ends the current check. */
  #settle: ((answer: CheckAnswer) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The limit for all phases of the current check together, if there is one. */
  #maxMs: number | undefined;
  /** The phase of the current check, its start, and the remaining time for each phase. */
  #phase: Phase = 'read';
  #phaseSince = 0;
  #leftMs = { ...MAX_PHASE_MS };
  /** How long its schemas took to compile, in milliseconds. */
  #compiledMs = 0;
  /** Schemas that cannot be compiled within the limits: it is not tried again. */
  readonly #rejected = new WeakMap<JsonSchema, CheckFailure>();

  /** Never rejects. @param signal a check that has not begun when it fires is left out. @param maxMs for all phases together, in place of MAX_PHASE_MS */
  run(check: Check, signal: AbortSignal, maxMs?: number): Promise<CheckAnswer> {
    return this.#turns.run(async () => {
      if (signal.aborted) return CALL_ENDED;
      if (this.#isClosed) return CLOSED;
      const answer = this.#rejected.get(check.schema) ?? (await this.#send(check, maxMs));
      if ('failed' in answer && answer.endedThread && answer.in === 'compile') this.#rejected.set(check.schema, answer);
      return answer;
    });
  }

  /** Checks that have not ended fail. */
  close(): void {
    this.#isClosed = true;
    this.#answer(CLOSED);
    this.#end();
  }

  #send({ check, value, schema, rules }: Check, maxMs: number | undefined): Promise<CheckAnswer> {
    return new Promise((settle) => {
      this.#settle = settle;
      this.#maxMs = maxMs;
      this.#leftMs = { ...MAX_PHASE_MS };
      clearTimeout(this.#timer);
      this.#worker ??= this.#start();
      const sentId = this.#sentAt.get(schema);
      const schemaNumber = sentId ?? this.#sentAt.size;
      try {
        const json = JSON.stringify(value);
        const request = { check, json, rules, schemaNumber, reportsPhases: maxMs === undefined };
        this.#worker.postMessage({ ...request, ...(sentId === undefined && { schema }) } satisfies CheckRequest);
        this.#sentAt.set(schema, schemaNumber);
        if (this.#isReady) this.#begin('read');
      } catch (error) {
        this.#answer({ failed: whyNotValid(error), in: 'check' });
      }
    });
  }

  #start(): Worker {
    const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.unref();
    worker.on('message', (message: FromThread) => {
      if (worker !== this.#worker) return;
      if (message === 'compile' || message === 'check') return this.#enter(message);
      if (message !== 'ready') return this.#answer(message);
      this.#isReady = true;
      if (this.#settle) this.#begin('read');
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
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
    this.#wake(this.#maxMs ?? this.#leftMs[phase], () =>
      this.#fail(this.#tookMoreThan(`${MAX_PHASE_MS[phase] / 1000} s`)),
    );
  }

  #tookMoreThan(limit: string): string {
    return `${this.#phase === 'compile' ? 'compiling it' : 'it'} took more than ${limit}`;
  }

  #fail(reason: string): void {
    this.#end();
    this.#answer({ failed: reason, in: this.#phase, endedThread: true });
  }

  #answer(answer: CheckAnswer): void {
    this.#wake(Math.max(IDLE_MS, MAX_TIMES * this.#compiledMs), () => this.#end());
    this.#settle?.(answer);
    this.#settle = undefined;
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
