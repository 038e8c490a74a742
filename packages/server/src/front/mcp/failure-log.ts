import type { Log } from '../../log/log.js';
import { LineLimit } from '../../util/line-limit.js';

/** The limit keeps a client that fails again and again from filling the log. */
const MAX_LINES = 200;
const INTERVAL_MS = 10_000;

/** Limits the lines of failed calls, beyond which it writes only their number. `client-call.ts` gives the fields. */
export class FailureLog {
  readonly #log: Pick<Log, 'info'>;
  readonly #limit: LineLimit;

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log;
    this.#limit = new LineLimit({
      perInterval: MAX_LINES,
      intervalMs: INTERVAL_MS,
      onDropped: (calls) => log.info('further calls failed', { calls }),
    });
  }

  add(fields: Readonly<Record<string, unknown>>): void {
    if (this.#limit.tryTake()) this.#log.info('a call failed', fields);
  }
}
