import { createHmac } from 'node:crypto';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';
import { errorMessage } from '../../util/error-message.js';
import { sortedJson } from '../../util/sorted-json.js';
import { visibleText } from '../../util/visible-text.js';
import type { AuditEvent } from './audit-event.js';
import type { AuditFile } from './audit-file.js';

export interface AuditLogOptions {
  readonly file: AuditFile;
  /** For messages. */
  readonly path: string;
  readonly key: Buffer;
  readonly showsArguments: boolean;
  readonly refuses: boolean;
  readonly redactor: Pick<Redactor, 'value'>;
  readonly log: Log;
}

/** Lines that wait for a disk that has room again; of more, only their number is kept. */
const MAX_WAITING = 10_000;
const RETRY_MS = 1_000;
const REPORT_MS = 60_000;
/** Longer arguments are left out. */
const MAX_ARGUMENT_CHARS = 16 * 1024;

/**
 * Writes the audit (docs/spec/audit.md#audit). A line that cannot be written waits in memory until it can be; that is
 * an error in the log, and with `Audit.OnFailure` `refuse` no call runs meanwhile.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #waiting: string[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(options: AuditLogOptions) {
    this.#options = options;
  }

  record(event: AuditEvent): void {
    const entry = { time: new Date().toISOString(), ...event };
    const line = visibleText(JSON.stringify(this.#options.redactor.value(entry)));
    if (this.isFailing) this.#keep(line);
    else this.#write(line);
  }

  /** The members of a line that are about arguments. */
  argumentsOf(value: unknown): Pick<AuditEvent, 'arguments' | 'redactedArguments'> {
    const hash = { arguments: `hmac-sha256:${hashArguments(this.#options.key, value)}` };
    if (!this.#options.showsArguments) return hash;
    const chars = JSON.stringify(value)?.length ?? 0;
    return { ...hash, redactedArguments: chars > MAX_ARGUMENT_CHARS ? `left out: ${chars} characters` : value };
  }

  /** Whether lines wait because they could not be written. */
  get isFailing(): boolean {
    return this.#waiting.length > 0;
  }

  /** Whether calls are refused now. */
  get isRefusing(): boolean {
    return this.#options.refuses && this.isFailing;
  }

  /** Writes what waits; what cannot be written goes to the log. */
  close(): void {
    this.#retry();
    clearTimeout(this.#timer);
    const { log, file, path } = this.#options;
    for (const line of this.#waiting) log.error('an audit line could not be written', { file: path, line });
    if (this.#lost > 0) log.error('audit lines are lost', { file: path, lines: this.#lost });
    file.close();
  }

  #write(line: string): void {
    try {
      this.#options.file.append(line);
    } catch (error) {
      this.#failed(error);
      this.#keep(line);
    }
  }

  #keep(line: string): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(line);
    else this.#lost += 1;
    this.#timer ??= setInterval(() => this.#retry(), RETRY_MS).unref();
  }

  #retry(): void {
    const { file, log, path } = this.#options;
    const count = this.#waiting.length;
    try {
      for (let line = this.#waiting[0]; line !== undefined; line = this.#waiting[0]) {
        file.append(line);
        this.#waiting.shift();
      }
    } catch (error) {
      this.#failed(error);
      return;
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (count === 0) return;
    log.warn('the audit is written again', { file: path, lines: count, lost: this.#lost });
    const outcome = this.#lost === 0 ? 'ok' : 'AUDIT_LINES_LOST';
    const details = { waited: count, lost: this.#lost };
    this.#lost = 0;
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    this.record({ event: 'audit', outcome, details });
  }

  #failed(error: unknown): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_MS) return;
    this.#reportedAt = now;
    const { log, path, refuses } = this.#options;
    const fields = { file: path, error: errorMessage(error), calls: refuses ? 'refused' : 'continue' };
    log.error('the audit cannot be written (Audit.File): its lines wait in memory', fields);
  }
}

/** The HMAC-SHA-256 of arguments: the same for the same arguments, whatever the order of their keys. */
function hashArguments(key: Buffer, value: unknown): string {
  return createHmac('sha256', key).update(sortedJson(value)).digest('hex');
}
