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
  /** The path of the file for messages. */
  readonly path: string;
  /** The HMAC key for arguments. */
  readonly key: Buffer;
  /** True if the lines contain the redacted arguments. */
  readonly showsArguments: boolean;
  /** True if calls are refused while lines cannot be written. */
  readonly refusesOnFailure: boolean;
  readonly redactor: Pick<Redactor, 'value'>;
  readonly log: Log;
}

/** Limit of the lines that wait in memory until the file can be written. Further lines are lost and only counted. */
const MAX_WAITING_LINES = 10_000;
const RETRY_MS = 1_000;
/** The minimum time between two reports of a failure in the log. */
const REPORT_INTERVAL_MS = 60_000;
/** Longer arguments are not written. */
const MAX_ARGUMENT_CHARS = 16 * 1024;

/**
 * Writes the audit (docs/spec/audit.md#audit). If a line cannot be written, it waits in memory, and the log reports an
 * error. Until all lines are written, no call runs if `Audit.OnFailure` is `refuse`.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #waitingLines: string[] = [];
  #lostCount = 0;
  #retryTimer: NodeJS.Timeout | undefined;
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

  /** Returns the members of a line for the arguments of a call. */
  argumentsOf(value: unknown): Pick<AuditEvent, 'arguments' | 'redactedArguments'> {
    const hash = { arguments: `hmac-sha256:${hashArguments(this.#options.key, value)}` };
    if (!this.#options.showsArguments) return hash;
    const chars = JSON.stringify(value)?.length ?? 0;
    return { ...hash, redactedArguments: chars > MAX_ARGUMENT_CHARS ? `left out: ${chars} characters` : value };
  }

  /** True if lines wait in memory because they could not be written. */
  get isFailing(): boolean {
    return this.#waitingLines.length > 0;
  }

  /** True if calls must be refused, because lines cannot be written. */
  get isRefusing(): boolean {
    return this.#options.refusesOnFailure && this.isFailing;
  }

  /** Writes the waiting lines to the file or, if that fails, to the log. */
  close(): void {
    this.#retry();
    clearTimeout(this.#retryTimer);
    const { log, file, path } = this.#options;
    for (const line of this.#waitingLines) log.error('an audit line could not be written', { file: path, line });
    if (this.#lostCount > 0) log.error('audit lines are lost', { file: path, lines: this.#lostCount });
    file.close();
  }

  #write(line: string): void {
    try {
      this.#options.file.append(line);
    } catch (error) {
      this.#reportFailure(error);
      this.#keep(line);
    }
  }

  #keep(line: string): void {
    if (this.#waitingLines.length < MAX_WAITING_LINES) this.#waitingLines.push(line);
    else this.#lostCount += 1;
    this.#retryTimer ??= setInterval(() => this.#retry(), RETRY_MS).unref();
  }

  #retry(): void {
    const { file, log, path } = this.#options;
    const waitingCount = this.#waitingLines.length;
    try {
      for (let line = this.#waitingLines[0]; line !== undefined; line = this.#waitingLines[0]) {
        file.append(line);
        this.#waitingLines.shift();
      }
    } catch (error) {
      this.#reportFailure(error);
      return;
    }
    clearInterval(this.#retryTimer);
    this.#retryTimer = undefined;
    if (waitingCount === 0) return;
    const lost = this.#lostCount;
    log.warn('the audit can be written again, and the waiting lines are written', {
      file: path,
      lines: waitingCount,
      lost,
    });
    this.#lostCount = 0;
    this.#reportedAt = Number.NEGATIVE_INFINITY;
    const outcome = lost === 0 ? 'ok' : 'AUDIT_LINES_LOST';
    this.record({ event: 'audit', outcome, details: { waited: waitingCount, lost } });
  }

  #reportFailure(error: unknown): void {
    const now = performance.now();
    if (now - this.#reportedAt < REPORT_INTERVAL_MS) return;
    this.#reportedAt = now;
    const { log, path, refusesOnFailure } = this.#options;
    const fields = { file: path, error: errorMessage(error), calls: refusesOnFailure ? 'refused' : 'continue' };
    log.error('the audit cannot be written (Audit.File): its lines wait in memory', fields);
  }
}

/** Returns the HMAC-SHA-256 of arguments, which does not depend on the order of keys. */
function hashArguments(key: Buffer, value: unknown): string {
  return createHmac('sha256', key).update(sortedJson(value)).digest('hex');
}
