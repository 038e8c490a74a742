import type { HttpRefusal } from '../../core/http-refusal.js';
import type { AuditLog } from './audit-log.js';

/** The lines of similar refusals in one window. One more line at the end of the window has the number of the others. */
const MAX_LINES = 10;
const WINDOW_MS = 60_000;
/** Limit of the groups in one window. Further refusals are grouped without their address and principal. */
const MAX_GROUPS = 10_000;

/** The similar refusals in the current window. */
interface Group {
  lineCount: number;
  omittedCount: number;
  last: HttpRefusal;
}

/**
 * Writes refusals over HTTP into the audit. Anyone without a key can cause any number of them, so only the first of
 * similar refusals have lines of their own (docs/spec/audit.md#http-refusals).
 */
export class HttpRefusals {
  readonly #audit: Pick<AuditLog, 'record'>;
  readonly #groups = new Map<string, Group>();
  #timer: NodeJS.Timeout | undefined;

  constructor(audit: Pick<AuditLog, 'record'>) {
    this.#audit = audit;
  }

  add(refusal: HttpRefusal): void {
    this.#timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
    const group = this.#groupOf(refusal);
    group.last = refusal;
    if (group.lineCount < MAX_LINES) {
      group.lineCount += 1;
      this.#audit.record(refusal);
    } else group.omittedCount += 1;
  }

  /** Ends the window: writes the number of refusals that had no line. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { last, omittedCount } of this.#groups.values()) {
      if (omittedCount > 0) this.#audit.record({ ...last, details: { further: omittedCount } });
    }
    this.#groups.clear();
  }

  #groupOf(refusal: HttpRefusal): Group {
    const { event, outcome, address, principal } = refusal;
    const key = JSON.stringify([event, outcome, ...(this.#groups.size < MAX_GROUPS ? [address, principal] : [])]);
    const group = this.#groups.get(key) ?? { lineCount: 0, omittedCount: 0, last: refusal };
    this.#groups.set(key, group);
    return group;
  }
}
