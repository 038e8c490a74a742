/** The area that an error belongs to (docs/spec/contract.md#categories). */
export type ErrorCategory =
  | 'Validation'
  | 'Compilation'
  | 'Build'
  | 'Package'
  | 'Runtime'
  | 'Capability'
  | 'Concurrency'
  | 'Cancellation'
  | 'Tool'
  | 'Unknown';

export interface ErrorCodeEntry {
  readonly category: ErrorCategory;
  /** The JSON-RPC code for orchestrators, if the contract gives one. */
  readonly mcpErrorCode?: number;
  /** The next action, unless the error gives a better one. */
  readonly hint?: string;
  /** Says when the error is raised, for the documentation. */
  readonly meaning: string;
  /** True if the server refuses the call before any code of a plugin runs. */
  readonly isRefusal?: true;
  /**
   * The time in milliseconds after which the same call can succeed, unless the error gives another one. Nothing was
   * run.
   */
  readonly retryAfterMs?: number;
  /** True if only the server knows the next action. A tool that fails with this code gives a hint of its own. */
  readonly isOfServer?: true;
}

/**
 * The code table of the contract. Append-only: a code never changes its meaning (docs/spec/contract.md#error-codes).
 * The server's messages are in `call/results/error-outcomes.ts`. After a change, run `npm run generate`.
 */
