import { displayCommand } from '../process/command-run.js';
import type { DotnetProcesses } from '../process/dotnet-processes.js';
import { createDeadline, MAX_TIMER_MS } from '../process/run-dotnet.js';
import type { FailedStart, FollowRequest, SessionLine, SessionStart, SessionTable, StartedSession } from './session.js';
import { type OpenSession, openSession } from './start-session.js';

export interface SessionsOptions {
  readonly processes: DotnetProcesses;
  /** The time for which an ended session is kept, in milliseconds (`Sessions.KeepMs`). */
  readonly keepMs: number;
  /** The maximum number of lines that are kept of one session (`Sessions.MaxLines`). */
  readonly maxLines: number;
  /** The maximum size of the lines of one session, in bytes of UTF-8; default 4 MiB. */
  readonly maxBytes?: number;
  /** The maximum wait for the program's first output after the build, in milliseconds (`Sessions.StartWaitMs`). */
  readonly startWaitMs: number;
  /** The time between SIGTERM and SIGKILL, in milliseconds; default 5000. */
  readonly stopGraceMs?: number;
}

const MIB = 1024 * 1024;

export function createSessions(options: SessionsOptions): SessionTable {
  const { processes, keepMs, maxLines, maxBytes = 4 * MIB, startWaitMs, stopGraceMs = 5000 } = options;
  const sessions = new Map<string, OpenSession & { readonly owner: string }>();
  let isClosed = false;

  async function open(request: SessionStart, owner: string): Promise<OpenSession> {
    request.signal.throwIfAborted();
    if (isClosed) throw new Error('The server is shutting down');
    const session = await openSession(processes, request, { maxLines, maxBytes });
    sessions.set(session.id, Object.assign(session, { owner }));
    void session.ended.then(() => {
      setTimeout(() => sessions.delete(session.id), Math.min(keepMs, MAX_TIMER_MS)).unref();
    });
    if (isClosed) await session.stop(stopGraceMs);
    return session;
  }

  /**
   * Waits for the program's first output or its end: at most `startWaitMs` after the build, and never longer than the
   * call's timeout.
   */
  async function untilReady(
    { readiness: { built, ready }, ended }: OpenSession,
    { timeoutMs, signal }: SessionStart,
  ): Promise<void> {
    const limit = createDeadline(timeoutMs, signal);
    await Promise.race([built, ended, limit.over]);
    const wait = createDeadline(startWaitMs, signal);
    await Promise.race([ready, ended, wait.over, limit.over]);
    wait.stop();
    limit.stop();
  }

  const find = (id: string, owner: string) => {
    const session = sessions.get(id);
    return session?.owner === owner ? session : undefined;
  };

  return {
    of: (owner) => ({
      async start(request) {
        const session = await open(request, owner);
        await untilReady(session, request);
        if (request.signal.aborted) await session.stop(stopGraceMs);
        return answerOf(session, displayCommand('dotnet', request.args));
      },
      list: () =>
        [...sessions.values()].filter((session) => session.owner === owner).map((session) => session.details()),
      get: (id) => find(id, owner)?.details(),
      lines: (id, filter = {}) => find(id, owner)?.ring.read(filter),
      async follow(id, request) {
        const session = find(id, owner);
        if (session) await followLines(session, request);
        return session?.details();
      },
      async stop(id) {
        const session = find(id, owner);
        await session?.stop(stopGraceMs);
        return session?.details();
      },
    }),
    async close() {
      isClosed = true;
      await Promise.all([...sessions.values()].map((session) => session.stop(stopGraceMs)));
    },
  };
}

/**
 * Returns the answer to a start. A program that has already ended is a success only if it printed something and ended
 * with 0.
 */
function answerOf(session: OpenSession, command: string): StartedSession | FailedStart {
  const details = session.details();
  const hasCompleted = details.status === 'exited' && details.exitCode === 0 && session.readiness.hasOutput();
  if (details.status === 'running' || hasCompleted) {
    const { readiness } = session;
    const missing = readiness.hasOutput() ? undefined : readiness.isBuilt() ? 'output' : 'build';
    return { started: true, session: details, command, ...(missing && { missing }) };
  }
  const { lines } = session.ring.read({});
  const text = (some: readonly SessionLine[]) => some.map((line) => `${line.text}\n`).join('');
  return {
    started: false,
    session: details,
    command,
    output: text(lines),
    stdout: text(lines.filter(({ stream }) => stream === 'stdout')),
    stderr: text(lines.filter(({ stream }) => stream === 'stderr')),
  };
}

async function followLines(session: OpenSession, { stream, since, timeoutMs, signal, onLine }: FollowRequest) {
  const follower = (line: SessionLine) => {
    const passes =
      (stream === undefined || line.stream === stream) && (!since || Date.parse(line.at) >= since.getTime());
    if (passes) onLine(line);
  };
  session.followers.add(follower);
  const deadline = createDeadline(timeoutMs, signal);
  await Promise.race([session.ended, deadline.over]);
  deadline.stop();
  session.followers.delete(follower);
}
