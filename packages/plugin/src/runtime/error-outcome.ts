import { type ErrorCategory, type ErrorCode, errorCodeEntry } from '../error-codes.js';
import type { ErrorData, ErrorResult, LockInfo } from '../error-response.js';
import { failureText } from '../fail.js';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json.js';
import { failureUsed } from '../open-failures.js';
import { type FailureDetails, NO_MESSAGE } from '../result-details.js';
import type { ErrorOutcome, OutcomeBlock, OutcomeError } from './outcome.js';
import { toJsonValue } from './to-json-value.js';

/** An outcome with one error whose code is in the table. The table gives its category, hint and JSON-RPC code. */
export function errorOutcome(
  code: ErrorCode,
  message: OutcomeError['message'],
  overrides: Partial<OutcomeError> = {},
): ErrorOutcome {
  const { category, hint, mcpErrorCode } = errorCodeEntry(code)!;
  const error: OutcomeError = {
    code,
    message,
    category,
    ...(hint !== undefined && { hint }),
    rawOutput: '',
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...overrides,
  };
  return { kind: 'error', errors: [error], exitCode: -1 };
}

/**
 * TOOL_INVALID_RESULT. `what` completes the sentence "The tool returned …"; `rawOutput` is the part that can be shown.
 */
export function invalidResult(
  what: string,
  rawOutput: OutcomeError['rawOutput'] = '',
  subject = 'The tool',
): ErrorOutcome {
  return errorOutcome('TOOL_INVALID_RESULT', `${subject} returned ${what}`, { rawOutput });
}

/** TOOL_ERROR: the tool reports a failure in its own content blocks. */
export function toolError(message: OutcomeError['message'], content: OutcomeBlock[]): ErrorOutcome {
  const [first] = content;
  const rawOutput = first?.type === 'json' ? { json: first.value } : textOf(content);
  return { ...errorOutcome('TOOL_ERROR', message, { rawOutput }), content };
}

export function textOf(content: readonly OutcomeBlock[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/**
 * The outcome of `fail()`. The details come from a plugin, so members of the wrong type are ignored. `content` is
 * omitted if it is the text that `fail()` wrote and the code is not TOOL_ERROR, because the server then writes a better
 * text.
 */
export function failureOutcome(input: FailureDetails, content?: OutcomeBlock[]): ErrorOutcome {
  failureUsed(input);
  const details = toJsonValue(input);
  const { message, errors, exitCode, codes, structured, metadata, lockInfo, requiredCapabilities, output } =
    isJsonObject(details) ? details : {};
  const list = (Array.isArray(errors) ? errors : []).filter(isJsonObject).map(toError);
  if (list.length === 0) list.push(toError(message === undefined ? {} : { message }));
  const text = failureText({ message: isText(message) ? message : '', errors: list as ErrorResult[] });
  const isOwnText = content?.length === 1 && textOf(content) === text;
  const keepsContent = content !== undefined && !(isOwnText && list[0]?.code !== 'TOOL_ERROR');
  return {
    kind: 'error',
    errors: list,
    exitCode: isInteger(exitCode) ? exitCode : -1,
    ...(isText(message) && message !== list[0]?.message && { summary: message }),
    ...(isJsonObject(codes) && { codes: codes as ErrorOutcome['codes'] & object }),
    ...(keepsContent && { content }),
    ...(isJsonObject(structured) && { partialResult: structured }),
    ...(isJsonObject(metadata) && Object.keys(metadata).length > 0 && { metadata }),
    ...(isJsonObject(lockInfo) && { lockInfo: lockInfo as unknown as LockInfo }),
    ...(isText(output) && { output }),
    ...(isJsonObject(requiredCapabilities) && { requiredCapabilities }),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isInteger = (value: unknown): value is number => Number.isInteger(value);
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const CATEGORIES: Record<ErrorCategory, true> = {
  Validation: true,
  Compilation: true,
  Build: true,
  Package: true,
  Runtime: true,
  Capability: true,
  Concurrency: true,
  Cancellation: true,
  Tool: true,
  Unknown: true,
};

export const isCategory = (value: unknown): value is ErrorCategory =>
  typeof value === 'string' && Object.hasOwn(CATEGORIES, value);

const MEMBERS: [name: keyof OutcomeError, isValid: (value: JsonValue) => boolean][] = [
  ['hint', isText],
  ['explanation', isText],
  ['documentationUrl', isText],
  ['suggestedFixes', isTextList],
  ['alternatives', isTextList],
  ['mcpErrorCode', isInteger],
  ['data', isJsonObject],
  ['file', isText],
  ['line', isInteger],
  ['column', isInteger],
  ['rootCauseKind', isText],
  ['recommendedAction', (value) => value !== null],
];

function toError(input: JsonObject): OutcomeError {
  const code = isText(input.code) ? input.code : 'TOOL_ERROR';
  const message = isText(input.message) && input.message.trim() !== '' ? input.message : NO_MESSAGE;
  const category = isCategory(input.category) ? input.category : (errorCodeEntry(code)?.category ?? 'Tool');
  const rawOutput = typeof input.rawOutput === 'string' ? input.rawOutput : message;
  const error: OutcomeError = { code, message, category, rawOutput };
  for (const [name, isValid] of MEMBERS) {
    const value = input[name];
    if (value === undefined || !isValid(value)) continue;
    Object.assign(error, { [name]: name === 'data' ? toErrorData(value as JsonObject) : value });
  }
  return error;
}

function toErrorData({ command, exitCode, stderr, additionalData }: JsonObject): ErrorData {
  return {
    ...(typeof command === 'string' && { command }),
    ...(isInteger(exitCode) && { exitCode }),
    ...(typeof stderr === 'string' && { stderr }),
    ...(isJsonObject(additionalData) && { additionalData: scalarsAsText(additionalData) }),
  };
}

/** additionalData is a map of strings: numbers and booleans are converted, other values are omitted. */
function scalarsAsText(input: JsonObject): Record<string, string> {
  const texts: JsonObject = {};
  for (const [key, value] of Object.entries(input)) {
    if (typeof value !== 'object') setMember(texts, key, String(value));
  }
  return texts as Record<string, string>;
}
