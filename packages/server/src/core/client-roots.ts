import type { JsonObject } from '@mortise/plugin';

/** The roots of the client that can be asked for them outside of a call (docs/spec/mounted-servers.md#roots). */
export class ClientRoots {
  readonly #listeners = new Set<() => void>();
  #ask: (() => Promise<JsonObject> | undefined) | undefined;
  #asking: Promise<JsonObject> | undefined;

  /** @param ask gives undefined where no client can be asked */
  connect(ask: () => Promise<JsonObject> | undefined): void {
    this.#ask = ask;
  }

  /**
   * The result of `roots/list`, unchecked; who asks meanwhile gets the same answer.
   * @returns undefined where no client can be asked
   * @throws the client's error
   */
  list(): Promise<JsonObject> | undefined {
    this.#asking ??= this.#ask?.()?.finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** They have changed, or there is a client to ask. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener at each change, until the returned function is called. */
  onChanged(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
