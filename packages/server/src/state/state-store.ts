/** The key of an entry. All keys of a group are on the same server of a cluster. */
export interface StateKey {
  /** For example `task:<id>`. Must not contain braces. */
  readonly group: string;
  readonly name: string;
}

export interface StateEntry {
  readonly value: string;
  /** Raised whenever the entry is taken over. Only a writer that knows the token can write. */
  readonly token: number;
  /** True if the entry was created or written with `leaseMs`, and that time is not over. */
  readonly isLeased: boolean;
}

/** A message that is sent together with a change of the store, and only if the store makes the change. */
export interface Announcement {
  readonly channel: string;
  readonly message: string;
}

export interface Lifetime {
  /** The entry is deleted after this time, unless it is written again. */
  readonly ttlMs: number;
  /** Nobody can take the entry over before this time has passed. Default: 0, which means that nobody ever can. */
  readonly leaseMs?: number;
}

export interface WriteOptions extends Lifetime {
  /** A list of the entry's group that the write reads and removes. */
  readonly inbox?: StateKey;
  readonly announce?: Announcement;
}

export interface TakeOverOptions {
  readonly ttlMs: number;
  /** The time that the writer has to renew its lease, after the first attempt to take the entry over. */
  readonly doubtMs: number;
  readonly announce?: Announcement;
}

export interface AppendOptions {
  readonly ttlMs: number;
  readonly announce?: Announcement;
}

export interface CollectionBounds {
  /** The value is removed from the collection after this time. It must be the same for all values of a collection. */
  readonly ttlMs: number;
  /** The limit of the characters of all values together. */
  readonly maxChars: number;
}

/** A token bucket, which limits a rate and allows bursts. */
export interface Bucket {
  /** The number of tokens of a full bucket. */
  readonly size: number;
  /** The number of tokens that come back in a second. */
  readonly perSecond: number;
}

export interface WriteResult {
  /** `fenced`: the entry was taken over, so nothing was written. `missing`: the entry no longer exists. */
  readonly status: 'written' | 'fenced' | 'missing';
  /** The values of the inbox, if the entry was written. */
  readonly messages: readonly string[];
}

/**
 * Keeps the state that several replicas share (docs/spec/shared.md#entries). Times are measured by the store's clock.
 * Each method is one atomic operation.
 * @throws StateUnavailableError from each method, if the store cannot be used now
 * @throws StateTooLargeError from each method that writes a value
 */
export interface StateStore {
  get(key: StateKey): Promise<StateEntry | undefined>;
  /** Creates an entry, with token 1. @returns false if the entry exists */
  create(key: StateKey, value: string, lifetime: Lifetime): Promise<boolean>;
  /** Replaces an entry whose token is this one. */
  write(key: StateKey, token: number, value: string, options: WriteOptions): Promise<WriteResult>;
  /**
   * Replaces an entry whose token is this one and whose lease is over, and raises the token, so that the previous writer
   * can write nothing more. The first attempt after the end of a lease only notes that the entry is in doubt, and keeps
   * the entry for `ttlMs` after `doubtMs`. An attempt after `doubtMs` succeeds, unless the writer has renewed its lease.
   * @returns true if the entry was replaced
   */
  takeOver(key: StateKey, token: number, value: string, options: TakeOverOptions): Promise<boolean>;
  /** Adds a value to the end of a list. @returns false if the list has {@link MAX_LIST_VALUES} */
  append(key: StateKey, value: string, options: AppendOptions): Promise<boolean>;
  /**
   * Adds a value to a collection, under an id that is not in the collection. Values are removed when their time is over;
   * the oldest ones also if the collection has more than `maxChars` characters or {@link MAX_COLLECTION_VALUES} values.
   * @throws StateTooLargeError if the value alone has more than `maxChars`
   */
  put(key: StateKey, id: string, value: string, bounds: CollectionBounds): Promise<void>;
  /** Returns a value of a collection; undefined if there is none with this id. */
  find(key: StateKey, id: string): Promise<string | undefined>;
  /**
   * Takes a token from a bucket, which begins full.
   * @returns 0, or the milliseconds until the bucket has a token, if it has none
   */
  take(key: StateKey, bucket: Bucket): Promise<number>;
  /**
   * Adds a member to a set for this time. If the set has more than {@link MAX_MEMBERS}, those whose time ends first are
   * removed.
   * @returns all members whose time is not over
   */
  join(key: StateKey, member: string, ttlMs: number): Promise<readonly string[]>;
  /** Removes a member from a set. */
  leave(key: StateKey, member: string): Promise<void>;
  /** Returns the members of a set whose time is not over. */
  members(key: StateKey): Promise<readonly string[]>;
  /** Sends a message to the current subscribers. It may be lost, so nothing may depend on its arrival. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  /** Calls the listener whenever the store can be used after it could not. Until then messages may have been lost. */
  onUsable(listener: () => void): void;
  /** The last known reason why the store cannot be used; undefined if it can. */
  readonly problem: string | undefined;
  close(): Promise<void>;
}

/** The maximum length of a value, in characters. */
export const MAX_VALUE_CHARS = 64 * 1024 * 1024;
/** The maximum number of values in a list. */
export const MAX_LIST_VALUES = 64;
/** The maximum number of members of a set. */
export const MAX_MEMBERS = 1_024;
/** The maximum number of values in a collection. */
export const MAX_COLLECTION_VALUES = 256;

/** Thrown if the store cannot be used now. The message is the reason, without secrets of the settings. */
export class StateUnavailableError extends Error {
  override readonly name = 'StateUnavailableError';
}

/** Ignores that the store cannot be used, which its connection has logged. @throws any other error */
export function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof StateUnavailableError)) throw error;
}

/** Thrown if a value is too large to be stored. */
export class StateTooLargeError extends Error {
  override readonly name = 'StateTooLargeError';

  constructor(chars: number, maxChars: number) {
    super(`A value for the shared state has ${chars} characters, and may have ${maxChars}.`);
  }
}

/** @throws StateTooLargeError */
export function checkSize(value: string, maxChars = MAX_VALUE_CHARS): void {
  if (value.length > maxChars) throw new StateTooLargeError(value.length, maxChars);
}
