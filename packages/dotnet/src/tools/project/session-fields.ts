import type { SessionInfo } from '../../sessions/session.js';

/** A session as results show it. */
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
