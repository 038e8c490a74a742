import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { CAN_LEAD_GROUP, isGroupAlive, signalGroup } from '@mortise/process';
import type { OutputStream } from './command-run.js';
import { createLineSplitter } from './output.js';

export interface StartOptions {
  /** Absolute. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed; without it stdin is empty. */
  readonly stdin?: string;
  /** Whole lines with their line ends, or a piece of a very long one; both streams in order of arrival. */
  onText(text: string, stream: OutputStream): void;
}

/** A process that leads its own process group. */
export interface StartedProcess {
  readonly pid: number;
  /** The exit code, 128 + n for signal n; resolves when its output has been read. Never rejects. */
  readonly ended: Promise<number>;
  /** Signals the whole group, and kills the remaining processes after `graceMs`. Resolves when all of it is gone. */
  end(signal: 'SIGINT' | 'SIGTERM', graceMs: number): Promise<void>;
}

const POLL_MS = 20;
/** How long the rest of a group has after the end of an interrupted leader: build servers that only a kill ends. */
const INTERRUPT_MS = 500;
/** How long a kill may take. */
const KILL_MS = 2000;

/** Rejects with what the system said when the process cannot be started. */
export async function startProcess({ program, args, cwd, env, stdin, onText }: StartOptions): Promise<StartedProcess> {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: CAN_LEAD_GROUP,
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) throw await new Promise((resolve) => child.once('error', resolve));
  child.on('error', () => {});
  // It may end without reading it all.
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);

  let isStopping = false;
  let hasExited = false;
  const hasEnded = () => hasExited && !isGroupAlive(pid);
  const exited = new Promise<number>((resolve) => {
    child.once('exit', (code, exitSignal) => {
      hasExited = true;
      resolve(code ?? 128 + (constants.signals[exitSignal!] ?? 0));
    });
  });
  // Processes that were asked to end can still print, even if their leader has already ended.
  const ended = readOutput(child, onText, exited, () => isStopping && !hasEnded());

  return {
    pid,
    ended,
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

/** Without new output for this long, what the process wrote before its end has been read; in milliseconds. */
const QUIET_MS = 20;
/** For output that does not stop because another process writes to the pipe. */
const MAX_DRAIN_MS = 1000;

/** Resolves with the exit code when what was written has been read. */
async function readOutput(
  child: ChildProcess,
  onText: StartOptions['onText'],
  exited: Promise<number>,
  isExpectingMore: () => boolean,
): Promise<number> {
  let chunks = 0;
  const splitters = (['stdout', 'stderr'] as const).map((stream) => {
    const splitter = createLineSplitter((text) => onText(text, stream));
    child[stream]!.on('data', (chunk: Buffer) => {
      chunks += 1;
      splitter.write(chunk);
    });
    return splitter;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exitCode = await exited;
  await Promise.race([closed, whenQuiet(() => chunks, isExpectingMore)]);
  child.stdout!.destroy();
  child.stderr!.destroy();
  for (const splitter of splitters) splitter.end();
  return exitCode;
}

/** A build server that was started now holds the pipes, and keeps them open for minutes. */
async function whenQuiet(count: () => number, isExpectingMore: () => boolean): Promise<void> {
  const deadline = performance.now() + MAX_DRAIN_MS;
  let isExpecting: boolean;
  let seen: number;
  do {
    // Asked before the pause: what a process writes just before its end is read in it.
    isExpecting = isExpectingMore();
    seen = count();
    await sleep(QUIET_MS);
    // What came during a busy moment is read before this.
    await setImmediate();
  } while (isExpecting || (seen !== count() && performance.now() < deadline));
}
