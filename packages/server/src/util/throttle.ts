/** Thins out values of which only the newest counts. */
export interface Throttle<T> {
  push(value: T): void;
  /** Sends what is held back. */
  flush(): void;
}

/** Sends up to `burst` values at once in each window; of more the last one goes out at the window's end, or by `flush`. */
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
