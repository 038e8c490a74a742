import type { OutputStream } from '../process/command-run.js';
import { isBuildLine, isCrashLine } from './build-output.js';
import type { WatchState } from './session.js';
import { hasStartedApp } from './started-app.js';

/** The pause between two checks whether the program has started, in milliseconds. */
const POLL_MS = 50;
/**
 * The wait after the first output, in milliseconds. The address of the program, or its crash, often follows
 * immediately.
 */
const SETTLE_MS = 150;

/** Follows a start from the build to the program's first output. */
export interface Readiness {
  read(line: string, stream: OutputStream): void;
  ended(): void;
  /** Resolves when the program runs, or when it is certain that it never will. */
  readonly built: Promise<void>;
  /** Resolves a moment after the first output of the program. */
  readonly ready: Promise<void>;
  /** True if the program itself, not its build, has printed something. */
  hasOutput(): boolean;
  /** False while the program is being built, as far as that can be observed. */
  isBuilt(): boolean;
}

function createEvent(): { fire(): void; readonly fired: Promise<void> } {
  let fire = () => {};
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fire, fired };
}

/**
 * Follows the start of `dotnet run`. The program is the child process that is not part of the build. On platforms where
 * child processes cannot be read, the first line on stdout that no build prints shows that the program runs.
 */
export function createRunReadiness(pid: number, onBuilt: () => void): Readiness {
  let isBuilt = false;
  let hasOutput = false;
  let hasCrashed = false;
  const built = createEvent();
  const ready = createEvent();

  function end(): void {
    if (isBuilt) return;
    isBuilt = true;
    clearInterval(pollTimer);
    built.fire();
    onBuilt();
    check();
  }

  function poll(hasLineOnStdout = false): void {
    if (!isBuilt && (hasStartedApp(pid) ?? hasLineOnStdout)) end();
  }

  function check(): void {
    if (isBuilt && hasOutput && !hasCrashed) setTimeout(() => hasCrashed || ready.fire(), SETTLE_MS);
  }

  const pollTimer = setInterval(poll, POLL_MS);
  return {
    read(line, stream) {
      if (hasCrashed || isBuildLine(line)) return;
      const isFirst = !hasOutput;
      hasOutput = true;
      hasCrashed = isCrashLine(line);
      if (!isBuilt) poll(stream === 'stdout');
      else if (isFirst) check();
    },
    ended: end,
    built: built.fired,
    ready: ready.fired,
    hasOutput: () => hasOutput,
    isBuilt: () => isBuilt,
  };
}

/**
 * Follows the start of `dotnet watch`. It is complete at the program's first output, or when `dotnet watch` waits
 * because the build has failed or the program has ended.
 */
export function createWatchReadiness(stateNow: () => WatchState): Readiness {
  let hasOutput = false;
  let isSettling = false;
  const built = createEvent();
  const ready = createEvent();
  const isBuilt = () => hasOutput || stateNow() !== 'building';
  return {
    read(line, stream) {
      if (stream === 'stdout' && !isBuildLine(line)) hasOutput = true;
      if (isBuilt()) built.fire();
      if (isSettling || !(hasOutput || stateNow() === 'waiting')) return;
      isSettling = true;
      setTimeout(ready.fire, SETTLE_MS);
    },
    ended: built.fire,
    built: built.fired,
    ready: ready.fired,
    hasOutput: () => hasOutput,
    isBuilt,
  };
}
