/** The events of audit lines, with their descriptions in docs/spec/audit.md#audit. */
export const AUDIT_EVENTS = {
  call: 'a call, prompt or read, however it ended',
  refused: 'a call or request that was refused before any code of a plugin ran',
  'login-failed': 'a request with a key or token that is not valid',
  reload: 'a reload of the plugins and settings',
  trust: 'a plugin or folder was trusted, or is no longer trusted',
  audit: 'the audit itself: lines that had to wait, or are lost',
};

/** The members of an audit line without its time; AUDIT_MEMBERS describes them. Undefined members are not written. */
export interface AuditEvent {
  readonly event: keyof typeof AUDIT_EVENTS;
  readonly callId?: string | undefined;
  readonly principal?: string | undefined;
  readonly client?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly address?: string | undefined;
  readonly status?: number | undefined;
  readonly method?: string | undefined;
  readonly plugin?: string | undefined;
  readonly target?: string | undefined;
  readonly action?: string | undefined;
  readonly arguments?: string | undefined;
  readonly redactedArguments?: unknown;
  readonly outcome: string;
  readonly durationMs?: number | undefined;
  readonly bytes?: number | undefined;
  readonly lock?: unknown;
  readonly details?: unknown;
}

/** A line of the audit. */
export interface AuditEntry extends AuditEvent {
  readonly time: string;
}

/**
 * The descriptions of all members in docs/spec/audit.md#audit. `call/observers/audit-calls.ts` fills those of a call.
 * After a change, run `npm run generate`.
 */
export const AUDIT_MEMBERS: Readonly<Record<keyof AuditEntry, string>> = {
  time: 'when the call ended; ISO 8601, UTC',
  event: 'what the line is about',
  callId: '[the id of the call](#call-id)',
  principal: '[its name](docs/spec/access.md#principals)',
  client: 'name and version, as the client says them',
  sessionId: 'the session over HTTP',
  address: "only for refusals over HTTP: the client's address",
  status: 'only for refusals over HTTP: the status of the response',
  method: 'the method of MCP, or for refusals over HTTP the method of HTTP',
  plugin: 'the plugin that has the tool or prompt',
  target: "the tool's wire name, the prompt's name, the URI, or the path",
  action: 'the value of the argument `action`',
  arguments: 'a [keyed hash](#audit-arguments) of the arguments',
  redactedArguments:
    'the redacted arguments, if `Audit.Arguments` is `redacted`; if they have more than 16,384 characters, only the number of these',
  outcome:
    '`ok`, the first code of the error, `JSON_RPC_<code>`, or [another word of the server](docs/error-codes.md#how-calls-end)',
  durationMs: 'the time in the server',
  bytes: 'about how many characters the result has as JSON',
  lock: '`lockInfo` of the result',
  details: 'what happened at a reload, at a change of trust, to the audit itself, or to refusals that had no line',
};
