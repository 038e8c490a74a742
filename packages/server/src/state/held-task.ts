import { setTimeout as delay } from 'node:timers/promises';
import { RPC_CODES, type StoredTask } from '@mortise/mcp';
import { type StateKey, type StateStore, StateTooLargeError, StateUnavailableError } from './state-store.js';

export interface HeldTaskOptions {
  readonly store: StateStore;
  readonly keepMs: number;
  readonly leaseMs: number;
  /** Where other replicas put messages for the task. */
  readonly inbox: StateKey;
  /** The channel that is told of each change of the task. */
  readonly channel: string;
  encode(stored: StoredTask): string;
  /** Returns the current state of the task, with its last progress. */
  current(): StoredTask | undefined;
  /** Called with messages that other replicas have put into the inbox. */
  received(messages: readonly string[]): void;
  /** Called when another replica has taken the task. */
  lost(): void;
  /** Called when the end of the task has been stored, or will never be. */
  ended(): void;
}

/** The pause before the end of a task is stored again, after the store could not be used. */
const RETRY_MS = 500;

/** A task that this replica runs, and its lease. Only one write runs at a time, and each stores the latest state. */
export class HeldTask {
  readonly #key: StateKey;
  readonly #options: HeldTaskOptions;
  #state: 'running' | 'ended' | 'lost' = 'running';
  /**
   * When the lease ends, on the clock of `performance.now()`. In the store the lease ends a little later, because it begins
   * there when the write arrives.
   */
  #leaseEndsAt = 0;
  #stored: StoredTask | undefined;
  /** The text that this replica stored last. */
  #storedText = '';
  #writing: Promise<void> | undefined;
  /** The write that begins after the current one, and stores all changes until then. */
  #nextWrite: Promise<void> | undefined;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(key: StateKey, options: HeldTaskOptions) {
    this.#key = key;
    this.#options = options;
  }

  /** True if no other replica can have taken the task. */
  get isLeased(): boolean {
    return this.#state !== 'lost' && performance.now() < this.#leaseEndsAt;
  }

  /** Stores the new task. @throws StateUnavailableError @throws StateTooLargeError */
  async create(stored: StoredTask): Promise<void> {
    this.#stored = stored;
    const { store, keepMs, leaseMs } = this.#options;
    const sentAt = performance.now();
    const text = this.#options.encode(stored);
    const isNew = await store.create(this.#key, text, { ttlMs: keepMs + leaseMs, leaseMs });
    this.#storedText = text;
    if (!isNew) throw new StateUnavailableError('the id of the task is taken');
    this.#leaseEndsAt = sentAt + leaseMs;
  }

  /**
   * Stores a change. If the end of the task cannot be stored, that is tried again until the task would be forgotten anyway.
   * @throws StateUnavailableError if a change before the end cannot be stored; the next renewal stores it
   */
  async write(stored: StoredTask): Promise<void> {
    if (this.#state === 'running') this.#stored = stored;
    if (stored.expiresAt === undefined) return this.renew();
    if (this.#state === 'running') this.#state = 'ended';
    try {
      await this.#writeEnd(stored.expiresAt);
    } finally {
      this.#options.ended();
    }
  }

  /** Stores the current state, extends the lease, and reads the inbox. @throws StateUnavailableError */
  renew(): Promise<void> {
    if (this.#state === 'lost') return Promise.resolve();
    if (this.#writing === undefined) {
      this.#writing = this.#writeOnce().finally(() => {
        this.#writing = undefined;
      });
      return this.#writing;
    }
    this.#nextWrite ??= this.#writing
      .catch(() => {})
      .then(() => {
        this.#nextWrite = undefined;
        return this.renew();
      });
    return this.#nextWrite;
  }

  /**
   * Ends the task, if it has not ended yet. Resolves when its end is stored, or after the deadline.
   * @param deadline on the clock of `performance.now()` @param toLost converts a task that has not ended
   */
  async settle(deadline: number, toLost: (stored: StoredTask) => StoredTask): Promise<void> {
    this.#deadline = deadline;
    if (this.#state === 'running' && this.#stored) {
      this.#stored = toLost(this.#stored);
      this.#state = 'ended';
    }
    if (this.#state === 'ended' && this.#stored) await this.#writeEnd(this.#stored.expiresAt!);
  }

  async #writeEnd(expiresAt: number): Promise<void> {
    while (this.#state === 'ended') {
      try {
        return await this.renew();
      } catch (error) {
        if (error instanceof StateTooLargeError) this.#stored = failedTask(this.#stored!, error.message);
        else if (!(error instanceof StateUnavailableError)) throw error;
        else if (Date.now() >= expiresAt || performance.now() >= this.#deadline) return;
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #writeOnce(): Promise<void> {
    const { store, leaseMs, keepMs, current, channel, inbox, received } = this.#options;
    const stored = (this.#state === 'running' ? current() : undefined) ?? this.#stored!;
    const isEnd = stored.expiresAt !== undefined;
    const lifetime = isEnd
      ? { ttlMs: Math.max(1, stored.expiresAt - Date.now()) }
      : { ttlMs: keepMs + leaseMs, leaseMs };
    const text = this.#options.encode(stored);
    const announce = text === this.#storedText ? undefined : { channel, message: '' };
    const sentAt = performance.now();
    const { status, messages } = await store.write(this.#key, FIRST_TOKEN, text, {
      ...{ ...lifetime, inbox },
      ...(announce && { announce }),
    });
    if (status === 'fenced') return this.#lose();
    if (status === 'missing') {
      // The store has forgotten the task. Nobody else can have taken it while the lease lasts.
      if (performance.now() >= this.#leaseEndsAt) return this.#lose();
      await store.create(this.#key, text, lifetime);
    }
    this.#storedText = text;
    this.#leaseEndsAt = isEnd ? 0 : sentAt + leaseMs;
    received(messages);
  }

  #lose(): void {
    this.#state = 'lost';
    this.#options.lost();
  }
}

/** Returns the task as failed, because its result cannot be stored. */
function failedTask(stored: StoredTask, message: string): StoredTask {
  const { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = stored.task;
  const error = { code: RPC_CODES.internalError, message };
  const task = {
    taskId,
    createdAt,
    lastUpdatedAt,
    ttlMs,
    pollIntervalMs,
    status: 'failed',
    statusMessage: message,
    error,
  };
  return { ...stored, task: task as StoredTask['task'] };
}

/** The token of a task that no other replica has taken over. Taking a task over raises its token. */
const FIRST_TOKEN = 1;
