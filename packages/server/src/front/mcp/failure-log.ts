import type { Log } from '../../log/log.js';
import { LineLimit } from '../../util/line-limit.js';

/** The lines in one interval. Without a limit, a client whose calls always fail would fill the log. */
const MAX_LINES = 200;
const INTERVAL_MS = 10_000;

/** Logs failed calls: at most 200 lines in ten seconds, and one line with the number of further failures. */
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

  /** @param fields the id, method and target of the call, and the code of its failure */
  add(fields: Readonly<Record<string, unknown>>): void {
    if (this.#limit.tryTake()) this.#log.info('a call failed', fields);
  }
}
