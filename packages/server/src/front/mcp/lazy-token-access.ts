import type { TokenAccess, TokenAccessOptions } from '../../access/tokens/token-access.js';
import type { Settings } from '../../settings/settings.js';

/** The issuers of the settings. Their code is loaded when there is the first one, at the start or at a reload. */
export class LazyTokenAccess {
  readonly #options: TokenAccessOptions;
  #access: TokenAccess | undefined;

  constructor(options: TokenAccessOptions) {
    this.#options = options;
  }

  /** Undefined as long as there was no issuer. */
  get access(): TokenAccess | undefined {
    return this.#access;
  }

  /** Applies settings: immediately, except for the first issuer. */
  async update(settings: Settings): Promise<void> {
    if (this.#access) {
      this.#access.update(settings);
      return;
    }
    if (settings.Auth.Issuers.length === 0) return;
    const { TokenAccess } = await import('../../access/tokens/token-access.js');
    // Another reload may have come first, whose settings are newer.
    this.#access ??= new TokenAccess(settings, this.#options);
  }

  close(): void {
    this.#access?.close();
  }
}
