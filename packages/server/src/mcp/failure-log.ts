import type { Log } from '../logging/log.js';

/** Lines in one window; a client that fails without end does not fill the log. */
const MAX_LINES = 200;
const WINDOW_MS = 10_000;

/** Writes a line for each call that fails, and for very many of them their number (docs/spec/access.md#call-id). */
export class FailureLog {
  readonly #log: Pick<Log, 'info'>;
  #lines = 0;
  #omitted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log;
  }

  add(fields: Readonly<Record<string, unknown>>): void {
    this.#timer ??= setTimeout(() => this.#endWindow(), WINDOW_MS).unref();
    if (this.#lines < MAX_LINES) {
      this.#lines += 1;
      this.#log.info('a call failed', fields);
    } else this.#omitted += 1;
  }

  #endWindow(): void {
    this.#timer = undefined;
    this.#lines = 0;
    if (this.#omitted > 0) this.#log.info('further calls failed', { calls: this.#omitted });
    this.#omitted = 0;
  }
}
