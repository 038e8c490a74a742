import { Worker } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import { bundlePath } from '../../util/package-root.js';
import { SlotQueue } from '../../util/slot-queue.js';
import { type CHECKS, type Phase, validationFailure } from './validate-arguments.js';
import type { ActionRules } from './violations.js';

/** The time limit of each phase of a check. */
export const MAX_PHASE_MS: Readonly<Record<Phase, number>> = { read: 5_000, check: 1_000, compile: 5_000 };
/** An idle thread is ended after this time, or later if its schemas took long to compile ({@link IDLE_PER_COMPILE}). */
const IDLE_MS = 10_000;
/** An idle thread is kept for at least this many times the time that compiling its schemas took. */
const IDLE_PER_COMPILE = 100;
const MAX_HEAP_MB = 256;

const MAIN = bundlePath('validation-worker-main.js');

export interface CheckRequest {
  readonly check: keyof typeof CHECKS;
  readonly schemaNumber: number;
  /** Sent with the first request that has this number. */
  readonly schema?: JsonSchema;
  /** The value to check, as JSON. */
  readonly json: string;
  readonly rules?: ActionRules | undefined;
  /** True if each phase has its own limit, so the thread must report when a phase begins. */
  readonly reportsPhases: boolean;
}

/** A check that has no result, and the phase in which it failed. */
export interface CheckFailure {
  /** The reason, a clause. */
  readonly failed: string;
  readonly in: Phase;
  /** Set if the check exceeded a limit, so that its thread was ended. */
  readonly endedThread?: true;
}

export const CALL_ENDED: CheckFailure = { failed: 'the call was ended', in: 'check' };
const CLOSED: CheckFailure = { failed: 'the server is shutting down', in: 'check' };

export type CheckAnswer = { readonly found: unknown } | CheckFailure;

/** Tells the thread to forget the schema with this number, because no check will use it again. */
export interface ForgetRequest {
  readonly forget: number;
}

type ThreadMessage = CheckAnswer | Exclude<Phase, 'read'> | 'ready';

export interface Check extends Pick<CheckRequest, 'check' | 'rules'> {
  readonly value: unknown;
  readonly schema: JsonSchema;
}

/** A thread that runs one check at a time. It is started when it is needed, and ended when it is idle. */
export class CheckThread {
  readonly #turns = new SlotQueue({ maxRunning: 1 });
  #worker: Worker | undefined;
  #isReady = false;
  #isClosed = false;
  /** The numbers of the schemas that the thread has received. */
  #schemaNumbers = new WeakMap<JsonSchema, number>();
  #schemaCount = 0;
  /**
   * Makes the thread forget a schema when it is garbage here. A plugin that is loaded again has new schemas, and a thread
   * that is never idle would keep all the old ones.
   */
  #collectedSchemas: FinalizationRegistry<number> | undefined;
  #settle: ((answer: CheckAnswer) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The time limit of all phases of the current check together, which replaces the limits of the phases. */
  #maxMs: number | undefined;
  #phase: Phase = 'read';
  #phaseStartedAt = 0;
  #remainingMs = { ...MAX_PHASE_MS };
  /** The time that compiling the thread's schemas took. */
  #compileMs = 0;
  /** The failures of schemas that cannot be compiled within the limits. They are not compiled again. */
  readonly #rejectedSchemas = new WeakMap<JsonSchema, CheckFailure>();

  /**
   * Never rejects.
   * @param signal prevents the start of the check after it has fired
   * @param maxMs the limit of all phases together, which replaces MAX_PHASE_MS
   */
  run(check: Check, signal: AbortSignal, maxMs?: number): Promise<CheckAnswer> {
    return this.#turns.run(async () => {
      if (signal.aborted) return CALL_ENDED;
      if (this.#isClosed) return CLOSED;
      const answer = this.#rejectedSchemas.get(check.schema) ?? (await this.#send(check, maxMs));
      if ('failed' in answer && answer.endedThread && answer.in === 'compile')
        this.#rejectedSchemas.set(check.schema, answer);
      return answer;
    });
  }

  /** Ends the thread. Checks that have not ended fail. */
  close(): void {
    this.#isClosed = true;
    this.#answer(CLOSED);
    this.#endThread();
  }

  #send({ check, value, schema, rules }: Check, maxMs: number | undefined): Promise<CheckAnswer> {
    return new Promise((settle) => {
      this.#settle = settle;
      this.#maxMs = maxMs;
      this.#remainingMs = { ...MAX_PHASE_MS };
      clearTimeout(this.#timer);
      this.#worker ??= this.#startThread();
      const knownNumber = this.#schemaNumbers.get(schema);
      const schemaNumber = knownNumber ?? this.#schemaCount;
      try {
        const json = JSON.stringify(value);
        const request = { check, json, rules, schemaNumber, reportsPhases: maxMs === undefined };
        this.#worker.postMessage({ ...request, ...(knownNumber === undefined && { schema }) } satisfies CheckRequest);
        if (knownNumber === undefined) this.#keepNumber(schema);
        if (this.#isReady) this.#startPhase('read');
      } catch (error) {
        this.#answer({ failed: validationFailure(error), in: 'check' });
      }
    });
  }

  #keepNumber(schema: JsonSchema): void {
    this.#schemaNumbers.set(schema, this.#schemaCount);
    this.#collectedSchemas!.register(schema, this.#schemaCount);
    this.#schemaCount += 1;
  }

  #startThread(): Worker {
    const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    this.#collectedSchemas = new FinalizationRegistry((number) =>
      worker.postMessage({ forget: number } satisfies ForgetRequest),
    );
    worker.unref();
    worker.on('message', (message: ThreadMessage) => {
      if (worker !== this.#worker) return;
      if (message === 'compile' || message === 'check') return this.#changePhase(message);
      if (message !== 'ready') return this.#answer(message);
      this.#isReady = true;
      if (this.#settle) this.#startPhase('read');
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      const isOutOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#fail(isOutOfMemory ? this.#tookMoreThan(`${MAX_HEAP_MB} MB of memory`) : error.message);
    });
    return worker;
  }

  #changePhase(phase: Phase): void {
    const phaseMs = performance.now() - this.#phaseStartedAt;
    this.#remainingMs[this.#phase] -= phaseMs;
    if (this.#phase === 'compile') this.#compileMs += phaseMs;
    this.#startPhase(phase);
  }

  #startPhase(phase: Phase): void {
    this.#phase = phase;
    this.#phaseStartedAt = performance.now();
    this.#setTimer(this.#maxMs ?? this.#remainingMs[phase], () =>
      this.#fail(this.#tookMoreThan(`${MAX_PHASE_MS[phase] / 1000} s`)),
    );
  }

  #tookMoreThan(limit: string): string {
    return `${this.#phase === 'compile' ? 'compiling it' : 'it'} took more than ${limit}`;
  }

  #fail(reason: string): void {
    this.#endThread();
    this.#answer({ failed: reason, in: this.#phase, endedThread: true });
  }

  #answer(answer: CheckAnswer): void {
    this.#setTimer(Math.max(IDLE_MS, IDLE_PER_COMPILE * this.#compileMs), () => this.#endThread());
    this.#settle?.(answer);
    this.#settle = undefined;
  }

  #endThread(): void {
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#schemaNumbers = new WeakMap();
    this.#schemaCount = 0;
    this.#collectedSchemas = undefined;
    this.#compileMs = 0;
  }

  /** Replaces the one timer: the time limit of a phase, or the idle time. */
  #setTimer(ms: number, onTime: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(onTime, Math.max(0, ms)).unref();
  }
}
