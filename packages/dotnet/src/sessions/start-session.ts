import { randomBytes } from 'node:crypto';
import { secretLines } from '@mortise/plugin';
import { PLACEHOLDER } from '@mortise/redact/placeholder';
import type { OutputStream } from '../process/command-run.js';
import type { DotnetProcesses } from '../process/dotnet-processes.js';
import { linesOf } from '../process/output.js';
import { createLineRing, type LineRing } from './line-buffer.js';
import { createRunReadiness, createWatchReadiness, type Readiness } from './readiness.js';
import type { SessionInfo, SessionLine, SessionStart } from './session.js';
import { createWatchReader } from './watch-state.js';

/** A session whose process has been started. */
export interface OpenSession {
  readonly id: string;
  readonly ring: LineRing;
  readonly readiness: Readiness;
  readonly followers: Set<(line: SessionLine) => void>;
  readonly ended: Promise<void>;
  details(): SessionInfo;
  /**
   * Sends SIGTERM to the whole process group, and SIGKILL after `graceMs`. A signal to `dotnet watch` alone would leave
   * its program running.
   */
  stop(graceMs: number): Promise<void>;
}

export interface SessionLimits {
  readonly maxLines: number;
  /** The maximum size in UTF-8 of the lines of one session. */
  readonly maxBytes: number;
}

/** The output is not shown in a terminal, and no user waits for a browser. */
const WATCH_ENVIRONMENT = { DOTNET_WATCH_SUPPRESS_EMOJIS: '1', DOTNET_WATCH_SUPPRESS_LAUNCH_BROWSER: '1' };

/** Starts the process of a session. @throws DotnetNotFoundError */
export async function openSession(
  processes: DotnetProcesses,
  { args, cwd, target, kind, env, markSecrets, onBuilt }: SessionStart,
  { maxLines, maxBytes }: SessionLimits,
): Promise<OpenSession> {
  const id = `${kind}-${randomBytes(4).toString('hex')}`;
  const ring = createLineRing(maxLines, maxBytes);
  const followers = new Set<(line: SessionLine) => void>();
  const urls = new Set<string>();
  const watch = kind === 'watch' ? createWatchReader() : undefined;
  // Keys of several lines are marked when they arrive, because the ring may drop their first lines.
  const markers = { stdout: secretLines(), stderr: secretLines() };
  const { markValues } = await import('./mark-values.js');
  const valueMarkers = { stdout: markValues(), stderr: markValues() };
  const startedAt = new Date().toISOString();
  let end: Pick<SessionInfo, 'status' | 'exitCode' | 'endedAt'> = { status: 'running' };
  let isStopping = false;

  const process = await processes.start({
    args,
    cwd,
    env: { ...env, ...(watch && WATCH_ENVIRONMENT) },
    onText(text, stream) {
      for (const line of linesOf(text)) add(withoutLoginToken(line), stream);
    },
  });
  const readiness = watch
    ? createWatchReadiness(() => watch.state)
    : createRunReadiness(process.pid, () => onBuilt?.());

  function add(raw: string, stream: OutputStream): void {
    const text = markSecrets?.(raw) ?? raw;
    const line = { at: new Date().toISOString(), stream, text: valueMarkers[stream](markers[stream](text)) };
    ring.add(line);
    const url = announcedUrl(text);
    if (url !== undefined) urls.add(url);
    watch?.read(text, stream);
    readiness.read(text, stream);
    for (const follower of followers) follower(line);
  }

  const ended = process.ended.then((exitCode) => {
    end = { status: isStopping ? 'stopped' : 'exited', exitCode, endedAt: new Date().toISOString() };
    readiness.ended();
  });

  return {
    id,
    ring,
    readiness,
    followers,
    ended,
    details: () => ({
      sessionId: id,
      kind,
      pid: process.pid,
      target,
      ...end,
      ...(watch && end.status === 'running' && { state: watch.state }),
      startedAt,
      urls: [...urls],
    }),
    async stop(graceMs) {
      if (end.status !== 'running') return;
      isStopping = true;
      await process.end('SIGTERM', graceMs);
      await ended;
    },
  };
}

/** Match the lines in which ASP.NET Core, or the dashboard of Aspire, announces its address. */
const ANNOUNCEMENTS = [
  /\bNow listening on: (https?:\/\/[^\s"'<>]+)/,
  /\b(?:Login to the dashboard at|Dashboard:)\s+(https?:\/\/[^\s"'<>]+)/,
  /(https?:\/\/[^\s"'<>]+\/login\?t=[^\s"'<>]+)/,
];

/** Returns the address that a line of a program's output announces, if any. */
export function announcedUrl(line: string): string | undefined {
  for (const announcement of ANNOUNCEMENTS) {
    const url = announcement.exec(line)?.[1]?.replace(/[.,;)]+$/, '');
    if (url !== undefined) return url;
  }
  return undefined;
}

/** Replaces the login token of an Aspire dashboard, because it gives access to the dashboard. */
export function withoutLoginToken(line: string): string {
  return line.replace(/(\/login\?t=)[^\s"'<>&]+/g, `$1${PLACEHOLDER}`);
}
