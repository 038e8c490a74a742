import type { TransportName } from '../support/clients.js';
import type { Finished, Workplace } from '../support/workplace.js';
import type { Feature } from './features.js';

/** Where a client finds the server. */
export type Target =
  | { transport: 'stdio'; command: string; args: string[]; workplace: Workplace }
  | { transport: 'http'; url: string };

/** A client that is connected. */
export interface ConnectedClient {
  /** The version that it agreed on with the server. */
  readonly version: string;
  use(feature: Feature): Promise<unknown>;
}

/** A client of others, as its users install it. */
export interface ClientUnderTest {
  readonly name: string;
  /** The protocol version that it is made to speak. */
  readonly version: string;
  /** Why it cannot be run here. */
  readonly missing?: string | undefined;
  /** What it cannot do, by feature, with the reason; after a slash only over that transport. */
  readonly cannot: Partial<Record<Feature | `${Feature}/${TransportName}`, string>>;
  connect(target: Target, finished: Finished): Promise<ConnectedClient>;
}

/** A promise, and what resolves it. */
export function deferred<T>(): { promise: Promise<T>; resolve(value: T): void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return { promise, resolve };
}
