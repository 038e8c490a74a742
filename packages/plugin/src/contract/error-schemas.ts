import {
  ANY_OBJECT,
  BOOLEAN,
  closed,
  complete,
  INTEGER,
  list,
  oneOf,
  STRING,
  STRING_MAP,
  STRINGS,
} from './schema-parts.js';

/** The lock that an operation held or was refused (docs/spec/contract.md#lock-info). */
export const LOCK_INFO = closed(
  {
    lockScope: oneOf('project', 'solution', 'workingDirectory', 'global'),
    lockKey: STRING,
    lockContended: { const: true },
    lockWaitedMs: INTEGER,
  },
  ['lockScope', 'lockKey'],
);

/** The link to the complete output of a command (docs/spec/contract.md#full-output). */
export const FULL_OUTPUT = complete({ uri: STRING, chars: INTEGER });

const step = <const K extends string, const P extends Readonly<Record<string, object>>>(actionKind: K, more: P) =>
  complete({ actionKind: { const: actionKind }, description: STRING, ...more });

/** The next action; all members of its kind are required (docs/spec/errors.md#root-cause-kinds). */
export const RECOMMENDED_ACTION = {
  anyOf: [
    step('CallTool', { toolName: STRING, arguments: ANY_OBJECT }),
    step('RunCommand', { command: STRING }),
    step('ManualStep', {}),
    step('OpenUrl', { url: STRING }),
    step('SetEnvironmentVariable', { variable: STRING, value: STRING }),
  ],
} as const;

export const ERROR_CATEGORY = oneOf(
  'Validation',
  'Compilation',
  'Build',
  'Package',
  'Runtime',
  'Capability',
  'Concurrency',
  'Cancellation',
  'Tool',
  'Unknown',
);

export const ERROR_DATA = closed(
  { command: STRING, exitCode: INTEGER, stderr: STRING, additionalData: STRING_MAP },
  [],
);

const PUBLISHED_MEMBERS = {
  code: STRING,
  message: STRING,
  category: ERROR_CATEGORY,
  hint: STRING,
  explanation: STRING,
  documentationUrl: STRING,
  suggestedFixes: STRINGS,
  alternatives: STRINGS,
  rawOutput: STRING,
  mcpErrorCode: INTEGER,
  data: ERROR_DATA,
} as const;

const ERROR_REQUIRED = ['code', 'message', 'category', 'rawOutput'] as const;

/** An error with exactly the members of the published contract (docs/spec/contract.md#published-members). */
export const PUBLISHED_ERROR_RESULT = closed(PUBLISHED_MEMBERS, ERROR_REQUIRED);

/** The text of a failure with `machineReadable: true`. */
export const PUBLISHED_ERROR_RESPONSE = closed(
  {
    success: { const: false },
    errors: { type: 'array', items: PUBLISHED_ERROR_RESULT, minItems: 1 },
    exitCode: INTEGER,
    metadata: STRING_MAP,
  },
  ['success', 'errors', 'exitCode'],
);

/** The text of a success with `machineReadable: true`. */
export const PUBLISHED_SUCCESS_RESULT = closed(
  { success: { const: true }, command: STRING, output: STRING, exitCode: { const: 0 }, metadata: STRING_MAP },
  ['success', 'output', 'exitCode'],
);

/** A plugin can give the next action as a string. */
const ANY_ACTION = { anyOf: [...RECOMMENDED_ACTION.anyOf, STRING] } as const;

const HELP = {
  hint: STRING,
  explanation: STRING,
  documentationUrl: STRING,
  suggestedFixes: STRINGS,
  rootCauseKind: STRING,
  recommendedAction: ANY_ACTION,
} as const;

export const ERROR_HELP = closed(HELP, []);

export const ERROR_RESULT = closed(
  {
    ...PUBLISHED_MEMBERS,
    file: STRING,
    line: INTEGER,
    column: INTEGER,
    rootCauseKind: STRING,
    recommendedAction: ANY_ACTION,
  },
  ERROR_REQUIRED,
);

/** Members of structuredContent that every failure has (docs/spec/contract.md#error-response). */
export const ERROR_MEMBERS = {
  success: { const: false },
  errors: { type: 'array', items: ERROR_RESULT, minItems: 1 },
  exitCode: INTEGER,
  codes: { type: 'object', additionalProperties: ERROR_HELP },
  metadata: ANY_OBJECT,
  lockInfo: LOCK_INFO,
  fullOutput: FULL_OUTPUT,
} as const;

export const ERROR_RESPONSE = closed(ERROR_MEMBERS, ['success', 'errors', 'exitCode']);

/** `data` of a JSON-RPC error (docs/spec/contract.md#protocol-errors). Some kinds of error add members. */
export const PROTOCOL_ERROR_DATA = {
  type: 'object',
  properties: {
    callId: STRING,
    code: STRING,
    problem: STRING,
    suggestions: STRINGS,
    requiredCapabilities: ANY_OBJECT,
  },
} as const;

/** Warnings and errors of MSBuild in structuredContent (docs/spec/dotnet-results.md#build-fields). */
export const DIAGNOSTIC = closed(
  {
    file: STRING,
    line: INTEGER,
    column: INTEGER,
    endLine: INTEGER,
    endColumn: INTEGER,
    code: STRING,
    message: STRING,
    severity: oneOf('error', 'warning'),
    count: INTEGER,
    project: STRING,
    projects: STRINGS,
    frameworks: STRINGS,
  },
  ['code', 'message', 'severity'],
);

/** Members that a success of every first-party tool can have. */
export const SUCCESS_MEMBERS = {
  success: { const: true },
  summary: STRING,
  changed: BOOLEAN,
  lockInfo: LOCK_INFO,
  metadata: STRING_MAP,
  fullOutput: FULL_OUTPUT,
  warnings: list(DIAGNOSTIC),
} as const;
