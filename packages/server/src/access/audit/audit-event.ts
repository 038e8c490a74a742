/** What a line can be about, for docs/spec/access.md#audit. */
export const AUDIT_EVENTS = {
  call: 'a call, prompt or read, however it ended',
  refused: 'no code of a plugin ran',
  'login-failed': 'a key that is not valid',
  reload: 'a reload',
  trust: 'a plugin or folder is trusted, or no longer',
  audit: 'the audit itself',
};

/** What a line contains, apart from its time. Members that are undefined are left out. AUDIT_MEMBERS says what they mean. */
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

/** Every member of a line, for docs/spec/access.md#audit. */
export const AUDIT_MEMBERS: Readonly<Record<keyof AuditEntry, string>> = {
  time: 'when the call had ended; ISO 8601, UTC',
  event: 'what the line is about',
  callId: '[the id of the call](#call-id)',
  principal: '[its name](#principals)',
  client: 'name and version, as the client says them',
  sessionId: 'the session over HTTP',
  address: "of a refusal over HTTP: the client's address",
  status: 'of a refusal over HTTP: the status of the response',
  method: 'the method of MCP; of a refusal over HTTP that of HTTP',
  plugin: 'the plugin that has the tool or prompt',
  target: "the tool's wire name, the prompt's name, the URI, or the path",
  action: 'the argument of that name',
  arguments:
    '`hmac-sha256:` and the HMAC-SHA-256 of the arguments as JSON with sorted keys, by a key of this installation (`audit.key` in [the folder of its data](docs/spec/plugin-api.md#data-folder), mode 0600): equal arguments can be recognised, and guesses need the key',
  redactedArguments:
    'the arguments themselves, with `Audit.Arguments` `redacted` only; of more than 16,384 characters only their number',
  outcome:
    '`ok`, the first code of the error, `JSON_RPC_<code>`, or [another word of the server](docs/error-codes.md#how-calls-end)',
  durationMs: 'the time in the server',
  bytes: 'about how many characters the result has as JSON',
  lock: '`lockInfo` of the result',
  details: 'of a reload, a change of trust, the audit itself, or refusals that had no line: what happened',
};
