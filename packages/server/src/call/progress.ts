import type { ProgressReport } from '@mortise/plugin';
import { Throttle } from '../util/throttle.js';
import { TokenBucket } from '../util/token-bucket.js';

/** Sends one `notifications/progress`. */
export type SendProgress = (report: ProgressReport) => void;

/** Together with the last report, which is sent when the call ends, these are at most 20 reports in any second. */
const BURST = 10;
const REPORTS_A_SECOND = 9;
const STEP = 0.001;
/** Clients give up what they do not hear of: they do within 10 s, on a machine with other work too. */
const HEARTBEAT_MS = 9_000;

/**
 * Keeps MCP's promises about progress: each value above the last, at most 20 in any second, the last one
 * flushed before the response, silence after it. A call that reports nothing for long says that it still runs
 * (docs/spec/plugin-api.md#progress).
 */
export class ProgressLimiter {
  readonly #throttle: Throttle<ProgressReport>;
  readonly #heartbeat: NodeJS.Timeout;
  #last = Number.NEGATIVE_INFINITY;
  #lastReport: ProgressReport = { done: 0 };
  #isEnded = false;

  constructor(send: SendProgress) {
    this.#heartbeat = setTimeout(() => this.#beat(), HEARTBEAT_MS);
    this.#throttle = new Throttle((report) => {
      this.#heartbeat.refresh();
      send(report);
    }, new TokenBucket(BURST, REPORTS_A_SECOND));
  }

  report(report: ProgressReport): void {
    if (this.#isEnded) return;
    const { message } = report;
    const done = above(this.#last, report, message !== undefined && message !== this.#lastReport.message);
    if (done === undefined) return;
    this.#last = done;
    this.#lastReport = report;
    this.#throttle.push({ ...report, done });
  }

  /** Nothing was sent for long: what was said last is said again, a hair above it. */
  #beat(): void {
    const { message = 'Still running', total = Number.POSITIVE_INFINITY } = this.#lastReport;
    const done = Number.isFinite(this.#last) ? nextAbove(this.#last) : 0;
    this.#last = done;
    this.#throttle.push({ done, message, ...(done < total && Number.isFinite(total) && { total }) });
  }

  /** Sends the report that is held back; no report is sent after it. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#throttle.flush();
    clearTimeout(this.#heartbeat);
  }
}

const nextAbove = (value: number): number => Math.round((value + STEP) * 1e6) / 1e6;

/** The value to send: the reported one when it is higher, a hair above the last for a new message, else none. */
function above(
  last: number,
  { done, total = Number.POSITIVE_INFINITY }: ProgressReport,
  isNewMessage: boolean,
): number | undefined {
  if (done > last) return done;
  const next = nextAbove(last);
  return isNewMessage && next > last && next < total ? next : undefined;
}
