/** Sends one `notifications/progress` of 100. */
export type SendProgress = (progress: number, message?: string) => void;

export interface ProgressLimiter {
  report(percent: number, message?: string): void;
  /** Sends what is still held back; nothing goes out after it. */
  end(): void;
}

const WINDOW_MS = 1000;
/** One less than the 20 in any second that MCP clients get at most: the last place is for the flush at the end. */
const MAX_IN_WINDOW = 19;
const STEP = 0.001;

/**
 * Keeps MCP's promises about progress: values from 0 to 100, each above the last, at most 20 in any second, the last
 * one flushed before the response, silence after it (docs/spec/plugins.md#progress).
 */
export function createProgressLimiter(send: SendProgress | undefined): ProgressLimiter {
  if (!send) return SILENT;
  const sentAt: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let lastMessage: string | undefined;
  let pending: { value: number; message: string | undefined } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const emit = (value: number, message: string | undefined) => {
    sentAt.push(performance.now());
    if (sentAt.length > MAX_IN_WINDOW) sentAt.shift();
    send(value, message);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    const { value, message } = pending;
    pending = undefined;
    emit(value, message);
  };
  const waitMs = () => (sentAt.length < MAX_IN_WINDOW ? 0 : sentAt[0]! + WINDOW_MS - performance.now());

  return {
    report(percent, message) {
      if (isEnded || typeof percent !== 'number' || Number.isNaN(percent)) return;
      const text = typeof message === 'string' ? message : undefined;
      const value = above(last, Math.min(100, Math.max(0, percent)), text !== undefined && text !== lastMessage);
      if (value === undefined) return;
      last = value;
      lastMessage = text;
      const delayMs = waitMs();
      if (delayMs <= 0 && !pending) return emit(value, text);
      pending = { value, message: text };
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

/** The value to send: the percent itself when it is higher, a hair above the last for a new message, else none. */
function above(last: number, percent: number, isNewMessage: boolean): number | undefined {
  if (percent > last) return percent;
  const next = Math.round((last + STEP) * 1e6) / 1e6;
  return isNewMessage && next < 100 ? next : undefined;
}
