import type { PluginDefinition } from '@mortise/plugin/runtime';

interface Waiting {
  readonly definition: PluginDefinition;
  /** It is followed by another one, and nothing in between is to be received after it. */
  isSuperseded: boolean;
}

/**
 * Long definitions of one process, which are checked in slices: what the process sends after one waits until that one counts.
 * Of those that come one after the other while it is checked only the last one is.
 */
export class DefinitionQueue {
  readonly #apply: (definition: PluginDefinition) => Promise<void>;
  #last: Waiting | undefined;
  #idle: Promise<void> | undefined;

  /** @param apply checks one, and lets it count. Must not reject */
  constructor(apply: (definition: PluginDefinition) => Promise<void>) {
    this.#apply = apply;
  }

  /** While something is being checked: settles after what is in the queue now, which is not left out then. */
  get idle(): Promise<void> | undefined {
    this.#last = undefined;
    return this.#idle;
  }

  /** Whether what comes now has to wait. */
  get isBusy(): boolean {
    return this.#idle !== undefined;
  }

  push(definition: PluginDefinition): void {
    const waiting: Waiting = { definition, isSuperseded: false };
    if (this.#last) this.#last.isSuperseded = true;
    this.#last = waiting;
    this.add(async () => {
      if (this.#last === waiting) this.#last = undefined;
      if (!waiting.isSuperseded) await this.#apply(definition);
    });
  }

  /** Runs work that must be done before what comes after it. It must not reject. */
  add(work: () => Promise<void>): void {
    const idle = this.#idle ? this.#idle.then(work) : work();
    this.#idle = idle;
    void idle.then(() => {
      if (this.#idle === idle) this.#idle = undefined;
    });
  }
}
