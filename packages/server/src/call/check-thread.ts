import { Worker } from 'node:worker_threads';
import type { JsonSchema } from '@mortise/plugin';
import type { CallPort } from '@mortise/plugin/host';
import { onEnd } from '../runners/endings.js';
import { type CHECKS, whyFailed } from './validate.js';

/** How long one check may take, in milliseconds. */
export const MAX_CHECK_MS = 1_000;
/** A thread that has had nothing to do for this long is ended, in milliseconds. */
const IDLE_MS = 10_000;
/** Of its heap, in MB. */
const MAX_HEAP_MB = 256;

const MAIN = new URL('./check-thread-main.js', import.meta.url);

export interface CheckRequest {
  readonly check: keyof typeof CHECKS;
  readonly schemaNumber: number;
  /** There when its number is new. */
  readonly schema?: JsonSchema;
  readonly value: unknown;
}

/** What a check found, or why it came to no end. */
export type CheckAnswer = { readonly found: unknown } | { readonly failed: string };

export interface Check extends Pick<CheckRequest, 'check' | 'value'> {
  readonly schema: JsonSchema;
}

interface Job extends Check {
  settle(answer: CheckAnswer): void;
}

/** A thread for the checks of one plugin, one after another; it is there while it is needed. */
export class CheckThread {
  #worker: Worker | undefined;
  #isReady = false;
  #sent = new Map<JsonSchema, number>();
  #current: Job | undefined;
  readonly #waiting: Job[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Never rejects. @param port of the call that it is for: when that is over, so is this */
  run(check: Check, port: CallPort): Promise<CheckAnswer> {
    return new Promise((settle) => {
      const job = { ...check, settle };
      this.#waiting.push(job);
      onEnd(port, () => this.#abandon(job));
      this.#next();
    });
  }

  /** Those that are not done have failed. */
  close(): void {
    for (const job of this.#waiting.splice(0)) job.settle({ failed: 'the server ends' });
    this.#fail('the server ends');
  }

  /** One that has begun runs on: it has its limit. */
  #abandon(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
    job.settle({ failed: 'the call was ended' });
  }

  #next(): void {
    if (this.#current || this.#waiting.length === 0) return;
    this.#worker ??= this.#start();
    if (!this.#isReady) return;
    this.#current = this.#waiting.shift()!;
    const { check, value, schema } = this.#current;
    const known = this.#sent.get(schema);
    const schemaNumber = known ?? this.#sent.size;
    this.#sent.set(schema, schemaNumber);
    this.#wake(MAX_CHECK_MS, () => this.#fail(`it took more than ${MAX_CHECK_MS / 1000} s`));
    const request: CheckRequest = { check, value, schemaNumber, ...(known === undefined && { schema }) };
    try {
      this.#worker.postMessage(request);
    } catch (error) {
      if (known === undefined) this.#sent.delete(schema);
      this.#settle({ failed: whyFailed(error) });
      this.#next();
    }
  }

  #start(): Worker {
    const worker = new Worker(MAIN, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
    worker.unref();
    worker.on('message', (message: CheckAnswer | 'ready') => {
      if (worker !== this.#worker) return;
      if (message === 'ready') this.#isReady = true;
      else this.#settle(message);
      this.#next();
    });
    worker.on('error', (error) => {
      if (worker !== this.#worker) return;
      // One that does not start fails what waits for it.
      this.#current ??= this.#waiting.shift();
      this.#fail(error.message);
    });
    return worker;
  }

  #settle(answer: CheckAnswer): void {
    const job = this.#current;
    this.#current = undefined;
    this.#wake(IDLE_MS, () => this.#end());
    job?.settle(answer);
  }

  #fail(reason: string): void {
    this.#end();
    this.#settle({ failed: reason });
    clearTimeout(this.#timer);
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#timer);
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#sent = new Map();
  }

  #wake(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms).unref();
  }
}
