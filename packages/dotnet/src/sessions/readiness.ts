import type { OutputStream } from '../process/command-run.js';
import { hasStartedApp } from '../process/process-tree.js';
import { isBuildLine, isCrashLine } from './build-output.js';
import type { WatchState } from './session.js';

/** Between two looks at whether the program has been started, in milliseconds. */
const POLL_MS = 50;
/** After its first output, in milliseconds: the rest of what it says at once, such as its address, or its crash. */
const SETTLE_MS = 150;

/** Follows a start from the build to the program's first output. */
export interface Readiness {
  read(line: string, stream: OutputStream): void;
  ended(): void;
  /** Resolves once, at the first output of the program and a moment for the rest of it. */
  readonly ready: Promise<void>;
  /** Whether the program, not its build, has printed something. */
  hasOutput(): boolean;
  /** Whether the program runs, as far as that can be seen; else it is still being built. */
  isBuilt(): boolean;
}

/**
 * Of `dotnet run`: its child that is not part of the build is the program. Where that cannot be seen, it is the first line
 * on stdout that no build prints.
 */
export function createRunReadiness(pid: number, onBuilt: () => void): Readiness {
  let isBuilt = false;
  let hasOutput = false;
  let hasCrashed = false;
  let settle = () => {};
  const ready = new Promise<void>((resolve) => {
    settle = resolve;
  });

  function built(): void {
    if (isBuilt) return;
    isBuilt = true;
    clearInterval(pollTimer);
    onBuilt();
    check();
  }

  function poll(hasLineOnStdout = false): void {
    if (!isBuilt && (hasStartedApp(pid) ?? hasLineOnStdout)) built();
  }

  function check(): void {
    if (isBuilt && hasOutput && !hasCrashed) setTimeout(() => hasCrashed || settle(), SETTLE_MS);
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
    ended: built,
    ready,
    hasOutput: () => hasOutput,
    isBuilt: () => isBuilt,
  };
}

/** Of `dotnet watch`: output of the program, or word that it waits: a build has failed, or the program has ended. */
export function createWatchReadiness(stateNow: () => WatchState): Readiness {
  let hasOutput = false;
  let isSettling = false;
  let settle = () => {};
  const ready = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    read(line, stream) {
      if (stream === 'stdout' && !isBuildLine(line)) hasOutput = true;
      if (isSettling || !(hasOutput || stateNow() === 'waiting')) return;
      isSettling = true;
      setTimeout(settle, SETTLE_MS);
    },
    ended() {},
    ready,
    hasOutput: () => hasOutput,
    isBuilt: () => hasOutput || stateNow() !== 'building',
  };
}
