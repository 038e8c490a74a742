import type { Ending } from '../contract/error-outcomes.js';

/** The deadline of one call, and the one reason for which it was ended from outside. */
export interface CallClock {
  /** Fires at the deadline, at the caller's cancel, or at shutdown. */
  readonly signal: AbortSignal;
  /** Why the signal fired. */
  readonly ending: Ending | undefined;
  /** Stops the clock while a question to the user is open; returns what starts it again. */
  pause(): () => void;
  /** The call has ended: no timer or listener is left. */
  stop(): void;
}

/** @param timeoutMs how long the call may take from now on, its time in the queue included */
export function startCallClock(timeoutMs: number, caller: AbortSignal, shutdown: AbortSignal): CallClock {
  const controller = new AbortController();
  let ending: Ending | undefined;
  let leftMs = timeoutMs;
  let startedAt = performance.now();
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;

  const end = (reason: Ending) => {
    if (ending !== undefined) return;
    ending = reason;
    stop();
    controller.abort(new DOMException(`The call was ended: ${reason}`, 'AbortError'));
  };
  const onCancel = () => end('cancelled');
  const onShutdown = () => end('shut down');
  const run = () => {
    startedAt = performance.now();
    timer = setTimeout(() => end('timed out'), Math.max(0, leftMs));
  };
  const stop = () => {
    clearTimeout(timer);
    caller.removeEventListener('abort', onCancel);
    shutdown.removeEventListener('abort', onShutdown);
  };

  caller.addEventListener('abort', onCancel);
  shutdown.addEventListener('abort', onShutdown);
  run();
  if (caller.aborted) end('cancelled');
  else if (shutdown.aborted) end('shut down');

  return {
    signal: controller.signal,
    get ending() {
      return ending;
    },
    pause() {
      if (pauses++ === 0) {
        clearTimeout(timer);
        leftMs -= performance.now() - startedAt;
      }
      let isPaused = true;
      return () => {
        if (!isPaused) return;
        isPaused = false;
        if (--pauses === 0 && ending === undefined) run();
      };
    },
    stop,
  };
}
