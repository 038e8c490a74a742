import type { ListName } from '@mortise/mcp';
import { Throttle } from '../util/throttle.js';
import { TokenBucket } from '../util/token-bucket.js';
import { decode, encode, OtherFormatError } from './format.js';
import { ignoreUnavailable, type StateStore } from './state-store.js';

/** A change that replicas tell each other. */
export type SharedChange =
  | {
      readonly kind: 'list';
      readonly list: ListName;
      /** True if the list has changed for principals without a profile. */
      readonly isWholeChanged: boolean;
      /** The profiles in whose views the list has not changed. */
      readonly unchangedFor: readonly string[];
    }
  | { readonly kind: 'resource'; readonly uri: string };

type Message =
  | SharedChange
  /** The sender could not send some of its changes. */
  | { readonly kind: 'missed' }
  /** Comes back to its own sender, which then knows that it receives messages again. */
  | { readonly kind: 'probe' };

export interface ChangeListener {
  /** Called for each change of another replica. */
  changed(change: SharedChange): void;
  /** Called when changes may have been missed, at most once a second. */
  missed(): void;
}

const CHANNEL = 'changes';
const PROBE_MS = 500;

/** Sends changes to the other replicas, and receives theirs (docs/spec/shared.md#changes). */
export class SharedChanges {
  readonly #store: StateStore;
  readonly #runner: string;
  #listener: ChangeListener | undefined;
  readonly #missed = new Throttle<undefined>(() => this.#listener?.missed(), new TokenBucket(1, 1));
  /** Sends probes; set until one comes back. */
  #probes: NodeJS.Timeout | undefined;
  /** True if a change could not be sent. */
  #hasUnsent = false;

  private constructor(store: StateStore, runner: string) {
    this.#store = store;
    this.#runner = runner;
    store.onUsable(() => this.#probe());
  }

  /** @param runner the id of this process */
  static async open(store: StateStore, runner: string): Promise<SharedChanges> {
    const changes = new SharedChanges(store, runner);
    await store.subscribe(CHANNEL, (text) => changes.#receive(text)).catch(ignoreUnavailable);
    return changes;
  }

  /** @returns a function that removes the listener */
  listen(listener: ChangeListener): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  /**
   * Sends a change to the other replicas. If that fails, they are told that they may have missed changes as soon as the
   * store can be used again.
   */
  publish(change: SharedChange): void {
    this.#tell(change);
  }

  close(): void {
    clearInterval(this.#probes);
    this.#listener = undefined;
  }

  #send(message: Message): Promise<void> {
    return this.#store.publish(CHANNEL, encode({ from: this.#runner, ...message }));
  }

  #tell(message: Message): void {
    this.#send(message).catch((error) => {
      ignoreUnavailable(error);
      this.#hasUnsent = true;
      this.#probe();
    });
  }

  /** Sends probes until one comes back. From then on this replica receives all changes. */
  #probe(): void {
    const send = () => void this.#send({ kind: 'probe' }).catch(ignoreUnavailable);
    this.#probes ??= setInterval(send, PROBE_MS).unref();
    send();
  }

  #onProbeReturned(): void {
    clearInterval(this.#probes);
    this.#probes = undefined;
    this.#missed.push(undefined);
    if (!this.#hasUnsent) return;
    this.#hasUnsent = false;
    this.#tell({ kind: 'missed' });
  }

  #receive(text: string): void {
    try {
      const { from, ...message } = decodeMessage(text);
      const isOwn = from === this.#runner;
      if (message.kind === 'probe') {
        if (isOwn && this.#probes) this.#onProbeReturned();
      } else if (isOwn) return;
      else if (message.kind === 'missed') this.#missed.push(undefined);
      else this.#listener?.changed(message);
    } catch (error) {
      if (!(error instanceof OtherFormatError)) throw error;
      // Something has changed at a replica of another version.
      this.#missed.push(undefined);
    }
  }
}

/** @throws OtherFormatError */
function decodeMessage(text: string): Message & { readonly from: unknown } {
  const message = decode(text);
  if (isMessage(message)) return message;
  throw new OtherFormatError('A message of another replica cannot be read.');
}

const CHECKS: Readonly<Record<Message['kind'], (message: Record<string, unknown>) => boolean>> = {
  list: ({ list, isWholeChanged, unchangedFor }) =>
    LISTS.includes(list) && typeof isWholeChanged === 'boolean' && isTexts(unchangedFor),
  resource: ({ uri }) => typeof uri === 'string',
  missed: () => true,
  probe: () => true,
};

const LISTS: readonly unknown[] = ['tools', 'resources', 'prompts'] satisfies ListName[];

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');

function isMessage(message: Record<string, unknown>): message is Message & { readonly from: unknown } {
  const { kind } = message;
  return typeof kind === 'string' && Object.hasOwn(CHECKS, kind) && CHECKS[kind as Message['kind']](message);
}
