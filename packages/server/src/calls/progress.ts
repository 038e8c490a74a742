import type { ProgressReport } from '@mortise/plugin';

/** Sends one `notifications/progress`. */
export type SendProgress = (report: ProgressReport) => void;

export interface ProgressLimiter {
  report(report: ProgressReport): void;
  /** Sends the report that is held back; no report is sent after it. */
  end(): void;
}

const WINDOW_MS = 1000;
/** One less than the 20 in any second that MCP clients get at most: the last place is for the flush at the end. */
const MAX_IN_WINDOW = 19;
const STEP = 0.001;

/**
 * Keeps MCP's promises about progress: each value above the last, at most 20 in any second, the last one
 * flushed before the response, silence after it (docs/spec/plugins.md#progress).
 */
export function createProgressLimiter(send: SendProgress | undefined): ProgressLimiter {
  if (!send) return SILENT;
  const sentAt: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let lastMessage: string | undefined;
  let pending: ProgressReport | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const emit = (report: ProgressReport) => {
    sentAt.push(performance.now());
    if (sentAt.length > MAX_IN_WINDOW) sentAt.shift();
    send(report);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    const report = pending;
    pending = undefined;
    emit(report);
  };
  const waitMs = () => (sentAt.length < MAX_IN_WINDOW ? 0 : sentAt[0]! + WINDOW_MS - performance.now());

  return {
    report(report) {
      if (isEnded) return;
      const { message } = report;
      const done = above(last, report, message !== undefined && message !== lastMessage);
      if (done === undefined) return;
      last = done;
      lastMessage = message;
      const delayMs = waitMs();
      if (delayMs <= 0 && !pending) return emit({ ...report, done });
      pending = { ...report, done };
      timer ??= setTimeout(flush, Math.max(1, Math.ceil(delayMs)));
    },
    end() {
      if (isEnded) return;
      isEnded = true;
      flush();
    },
  };
}

const SILENT: ProgressLimiter = { report() {}, end() {} };

/** The value to send: the reported one when it is higher, a hair above the last for a new message, else none. */
function above(
  last: number,
  { done, total = Number.POSITIVE_INFINITY }: ProgressReport,
  isNewMessage: boolean,
): number | undefined {
  if (done > last) return done;
  const next = Math.round((last + STEP) * 1e6) / 1e6;
  return isNewMessage && next > last && next < total ? next : undefined;
}
