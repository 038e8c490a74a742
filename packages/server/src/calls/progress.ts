import { type Timed, TimeoutList } from '@mortise/mcp/util';
import type { ProgressReport } from '@mortise/plugin';

/** Sends one `notifications/progress`. */
export type SendProgress = (report: ProgressReport) => void;

const WINDOW_MS = 1000;
/** One less than the 20 in any second that MCP clients get at most: the last place is for the flush at the end. */
const MAX_IN_WINDOW = 19;
const STEP = 0.001;
/** Clients give up what they do not hear of: they do within 10 s, on a machine with other work too. */
const HEARTBEAT_MS = 9_000;

/** The calls whose clients want progress, each since something was sent; they share one timer. */
export class Heartbeats extends TimeoutList<ProgressLimiter> {
  constructor() {
    super(HEARTBEAT_MS, (limiter) => limiter.beat());
  }
}

/**
 * Keeps MCP's promises about progress: each value above the last, at most 20 in any second, the last one
 * flushed before the response, silence after it. A call that reports nothing for long says that it still runs
 * (docs/spec/plugins.md#progress).
 */
export class ProgressLimiter implements Timed<ProgressLimiter> {
  previous: ProgressLimiter | undefined;
  next: ProgressLimiter | undefined;
  startedAt = 0;
  readonly #send: SendProgress;
  readonly #heartbeats: Heartbeats;
  readonly #sentAt: number[] = [];
  #last = Number.NEGATIVE_INFINITY;
  #lastReport: ProgressReport = { done: 0 };
  #pending: ProgressReport | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(send: SendProgress, heartbeats: Heartbeats) {
    this.#send = send;
    this.#heartbeats = heartbeats;
    heartbeats.add(this);
  }

  report(report: ProgressReport): void {
    if (this.#isEnded) return;
    const { message } = report;
    const done = above(this.#last, report, message !== undefined && message !== this.#lastReport.message);
    if (done === undefined) return;
    this.#last = done;
    this.#lastReport = report;
    const delayMs = this.#waitMs();
    if (delayMs <= 0 && !this.#pending) {
      this.#emit({ ...report, done });
      return;
    }
    this.#pending = { ...report, done };
    this.#timer ??= setTimeout(() => this.#flush(), Math.max(1, Math.ceil(delayMs)));
  }

  /** Nothing was sent for long: what was said last is said again, a hair above it. */
  beat(): void {
    const { message = 'Still running', total = Number.POSITIVE_INFINITY } = this.#lastReport;
    const done = Number.isFinite(this.#last) ? nextAbove(this.#last) : 0;
    this.#last = done;
    this.#emit({ done, message, ...(done < total && Number.isFinite(total) && { total }) });
  }

  /** Sends the report that is held back; no report is sent after it. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#flush();
    this.#heartbeats.remove(this);
  }

  #waitMs(): number {
    const { length, 0: first } = this.#sentAt;
    return length < MAX_IN_WINDOW ? 0 : first! + WINDOW_MS - performance.now();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const report = this.#pending;
    this.#pending = undefined;
    if (report) this.#emit(report);
  }

  #emit(report: ProgressReport): void {
    this.#sentAt.push(performance.now());
    if (this.#sentAt.length > MAX_IN_WINDOW) this.#sentAt.shift();
    this.#heartbeats.remove(this);
    this.#heartbeats.add(this);
    this.#send(report);
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
