import { BUILTIN_RESULT, PROBLEM } from './builtin-results.js';
import { DOTNET_CODE } from './dotnet-code-result.js';
import { DOTNET_PROJECT, OPERATION, SESSION } from './dotnet-project-result.js';
import {
  DOTNET_DEV_CERTS,
  DOTNET_EF,
  DOTNET_HELP,
  DOTNET_PACKAGE,
  DOTNET_SDK,
  DOTNET_SERVER_CAPABILITIES,
  DOTNET_SERVER_INFO,
  DOTNET_SERVER_METRICS,
  DOTNET_SOLUTION,
  DOTNET_TOOL,
  DOTNET_WORKLOAD,
} from './dotnet-results.js';
import {
  DIAGNOSTIC,
  ERROR_CATEGORY,
  ERROR_DATA,
  ERROR_HELP,
  ERROR_MEMBERS,
  ERROR_RESPONSE,
  ERROR_RESULT,
  FULL_OUTPUT,
  LOCK_INFO,
  PROTOCOL_ERROR_DATA,
  PUBLISHED_ERROR_RESPONSE,
  PUBLISHED_ERROR_RESULT,
  PUBLISHED_SUCCESS_RESULT,
  RECOMMENDED_ACTION,
  SUCCESS_MEMBERS,
} from './error-schemas.js';
import { closed, INTEGER, partial, STRING_MAP, STRINGS, withOmittedCounts } from './schema-parts.js';

/** The version of the contract (docs/spec/contract.md#compatibility). */
export const CONTRACT_VERSION = '1.0.0';

/** structuredContent of a tool's success. `fields` are the fields of all its actions. */
const success = <const F extends Readonly<Record<string, object>>>(fields: F) =>
  partial(withOmittedCounts({ ...SUCCESS_MEMBERS, ...fields }));

/**
 * structuredContent of a tool's failure, which can have partial results too (docs/spec/contract.md#partial-results).
 */
const failure = <const F extends Readonly<Record<string, object>>>(fields: F) =>
  closed(
    {
      ...withOmittedCounts({ ...SUCCESS_MEMBERS, ...fields }),
      omittedErrors: INTEGER,
      errorCount: INTEGER,
      warningCount: INTEGER,
      unparsedErrorCount: INTEGER,
      unparsedWarningCount: INTEGER,
      ...ERROR_MEMBERS,
      metadata: STRING_MAP,
    },
    ['success', 'errors', 'exitCode'],
  );

const result = <const F extends Readonly<Record<string, object>>>(fields: F) =>
  ({ anyOf: [success(fields), failure(fields)] }) as const;

/** structuredContent of each first-party tool, by the tool's name. */
export const TOOL_RESULTS = {
  // `errors` of Validate are sentences about the project; the call is a success.
  dotnet_project: { anyOf: [success({ ...DOTNET_PROJECT, errors: STRINGS }), failure(DOTNET_PROJECT)] },
  dotnet_code: result(DOTNET_CODE),
  dotnet_package: result(DOTNET_PACKAGE),
  dotnet_solution: result(DOTNET_SOLUTION),
  dotnet_sdk: result(DOTNET_SDK),
  dotnet_ef: result(DOTNET_EF),
  dotnet_tool: result(DOTNET_TOOL),
  dotnet_workload: result(DOTNET_WORKLOAD),
  dotnet_dev_certs: result(DOTNET_DEV_CERTS),
  dotnet_help: result(DOTNET_HELP),
  dotnet_server_capabilities: result(DOTNET_SERVER_CAPABILITIES),
  dotnet_server_info: result(DOTNET_SERVER_INFO),
  dotnet_server_metrics: result(DOTNET_SERVER_METRICS),
  builtin_plugins: { anyOf: [BUILTIN_RESULT, ERROR_RESPONSE] },
  builtin_operate: { anyOf: [BUILTIN_RESULT, ERROR_RESPONSE] },
} as const;

export const CONTRACT_PARTS = {
  LockInfo: LOCK_INFO,
  FullOutput: FULL_OUTPUT,
  RecommendedAction: RECOMMENDED_ACTION,
  ErrorCategory: ERROR_CATEGORY,
  ErrorData: ERROR_DATA,
  ErrorHelp: ERROR_HELP,
  ErrorResult: ERROR_RESULT,
  ErrorResponse: ERROR_RESPONSE,
  PublishedErrorResult: PUBLISHED_ERROR_RESULT,
  PublishedErrorResponse: PUBLISHED_ERROR_RESPONSE,
  SuccessResult: PUBLISHED_SUCCESS_RESULT,
  ProtocolErrorData: PROTOCOL_ERROR_DATA,
  Diagnostic: DIAGNOSTIC,
  Session: SESSION,
  Operation: OPERATION,
  PluginProblem: PROBLEM,
} as const;

/** The whole contract as a JSON Schema (2020-12). Its `$defs` are the named parts and the result of each tool. */
export function contractSchema(): Record<string, unknown> {
  const schemas: Readonly<Record<string, object>> = { ...CONTRACT_PARTS, ...TOOL_RESULTS };
  const names = new Map<unknown, string>(Object.entries(CONTRACT_PARTS).map(([name, schema]) => [schema, name]));
  const $defs = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withReferences(schema, names)]),
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `mortise://contract/schema/${CONTRACT_VERSION}`,
    title: 'The contract of results',
    description:
      'What a call returns: SuccessResult and PublishedErrorResponse are the text with machineReadable: true; ErrorResponse is structuredContent of a failure; dotnet_* and builtin_* are structuredContent of the tools of these names.',
    anyOf: ['SuccessResult', 'PublishedErrorResponse', 'ErrorResponse', ...Object.keys(TOOL_RESULTS)].map((name) => ({
      $ref: `#/$defs/${name}`,
    })),
    $defs,
  };
}

/** The text of docs/spec/contract.schema.json and `mortise://contract/schema`. */
export function contractSchemaText(): string {
  return `${JSON.stringify(contractSchema(), null, 2)}\n`;
}

/** Replaces each named part inside of the schema by a reference. */
function withReferences(schema: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referenceOr(item, names));
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, referenceOr(value, names)]));
}

function referenceOr(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  const name = names.get(value);
  return name === undefined ? withReferences(value, names) : { $ref: `#/$defs/${name}` };
}
