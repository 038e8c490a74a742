import { type Action, type ActionContext, ActionError, type ActionResult } from '../../actions/action.js';
import { parseSince } from '../../actions/checks.js';
import { fitting } from '../../advice/shared-help.js';
import type { CommandRun } from '../../process/command-run.js';
import type { FailedStart, SessionLine, SessionStart, StartedSession } from '../../sessions/session.js';
import { environmentOf } from './environment.js';
import { listSessions, sessionFields } from './list-sessions.js';
import { runFailed } from './run-failed.js';

/**
 * Starts Run or Watch in the background. The lock is held until the program itself runs
 * (docs/spec/contract.md#lock-info).
 * @throws ActionError if the program does not start
 */
export async function startSession(
  call: ActionContext,
  { kind, args }: Pick<SessionStart, 'kind' | 'args'>,
): Promise<ActionResult> {
  const { sessions } = call;
  const target = call.resolve(call.args.project ?? '.');
  let isBuilt = () => {};
  if (call.lockInfo) call.holdLockUntil(new Promise<void>((resolve) => (isBuilt = resolve)));
  try {
    const { signal } = call.context;
    const secretMarking = call.secrets && { markSecrets: call.secrets.markSecrets };
    const env = environmentOf(call.args);
    const onBuilt = () => isBuilt();
    const start = await sessions.start({
      ...{ args, cwd: call.cwd, target, kind, env, ...secretMarking, signal, onBuilt },
      timeoutMs: call.timeLeftMs,
    });
    if (!start.started) throw startFailed(start, kind, args, call);
    return started(start);
  } catch (error) {
    isBuilt();
    throw error;
  }
}

/** The notes for a start that was answered before its first output. */
const NOT_YET = { build: 'still building, no output yet', output: 'running, no output yet' } as const;

function started({ session, command, missing }: StartedSession): ActionResult {
  const { sessionId, pid, target, startedAt, status, state, urls } = session;
  const note = missing && NOT_YET[missing];
  const lines = [
    'Process started in background mode',
    `Session ID: ${sessionId}`,
    `PID: ${pid}`,
    `Target: ${target}`,
    ...(note ? [`Note: ${note}`] : []),
    ...urls.map((url) => `URL: ${url}`),
    `Logs: dotnet_project {"action":"Logs","sessionId":"${sessionId}"}`,
    `Stop: dotnet_project {"action":"Stop","sessionId":"${sessionId}"}`,
  ];
  return {
    data: {
      success: true,
      sessionId,
      pid,
      target,
      startedAt,
      status,
      ...(state && { state }),
      ...(urls.length > 0 && { urls }),
      ...(note && { note }),
      summary: lines[0],
    },
    text: lines.join('\n'),
    isTextOnly: true,
    command,
  };
}

function startFailed(
  { session, command, output, stdout, stderr }: FailedStart,
  kind: string,
  args: CommandRun['args'],
  call: ActionContext,
): ActionError {
  const { exitCode = -1, startedAt, endedAt, status } = session;
  const startTime = new Date(startedAt);
  return runFailed(
    {
      args,
      command,
      cwd: call.cwd,
      terminatedBy: status === 'stopped' ? 'cancelled' : 'exited',
      exitCode,
      output,
      stdout,
      stderr,
      omittedBytes: 0,
      startedAt: startTime,
      durationMs: endedAt === undefined ? 0 : Date.parse(endedAt) - startTime.getTime(),
    },
    kind === 'watch' ? 'Watch' : 'Run',
    sessionFields(session),
    call,
  );
}

function notFound(sessionId: string): ActionError {
  const message = `Session '${sessionId}' was not found`;
  return new ActionError(message, {
    code: 'INVALID_PARAMS',
    hint: 'Look for it with dotnet_project ListSessions. After its end, a session is kept for Dotnet.Sessions.KeepMs.',
    data: { exitCode: -1, additionalData: { parameter: 'sessionId', reason: 'not found', providedValue: sessionId } },
  });
}

const lineText = ({ stream, text }: SessionLine) => `${stream === 'stderr' ? '[stderr] ' : ''}${text}`;

/**
 * Returns the lines of a session. With `follow`, new lines are first sent as progress until the call's time is over.
 */
async function logs(call: ActionContext): Promise<ActionResult> {
  const { sessions } = call;
  const { sessionId, tailLines, since, stream, follow } = call.args;
  const from = since === undefined ? undefined : parseSince(since);
  const filter = { ...(from && { since: from }), ...(stream && { stream }) };
  if (!sessions.get(sessionId!)) throw notFound(sessionId!);
  if (follow) await followLines(call, filter.stream);
  const sessionLines = sessions.lines(sessionId!, { ...filter, ...(tailLines !== undefined && { tailLines }) });
  const session = sessions.get(sessionId!);
  if (!sessionLines || !session) throw notFound(sessionId!);
  const { lines: requestedLines, total } = sessionLines;
  const lines = lastFitting(requestedLines, MAX_LINES_CHARS);
  const isPartial = lines.length < requestedLines.length;
  const truncated = sessionLines.truncated || isPartial;
  const { status, exitCode, startedAt } = session;
  const textOf = (items: readonly SessionLine[]) => items.map(lineText).join('\n');
  const text = [
    `Logs for session '${sessionId}':`,
    `Status: ${status}${exitCode === undefined ? '' : ` (exit code ${exitCode})`}`,
    `Start Time: ${startedAt}`,
    ...(truncated ? [`Returned ${lines.length} of ${total} lines`] : []),
    '=== Output ===',
    ...(lines.length > 0 ? [textOf(lines)] : []),
  ].join('\n');
  return {
    data: { ...sessionFields(session), lines, truncated },
    text,
    isTextOnly: true,
    ...(isPartial && { isPartial, output: textOf(requestedLines) }),
  };
}

/** The maximum size of the lines as JSON, in characters. Earlier lines are only in the `fullOutput`. */
const MAX_LINES_CHARS = 24_000;

/** Returns the last lines whose JSON has at most `maxChars` characters, but at least one line. */
function lastFitting(lines: readonly SessionLine[], maxChars: number): readonly SessionLine[] {
  return fitting([...lines].reverse(), maxChars).reverse();
}

async function followLines(call: ActionContext, stream: SessionLine['stream'] | undefined): Promise<void> {
  const { progress, signal } = call.context;
  let count = 0;
  await call.sessions.follow(call.args.sessionId!, {
    ...(stream && { stream }),
    timeoutMs: call.timeLeftMs,
    signal,
    onLine(line) {
      count++;
      progress.report(Math.min(99, 99 * (count / (count + 100))), lineText(line));
    },
  });
}

export const sessionActions: Record<string, Action> = {
  Stop: {
    required: ['sessionId'],
    isReadOnly: false,
    execute: async (call) => {
      const { sessionId } = call.args;
      const before = call.sessions.get(sessionId!);
      const session = await call.sessions.stop(sessionId!);
      if (!session) throw notFound(sessionId!);
      const wasRunning = before?.status === 'running';
      const text = wasRunning
        ? `Successfully stopped session '${sessionId}'`
        : `Session '${sessionId}' had ended already`;
      return {
        data: { success: true, ...(!wasRunning && { changed: false }), ...sessionFields(session), summary: text },
        text,
        isTextOnly: true,
      };
    },
  },
  Logs: {
    required: ['sessionId'],
    optional: ['tailLines', 'since', 'stream', 'follow'],
    isReadOnly: true,
    lists: 'lines',
    execute: logs,
  },
  ListSessions: { isReadOnly: true, lists: 'sessions', execute: listSessions },
};
