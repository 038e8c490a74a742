/** Limits the rate of values if only the newest one matters. */
export interface Throttle<T> {
  push(value: T): void;
  /** Sends the value that is held back. */
  flush(): void;
}

/** Sends up to `burst` values immediately in each window; if there are more, the last one is sent at the window's end or by `flush`. */
export function createThrottle<T>(send: (value: T) => void, burst: number, windowMs: number): Throttle<T> {
  let sent = 0;
  let pending: { value: T } | undefined;
  let isWindowOpen = false;

  const flush = () => {
    if (!pending) return;
    const { value } = pending;
    pending = undefined;
    send(value);
  };
  const endWindow = () => {
    isWindowOpen = false;
    sent = 0;
    flush();
  };
  return {
    flush,
    push(value) {
      if (!isWindowOpen) setTimeout(endWindow, windowMs).unref();
      isWindowOpen = true;
      sent += 1;
      if (sent <= burst) send(value);
      else pending = { value };
    },
  };
}
