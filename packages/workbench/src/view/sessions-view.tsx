import { useEffect, useRef, useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import { messageOf } from '../rpc/message-of.js';
import { request } from '../state/connection.js';
import { findByAuthorName, PROJECT_TOOL } from '../state/lists.js';
import { LongText } from './long-text.js';
import { formatTime, Notice } from './parts.js';

interface Session {
  readonly sessionId: string;
  readonly status: string;
  readonly target?: string;
  readonly startedAt?: string;
  readonly exitCode?: number;
}

const FOLLOW_SECONDS = 3_600;

/** Shows the programs that `dotnet_project` runs in the background. The user can follow their logs and stop them. */
export function SessionsView() {
  const [sessions, setSessions] = useState<readonly Session[]>();
  const [error, setError] = useState('');
  const load = async () => {
    try {
      const { sessions: list } = await callProject({ action: 'ListSessions' });
      setSessions((Array.isArray(list) ? list : []) as unknown as Session[]);
      setError('');
    } catch (problem) {
      setError(messageOf(problem));
    }
  };
  useEffect(() => void load(), []);
  return (
    <section class="page" aria-label="Sessions">
      <div class="page-head">
        <h1>Background sessions</h1>
        <button type="button" onClick={() => void load()}>
          Refresh
        </button>
      </div>
      {error && <Notice kind="bad" title={error} />}
      {!sessions && !error && <Notice title="Loading …" />}
      {sessions?.length === 0 && (
        <Notice title="No program runs in the background.">
          To start one, call <code>{findByAuthorName(PROJECT_TOOL)?.name}</code> with the action <code>Run</code> and
          the startMode <code>Background</code>.
        </Notice>
      )}
      {sessions?.map((session) => (
        <SessionCard key={session.sessionId} session={session} onChange={load} />
      ))}
    </section>
  );
}

function SessionCard({ session, onChange }: { session: Session; onChange: () => Promise<void> }) {
  const { sessionId, status, target, startedAt, exitCode } = session;
  const [isFollowed, setFollowed] = useState(false);
  const [stopError, setStopError] = useState('');
  const stop = async () => {
    setStopError('');
    await callProject({ action: 'Stop', sessionId }).catch((problem) => setStopError(messageOf(problem)));
    await onChange();
  };
  return (
    <article class="panel entry" aria-label={`Session ${sessionId}`}>
      <div class="entry-head">
        <strong>{target?.split(/[\\/]/).at(-1) ?? sessionId}</strong>
        <span class={`badge state-of-${status === 'running' ? 'good' : 'plain'}`}>{status}</span>
        <span class="hint">
          {startedAt && formatTime(Date.parse(startedAt))}
          {exitCode !== undefined && `, exit code ${exitCode}`}
        </span>
      </div>
      <code class="entry-args">{sessionId}</code>
      <div class="actions">
        <button type="button" aria-pressed={isFollowed} onClick={() => setFollowed(!isFollowed)}>
          {isFollowed ? 'Hide the log' : 'Show the log'}
        </button>
        {status === 'running' && (
          <button type="button" onClick={() => void stop()}>
            Stop
          </button>
        )}
      </div>
      {stopError && (
        <Notice kind="bad" title="The program was not stopped.">
          {stopError}
        </Notice>
      )}
      {isFollowed && <SessionLog sessionId={sessionId} onEnd={onChange} />}
    </article>
  );
}

/** The shortest time between two reads of the log. */
const READ_PAUSE_MS = 200;

/**
 * Shows the log of a session as it grows. One call follows the log, but its progress notifications may omit lines.
 * Therefore each notification triggers a second call, which reads the whole log.
 */
function SessionLog({ sessionId, onEnd }: { sessionId: string; onEnd: () => Promise<void> }) {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [error, setError] = useState('');
  const onEndRef = useRef(onEnd);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      timer = undefined;
      setLines(linesOf(await callProject({ action: 'Logs', sessionId }, signal)));
    };
    const fail = (problem: unknown) => {
      if (!signal.aborted) setError(messageOf(problem));
    };
    const args = { action: 'Logs', sessionId, follow: true, tailLines: 1, timeoutSeconds: FOLLOW_SECONDS };
    const onMore = () => {
      timer ??= setTimeout(() => void read().catch(fail), READ_PAUSE_MS);
    };
    const following = callProject(args, signal, onMore);
    Promise.all([following.then(read).then(() => onEndRef.current()), read()]).catch(fail);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [sessionId]);
  return (
    <>
      {error && <Notice kind="bad" title={error} />}
      <LongText text={lines.join('\n') || '(no output yet)'} label={`Log of ${sessionId}`} />
    </>
  );
}

function linesOf({ lines }: JsonObject): string[] {
  if (!Array.isArray(lines)) return [];
  return lines.filter(isObject).map(({ stream, text }) => (stream === 'stderr' ? `[stderr] ${text}` : String(text)));
}

/** @returns the structured content of the result @throws Error with the first message of an error result */
async function callProject(
  args: Readonly<Record<string, Json>>,
  signal?: AbortSignal,
  onProgress?: () => void,
): Promise<JsonObject> {
  const result = await request(
    'tools/call',
    { name: findByAuthorName(PROJECT_TOOL)?.name ?? PROJECT_TOOL, arguments: args },
    {
      ...(signal && { signal }),
      ...(onProgress && {
        onNotification: (method: string) => {
          if (method === 'notifications/progress') onProgress();
        },
      }),
    },
  );
  const data = isObject(result.structuredContent) ? result.structuredContent : {};
  if (result.isError === true) {
    const [first] = Array.isArray(data.errors) ? data.errors : [];
    throw new Error(isObject(first) ? String(first.message) : 'The call failed.');
  }
  return data;
}
