import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { HAS_PROCESS_GROUPS, isGroupAlive, signalGroup } from '@mortise/process';
import type { OutputStream } from './command-run.js';
import { createLineSplitter } from './output.js';

export interface StartOptions {
  /** The absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The content of stdin; default: empty. */
  readonly stdin?: string;
  /** Leaves stdin open for {@link StartedProcess.write} after `stdin` was written. */
  readonly keepsStdinOpen?: boolean;
  /**
   * Called with whole lines with their line ends, or with a piece of a very long line. The texts of both streams come
   * in order of arrival.
   */
  onText(text: string, stream: OutputStream): void;
}

/** A process that leads its own process group. */
export interface StartedProcess {
  readonly pid: number;
  /** Resolves with the exit code, 128 + n for signal n, when the output has been read. Never rejects. */
  readonly ended: Promise<number>;
  /** Writes to stdin, which must be open. */
  write(text: string): void;
  /** Signals the whole group, and kills the remaining processes after `graceMs`. Resolves when the group has ended. */
  end(signal: 'SIGINT' | 'SIGTERM', graceMs: number): Promise<void>;
}

const POLL_MS = 20;
/**
 * The time that the rest of a group gets after its interrupted leader has ended. Build servers end only when they are
 * killed.
 */
const INTERRUPT_MS = 500;
/** The maximum wait for killed processes to end. */
const KILL_MS = 2000;

/** Starts a program. Rejects with the error of the system if that fails. */
export async function startProcess(options: StartOptions): Promise<StartedProcess> {
  const { program, args, cwd, env, stdin, keepsStdinOpen = false, onText } = options;
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: [stdin === undefined && !keepsStdinOpen ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: HAS_PROCESS_GROUPS,
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  child.on('error', () => {});
  // The process may end before it has read all of its stdin.
  child.stdin?.on('error', () => {});
  if (stdin !== undefined) child.stdin?.write(stdin);
  if (!keepsStdinOpen) child.stdin?.end();

  let isStopping = false;
  let hasExited = false;
  const hasEnded = () => hasExited && !isGroupAlive(pid);
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, exitSignal) => {
      hasExited = true;
      resolve(code ?? 128 + (constants.signals[exitSignal!] ?? 0));
    });
  });
  // Processes that are being ended can still print, even if their leader has already ended.
  const ended = readOutput(child, onText, exited, () => isStopping && !hasEnded());

  return {
    pid,
    ended,
    write(text) {
      child.stdin!.write(text);
    },
    async end(signal, graceMs) {
      if (hasEnded()) return;
      isStopping = true;
      signalGroup(pid, signal);
      const interruptMs = signal === 'SIGINT' ? Math.min(INTERRUPT_MS, graceMs) : graceMs;
      await Promise.race([waitFor(hasEnded, graceMs), exited.then(() => waitFor(hasEnded, interruptMs))]);
      if (!hasEnded()) signalGroup(pid, 'SIGKILL');
      await waitFor(hasEnded, KILL_MS);
      isStopping = false;
      await ended;
    },
  };
}

async function waitFor(isReached: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isReached() && performance.now() < deadline) await sleep(POLL_MS);
}

/** If no output arrives for this time, everything that the process wrote before its end has been read. */
const QUIET_MS = 20;
/** The maximum time for reading after the end of the process, in case another process keeps writing to the pipe. */
const MAX_DRAIN_MS = 1000;

/** Resolves with the exit code when all output of the process has been read. */
async function readOutput(
  child: ChildProcess,
  onText: StartOptions['onText'],
  exited: Promise<number>,
  isExpectingMore: () => boolean,
): Promise<number> {
  let chunkCount = 0;
  const splitters = (['stdout', 'stderr'] as const).map((stream) => {
    const splitter = createLineSplitter((text) => onText(text, stream));
    child[stream]!.on('data', (chunk: Buffer) => {
      chunkCount += 1;
      splitter.write(chunk);
    });
    return splitter;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exitCode = await exited;
  await Promise.race([closed, whenQuiet(() => chunkCount, isExpectingMore)]);
  child.stdout!.destroy();
  child.stderr!.destroy();
  for (const splitter of splitters) splitter.end();
  return exitCode;
}

/**
 * Resolves when no output arrives any more. The end of the streams cannot be awaited, because a build server that the
 * command started keeps the pipes open for minutes.
 */
async function whenQuiet(chunkCount: () => number, isExpectingMore: () => boolean): Promise<void> {
  const deadline = performance.now() + MAX_DRAIN_MS;
  let isExpecting: boolean;
  let previousCount: number;
  do {
    // This is asked before the pause, because output that a process writes just before its end arrives during it.
    isExpecting = isExpectingMore();
    previousCount = chunkCount();
    await sleep(QUIET_MS);
    // If the event loop was busy, this lets it read the output that has arrived.
    await setImmediate();
  } while (isExpecting || (previousCount !== chunkCount() && performance.now() < deadline));
}
