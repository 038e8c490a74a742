import type { ProgressReport } from '@mortise/plugin';
import { Throttle } from '../util/throttle.js';
import { TokenBucket } from '../util/token-bucket.js';

/** Sends one `notifications/progress`. */
export type SendProgress = (report: ProgressReport) => void;

/** With the last report, which is sent when the call ends, these limits allow at most 20 reports in any second. */
const BURST = 10;
const REPORTS_PER_SECOND = 9;
/** The increment for a report that must be sent although the tool did not advance. */
const STEP = 0.001;
/** Clients drop a call after about 10 s of silence. */
const HEARTBEAT_MS = 9_000;

/**
 * Sends progress by MCP's rules: each value is greater than the last, at most 20 are sent in any second, the last one
 * is sent before the response, and none after it. While the tool reports nothing, a heartbeat repeats the last report
 * (docs/spec/plugin-api.md#progress).
 */
export class ProgressLimiter {
  readonly #throttle: Throttle<ProgressReport>;
  readonly #heartbeat: NodeJS.Timeout;
  #lastDone = Number.NEGATIVE_INFINITY;
  #lastReport: ProgressReport = { done: 0 };
  #isEnded = false;

  constructor(send: SendProgress) {
    this.#heartbeat = setTimeout(() => this.#sendHeartbeat(), HEARTBEAT_MS);
    this.#throttle = new Throttle((report) => {
      this.#heartbeat.refresh();
      send(report);
    }, new TokenBucket(BURST, REPORTS_PER_SECOND));
  }

  report(report: ProgressReport): void {
    if (this.#isEnded) return;
    const { message } = report;
    const isNewMessage = message !== undefined && message !== this.#lastReport.message;
    const done = valueToSend(this.#lastDone, report, { isNewMessage });
    if (done === undefined) return;
    this.#lastDone = done;
    this.#lastReport = report;
    this.#throttle.push({ ...report, done });
  }

  #sendHeartbeat(): void {
    const { message = 'Still running', total = Number.POSITIVE_INFINITY } = this.#lastReport;
    const done = Number.isFinite(this.#lastDone) ? oneStepAbove(this.#lastDone) : 0;
    this.#lastDone = done;
    this.#throttle.push({ done, message, ...(done < total && Number.isFinite(total) && { total }) });
  }

  /** Sends the report that is held back. Later reports are ignored. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#throttle.flush();
    clearTimeout(this.#heartbeat);
  }
}

const oneStepAbove = (value: number): number => Math.round((value + STEP) * 1e6) / 1e6;

/**
 * Returns the reported value if it is greater than the last one, or one step above the last one if the message is new;
 * undefined if the report need not be sent.
 */
function valueToSend(
  lastDone: number,
  { done, total = Number.POSITIVE_INFINITY }: ProgressReport,
  { isNewMessage }: { readonly isNewMessage: boolean },
): number | undefined {
  if (done > lastDone) return done;
  const next = oneStepAbove(lastDone);
  return isNewMessage && next > lastDone && next < total ? next : undefined;
}
