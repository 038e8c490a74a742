import type { ActionContext, ActionResult } from '../../actions/action.js';
import type { OtherLock } from '../../locks/lock.js';
import type { OperationInfo } from '../../operations.js';
import type { SessionInfo } from '../../sessions/session.js';

/**
 * Lists background sessions, calls in progress, aborted calls with their remaining processes, and locks of other
 * servers.
 */
export async function listSessions({ services, sessions: own, operation }: ActionContext): Promise<ActionResult> {
  const sessions = own.list();
  const operations = services.operations.list(operation);
  const others = await services.locks.others();
  const lines = [...sessions.map(sessionLine), ...operations.map(operationLine), ...others.map(otherLine)];
  return {
    data: {
      sessions: sessions.map((session) => ({ ...sessionFields(session), kind: session.kind })),
      operations: [...operations, ...others.map((other) => ({ ...other, state: 'running' }))],
    },
    text: lines.join('\n') || 'No sessions, and no operations in progress',
  };
}

function sessionLine({ sessionId, kind, status, target, pid }: SessionInfo): string {
  return `${sessionId} ${kind} ${status} (pid ${pid}) ${target}`;
}

const STATES = {
  waiting: 'waiting for a lock',
  running: 'running',
  stopping: 'being stopped',
  cancelled: 'cancelled',
  'timed out': 'timed out',
} as const satisfies Record<OperationInfo['state'], string>;

function operationLine({ tool, action, target, state, startedAt, endedAt, processes }: OperationInfo): string {
  const name = action === undefined ? tool : `${tool} ${action}`;
  const time = endedAt === undefined ? `since ${startedAt}` : `at ${endedAt}`;
  return `${name} of ${target}: ${STATES[state]} ${time}${processText(processes, endedAt !== undefined)}`;
}

function processText(processes: OperationInfo['processes'], isOver: boolean): string {
  if (processes === undefined) return '';
  if (processes.length === 0) return isOver ? '; no process of it is running' : '';
  const named = processes.map(({ pid, name }) => `${name} ${pid}`).join(', ');
  return isOver ? `; still running: ${named}` : ` (${named})`;
}

function otherLine({ operation, target, startedAt, ownerPid, ownerHost }: OtherLock): string {
  return `${operation} of ${target} by another server (process ${ownerPid} on ${ownerHost}): running since ${startedAt}`;
}

export function sessionFields({
  sessionId,
  status,
  exitCode,
  startedAt,
  endedAt,
  target,
  pid,
  state,
  urls,
}: SessionInfo): object {
  return {
    sessionId,
    status,
    ...(exitCode !== undefined && { exitCode }),
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    target,
    pid,
    ...(state && { state }),
    ...(urls.length > 0 && { urls }),
  };
}