export const ERROR_CODES = {
  INVALID_PARAMS: {
    category: 'Validation',
    mcpErrorCode: -32602,
    hint: 'Verify the parameter values and try again.',
    meaning: 'An argument is missing, empty, of the wrong type or not allowed. Nothing was run.',
  },
  CAPABILITY_NOT_AVAILABLE: {
    category: 'Capability',
    mcpErrorCode: -32603,
    hint: 'Consider using one of the suggested alternatives.',
    meaning: 'The feature exists, but not in this environment, with these settings or with this client.',
  },
  CONCURRENCY_CONFLICT: {
    category: 'Concurrency',
    mcpErrorCode: -32603,
    hint: 'Wait for the conflicting operation to complete, or cancel it before retrying this operation.',
    meaning: 'Another operation holds the lock on the target.',
    retryAfterMs: 1_000,
  },
  OPERATION_CANCELLED: {
    category: 'Cancellation',
    mcpErrorCode: -32603,
    hint: 'Call again if the result is still needed.',
    meaning: 'The call was cancelled before it finished.',
  },
  OPERATION_TIMEOUT: {
    category: 'Cancellation',
    mcpErrorCode: -32603,
    hint: 'Raise Tools.TimeoutMs, or the timeoutMs of the tool, if the work really takes longer.',
    meaning: 'The call exceeded its time limit.',
    isOfServer: true,
  },
  TOOL_ERROR: {
    category: 'Tool',
    meaning: 'The tool reported a failure in its own words.',
  },
  TOOL_EXCEPTION: {
    category: 'Tool',
    hint: 'The tool threw instead of returning a result. Its author can return fail(message) to say what is wrong.',
    meaning: 'The code of the tool threw, or its promise was rejected.',
    isOfServer: true,
  },
  TOOL_INVALID_RESULT: {
    category: 'Tool',
    hint: 'Return a string, { content }, ok(…), fail(…) or any value that JSON can hold.',
    meaning: 'The tool returned something that is not a result.',
  },
  TOOL_BUSY: {
    category: 'Concurrency',
    mcpErrorCode: -32603,
    hint: 'Try again when the running calls have ended.',
    meaning: 'Too many calls are already running and queued, or too many questions of the plugin are open.',
    isRefusal: true,
    retryAfterMs: 1_000,
    isOfServer: true,
  },
  RATE_LIMITED: {
    category: 'Concurrency',
    mcpErrorCode: -32603,
    hint: 'Try again after retryAfterMs.',
    meaning:
      'The caller has reached a limit that the operator has set: calls in a period, calls at the same time, or the size of results.',
    isRefusal: true,
    retryAfterMs: 1_000,
    isOfServer: true,
  },
  AUDIT_UNAVAILABLE: {
    category: 'Runtime',
    mcpErrorCode: -32603,
    hint: 'Ask the operator to make the file of Audit.File writable. The log says why it cannot be written.',
    meaning: 'The audit cannot be written, and the operator lets no call run without it (Audit.OnFailure).',
    isRefusal: true,
    isOfServer: true,
  },
  SCOPE_MISSING: {
    category: 'Capability',
    mcpErrorCode: -32603,
    hint: 'Ask the operator to add the scope to the access key.',
    meaning: 'The access key, or a client without one, has no scope for this operation.',
    isRefusal: true,
    isOfServer: true,
  },
  PLUGIN_CRASHED: {
    category: 'Tool',
    hint: 'The next call starts the plugin again. Its last output is in rawOutput.',
    meaning: 'The process of the plugin ended while the call was running.',
    isOfServer: true,
  },
  PLUGIN_UNAVAILABLE: {
    category: 'Capability',
    mcpErrorCode: -32603,
    hint: 'Run `mortise doctor` to see why the plugin does not load.',
    meaning: 'The tool is known, but its plugin cannot be loaded now.',
    isOfServer: true,
  },
  NO_TESTS_RAN: {
    category: 'Build',
    hint: 'data.additionalData.reason says why: the filter, the adapter, the test runner or a missing build.',
    meaning:
      'A test run ended without running any test. `reason`: malformed filter, filter matches nothing, no adapter, wrong runner, not built.',
  },
  RESOURCE_NOT_FOUND: {
    category: 'Validation',
    mcpErrorCode: -32002,
    hint: 'Look the URI up in resources/list and resources/templates/list.',
    meaning:
      'The plugin of the resource or template has nothing under the URI. With protocol 2026-07-28 the JSON-RPC code is -32602.',
  },
  ANSWER_INVALID: {
    category: 'Validation',
    mcpErrorCode: -32602,
    hint: 'Call the tool again, and answer its question with values that fit the schema of the question.',
    meaning:
      "The client's answer to a question of the tool does not fit the schema of the question. Nothing after the question was run.",
  },
  ANSWER_TIMEOUT: {
    category: 'Cancellation',
    mcpErrorCode: -32603,
    hint: 'Call the tool again when someone can answer, or raise Tools.AnswerWaitMs.',
    meaning: 'No one answered a question of the tool within Tools.AnswerWaitMs. Nothing after the question was run.',
  },
  QUESTION_FAILED: {
    category: 'Runtime',
    mcpErrorCode: -32603,
    hint: "Read the client's reason in the message, and call the tool again when the client can answer.",
    meaning: 'The client answered a question of the tool with an error. Nothing after the question was run.',
  },
  PLUGIN_CONFINED: {
    category: 'Runtime',
    mcpErrorCode: -32603,
    meaning: 'The plugin tried something that Plugins.Confine does not allow it. The message has the path.',
  },
  TASK_LOST: {
    category: 'Runtime',
    mcpErrorCode: -32603,
    hint: 'Find out what the call has done before you call the tool again: data.safeToRepeat is false.',
    meaning:
      'The replica that ran the task ended before the task had a result. data.safeToRepeat says whether the call can be repeated without a further effect.',
    isOfServer: true,
  },
  STATE_UNAVAILABLE: {
    category: 'Runtime',
    mcpErrorCode: -32603,
    hint: 'Send the request again after retryAfterMs.',
    meaning: 'The store of the state that replicas share (State.Redis) cannot be used now. Nothing was changed.',
    isRefusal: true,
    retryAfterMs: 1_000,
    isOfServer: true,
  },
  INTERNAL_ERROR: {
    category: 'Unknown',
    mcpErrorCode: -32603,
    hint: 'This is a bug in the server, not in the call. The log has the details under the call id.',
    meaning: 'The server itself failed. Only the log has the text of the exception.',
    isOfServer: true,
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** A code of the table. Tools can also use their own codes. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** The entry of a code; undefined for a code that is a plugin's own. */
export function errorCodeEntry(code: string): ErrorCodeEntry | undefined {
  return Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as ErrorCode] : undefined;
}
