import type { TokenAccess, TokenAccessOptions } from '../../access/tokens/token-access.js';
import type { Settings } from '../../settings/settings.js';

/** The issuers of the settings. The code for tokens is imported when the settings first name an issuer. */
export class LazyTokenAccess {
  readonly #options: TokenAccessOptions;
  #access: TokenAccess | undefined;

  constructor(options: TokenAccessOptions) {
    this.#options = options;
  }

  /** Undefined until the settings have named an issuer. */
  get access(): TokenAccess | undefined {
    return this.#access;
  }

  /** Applies settings: immediately, except for the first issuer, whose code must be imported. */
  async update(settings: Settings): Promise<void> {
    if (this.#access) {
      this.#access.update(settings);
      return;
    }
    if (settings.Auth.Issuers.length === 0) return;
    const { TokenAccess } = await import('../../access/tokens/token-access.js');
    // A reload during the import may have applied newer settings.
    this.#access ??= new TokenAccess(settings, this.#options);
  }

  close(): void {
    this.#access?.close();
  }
}
