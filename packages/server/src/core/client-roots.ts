import type { JsonObject } from '@mortise/plugin';

/** Asks the client for its roots while no call is running (docs/spec/mounted-servers.md#roots). */
export class ClientRoots {
  readonly #listeners = new Set<() => void>();
  #ask: (() => Promise<JsonObject> | undefined) | undefined;
  #asking: Promise<JsonObject> | undefined;

  /** @param ask sends `roots/list`; returns undefined if no client can be asked */
  connect(ask: () => Promise<JsonObject> | undefined): void {
    this.#ask = ask;
  }

  /**
   * Resolves to the unvalidated result of `roots/list`. Callers that ask while a request is pending share its answer.
   * @returns undefined if no client can be asked
   * @throws the client's error
   */
  list(): Promise<JsonObject> | undefined {
    this.#asking ??= this.#ask?.()?.finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Tells the listeners that the roots have changed, or that there is now a client to ask. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that removes the listener */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
