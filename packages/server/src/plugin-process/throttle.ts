/** Thins out values of which only the newest counts. */
export interface Throttle<T> {
  push(value: T): void;
  /** Sends what is held back. */
  flush(): void;
}

/** Sends up to `burst` values at once in each window; of more the last one goes out at the window's end, or by `flush`. */
export function createThrottle<T>(send: (value: T) => void, burst: number, windowMs: number): Throttle<T> {
  let sent = 0;
  let held: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    if (!held) return;
    const { value } = held;
    held = undefined;
    send(value);
  };
  const endWindow = () => {
    timer = undefined;
    sent = 0;
    flush();
  };
  return {
    flush,
    push(value) {
      timer ??= setTimeout(endWindow, windowMs).unref();
      sent += 1;
      if (sent <= burst) send(value);
      else held = { value };
    },
  };
}
