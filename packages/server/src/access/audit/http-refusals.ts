import type { HttpRefusal } from '../../core/http-refusal.js';
import type { AuditLog } from './audit-log.js';

/** Lines of equal refusals in one window; the number of the others is in one more line at its end. */
const MAX_LINES = 10;
const WINDOW_MS = 60_000;
/** Kinds of refusals in one window; beyond it the address and the principal make no difference. */
const MAX_GROUPS = 10_000;

interface Group {
  lines: number;
  omitted: number;
  last: HttpRefusal;
}

/**
 * Writes refusals over HTTP into the audit. Whoever has no key can cause them without end, so that only some of those
 * that are equal have a line of their own (docs/spec/audit.md#http-refusals).
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
    if (group.lines < MAX_LINES) {
      group.lines += 1;
      this.#audit.record(refusal);
    } else group.omitted += 1;
  }

  /** Ends the window: what had no line is counted. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { last, omitted } of this.#groups.values()) {
      if (omitted > 0) this.#audit.record({ ...last, details: { further: omitted } });
    }
    this.#groups.clear();
  }

  #groupOf(refusal: HttpRefusal): Group {
    const { event, outcome, address, principal } = refusal;
    const kind = [event, outcome, ...(this.#groups.size < MAX_GROUPS ? [address, principal] : [])];
    const key = JSON.stringify(kind);
    const group = this.#groups.get(key) ?? { lines: 0, omitted: 0, last: refusal };
    this.#groups.set(key, group);
    return group;
  }
}
