import { types } from 'node:util';
import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json.js';
import { isMedia } from '../media.js';
import { FAILURE, type FailureDetails, NO_MESSAGE, SUCCESS, type SuccessDetails } from '../result-details.js';
import { type BlockOptions, MalformedContentError, parseBlocks } from './content-blocks.js';
import { describeError, describeValue, isError, messageOfError } from './describe.js';
import { failureOutcome, invalidResult, textOf, toolError } from './error-outcome.js';
import type { ErrorOutcome, Outcome, OutcomeBlock, OutcomeError } from './outcome.js';
import { withCamelCaseMembers } from './published-members.js';
import { NotSerializableError, toJsonValue, toPartialJsonValue, toResultValue } from './to-json-value.js';

/** Options that accept the looser forms of a plugin's own result, with a callback for repairs. */
export type ResultOptions = BlockOptions;

/**
 * The style of a tool decides how its result is read. `class`: a class or an exported object with executeAsync;
 * `isError: true` decides, and members of the published C# API are accepted. `registered`: the rules of the Workbench
 * API. `defined`: made by `defineTool`; an object is data.
 */
export type ToolStyle = BlockOptions['style'];

/**
 * Converts the return value of a tool to an outcome of plain values (docs/spec/plugin-results.md#results). Never
 * throws. Without `options` only results that MCP allows are accepted, because they arrive over the protocol.
 */
export function normaliseReturned(value: unknown, options?: ResultOptions): Outcome {
  try {
    return read(value, options);
  } catch (error) {
    return unreadable(value, error);
  }
}

/**
 * TOOL_INVALID_RESULT for a value that cannot be read. Its rawOutput is the part of the value that JSON can express.
 * @param subject the code that returned the value, for the message. Default: the tool
 * @param hint default: the hint for tools
 */
export function unreadable(
  value: unknown,
  error: unknown,
  { subject, hint }: { subject?: string; hint?: string } = {},
): ErrorOutcome {
  const outcome = invalidResult(faultOf(value, error), rawOutputOf(value), subject);
  return hint === undefined ? outcome : { ...outcome, errors: outcome.errors.map((one) => ({ ...one, hint })) };
}

function faultOf(value: unknown, error: unknown): string {
  if (error instanceof MalformedContentError) return error.message;
  const description = describeValue(value);
  if (!(error instanceof NotSerializableError)) return `${description} that cannot be read: ${describeError(error)}`;
  // If JSON cannot express the value itself, the message already describes it: `a Response; return its data`.
  const isDescribed = error.message.startsWith(description);
  return isDescribed ? error.message : `${description} that JSON cannot hold: ${error.message}`;
}

function rawOutputOf(value: unknown): OutcomeError['rawOutput'] {
  try {
    const json = toPartialJsonValue(value);
    return json === undefined ? '' : { json };
  } catch {
    return '';
  }
}

function read(value: unknown, options: ResultOptions | undefined): Outcome {
  if (typeof value === 'string')
    return { kind: 'success', content: [{ type: 'text', text: value }], contentIsText: true };
  if (isError(value)) return normaliseError(value);
  if (types.isMap(value) || types.isSet(value))
    return invalidResult(`${describeValue(value)}; return an object or an array`, rawOutputOf([...value]));
  if (isMediaContent(value)) return normaliseResponse({ content: Array.isArray(value) ? value : [value] }, options);
  if (isJsonObject(value)) return normaliseObject(value, options);
  return options?.style === 'defined' ? normaliseData(value) : normaliseJson(value);
}

function normaliseObject(returned: object, options: ResultOptions | undefined): Outcome {
  if (options?.style === 'defined')
    return isCallToolResult(returned) ? normaliseResponse(returned, options) : normaliseData(returned);
  const value = options?.style === 'class' ? withCamelCaseMembers(returned, options) : returned;
  if ('content' in value && (options === undefined || isContent(value, options)))
    return normaliseResponse(value, options);
  const { error, message, isError: isErrorFlag } = value as ResponseLike & { message?: unknown };
  if (error) return normaliseErrorObject(value, error);
  if (options?.style === 'class' && isErrorFlag === true) return normaliseErrorObject(value, message || value);
  return normaliseJson(value);
}

/**
 * True for a block of `image()` or `audio()`, or for a list of blocks with such a block. They are content, never data.
 */
const isMediaContent = (value: unknown): boolean =>
  isMedia(value) || (Array.isArray(value) && value.some(isMedia) && value.every(isBlock));

const RESULT_MEMBERS = new Set(['content', 'structuredContent', 'isError', 'metadata', '_meta']);

/** True for results of MCP, `ok()` and `fail()`: they have blocks in `content`, and no unknown members. */
function isCallToolResult(value: object): value is ResponseLike {
  if (failureDetailsOf(value) !== undefined) return true;
  const { content } = value as ResponseLike;
  return Array.isArray(content) && content.every(isBlock) && Object.keys(value).every((key) => RESULT_MEMBERS.has(key));
}

const isBlock = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && typeof (item as { type?: unknown }).type === 'string';

/**
 * The object becomes structuredContent unchanged, and its compact JSON the text
 * (docs/spec/plugin-results.md#plain-data).
 */
function normaliseData(value: unknown): Outcome {
  const data = toResultValue(value);
  if (data === undefined) return invalidResult(`${describeValue(value)}, which is not a result`);
  const structured = isJsonObject(data) ? data : Array.isArray(data) ? { value: data } : undefined;
  return {
    kind: 'success',
    content: [{ type: 'json', value: data, indent: 0 }],
    contentIsText: true,
    ...(structured !== undefined && { structured }),
  };
}

/** True if `content` makes the object a ToolResponse. If it is neither text nor blocks, the object counts as data. */
function isContent(value: ResponseLike, { warn }: ResultOptions): boolean {
  const { content, error, isError: isErrorFlag } = value;
  if (typeof content === 'string' || Array.isArray(content)) return true;
  if (content === undefined || content === null) return !error && isErrorFlag !== true;
  warn(`content is ${describeValue(content)}, not a string or an array of blocks; the whole object is shown as JSON`);
  return false;
}

function normaliseError(error: Error): ErrorOutcome {
  const details = failureDetailsOf(error);
  if (details !== undefined) return failureOutcome(details);
  const message = messageOfError(error);
  return toolError(message, [{ type: 'text', text: message }]);
}

export function failureDetailsOf(value: object): FailureDetails | undefined {
  const details = (value as { [FAILURE]?: FailureDetails })[FAILURE];
  return typeof details === 'object' && details !== null ? details : undefined;
}

interface ResponseLike {
  content?: unknown;
  error?: unknown;
  isError?: unknown;
  structuredContent?: unknown;
  metadata?: unknown;
  _meta?: unknown;
  [SUCCESS]?: SuccessDetails;
}

function normaliseResponse(response: ResponseLike, options: ResultOptions | undefined): Outcome {
  const { content, error, isError: isErrorFlag } = response;
  const contentIsText = typeof content === 'string';
  const blocks: OutcomeBlock[] = contentIsText ? [{ type: 'text', text: content }] : parseBlocks(content, options);
  const details = failureDetailsOf(response);
  if (details !== undefined) return failureOutcome(details, blocks);

  const isFailed = Boolean(error) || isErrorFlag === true;
  const toValue = isFailed ? toJsonValue : toResultValue;
  const value = toValue(response.structuredContent, 'structuredContent');
  const structured = isJsonObject(value) ? value : undefined;
  const metadata = responseMetadata(response, value, toValue);
  const meta = isJsonObject(response._meta) ? toValue(response._meta, '_meta') : undefined;
  const metaMember = isJsonObject(meta) && { meta };
  if (isFailed) {
    return {
      ...toolError(messageOf(error) ?? nonEmpty(textOf(blocks)) ?? NO_MESSAGE, blocks),
      ...(structured !== undefined && { partialResult: structured }),
      ...(metadata !== undefined && { metadata }),
      ...metaMember,
    };
  }
  return {
    kind: 'success',
    content: blocks,
    contentIsText,
    ...(structured !== undefined && { structured }),
    ...(metadata !== undefined && { metadata }),
    ...metaMember,
    ...successDetails(response[SUCCESS]),
  };
}

function successDetails(details: SuccessDetails | undefined): SuccessDetails {
  if (typeof details !== 'object' || details === null) return {};
  const { command, exitCode, output, summary, showsAll } = details;
  return {
    ...(typeof command === 'string' && { command }),
    ...(Number.isInteger(exitCode) && { exitCode }),
    ...(typeof output === 'string' && { output }),
    ...(typeof summary === 'string' && { summary }),
    ...(typeof showsAll === 'boolean' && { showsAll }),
  };
}

const RESPONSE_MEMBERS = new Set(['content', 'error', 'isError', 'structuredContent', 'metadata', '_meta']);

/**
 * Returns the metadata of a response, with unknown members, and with an `error` that has more members than its message.
 * Keys of `metadata` take precedence.
 */
function responseMetadata(
  response: ResponseLike,
  structured: JsonValue | undefined,
  toValue: typeof toResultValue,
): JsonObject | undefined {
  const metadata: JsonObject = metadataOf(toValue(response.metadata, 'metadata')) ?? {};
  for (const key of Object.keys(response)) {
    if (RESPONSE_MEMBERS.has(key) || Object.hasOwn(metadata, key)) continue;
    const value = toValue((response as Record<string, unknown>)[key], key);
    if (value !== undefined) setMember(metadata, key, value);
  }
  if (structured !== undefined && structured !== null && !isJsonObject(structured)) {
    metadata.structuredContent ??= structured;
  }
  const error = isError(response.error) ? undefined : toJsonValue(response.error);
  if (isJsonObject(error) && hasMore(error)) metadata.error ??= error;
  return Object.keys(metadata).length > 0 ? metadata : undefined;
}

/** The metadata as an object. Other values become `{value}`; null and {} become undefined. */
function metadataOf(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return { value };
  return Object.keys(value).length > 0 ? value : undefined;
}

function normaliseErrorObject(value: object, error: unknown): ErrorOutcome {
  const message = messageOf(error) ?? NO_MESSAGE;
  const text = (value as { message?: unknown }).message;
  const block: OutcomeBlock =
    typeof text === 'string'
      ? { type: 'text', text: text }
      : typeof message === 'string'
        ? { type: 'text', text: message }
        : { type: 'json', value: message.json, indent: 0 };
  const metadata = metadataOf(toJsonValue(value));
  return { ...toolError(message, [block]), ...(metadata !== undefined && { metadata }) };
}

const hasMore = (error: JsonObject): boolean => Object.keys(error).some((key) => key !== 'message');

/** The message of a truthy `error` member. undefined if it has none. */
function messageOf(error: unknown): OutcomeError['message'] | undefined {
  if (!error) return undefined;
  if (isError(error)) return messageOfError(error);
  const plain = toJsonValue(error);
  if (plain === undefined) return undefined;
  if (isJsonObject(plain) && typeof plain.message === 'string' && nonEmpty(plain.message)) return plain.message;
  return typeof plain === 'string' ? nonEmpty(plain) : { json: plain };
}

const nonEmpty = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

function normaliseJson(value: unknown): Outcome {
  const plain = toResultValue(value);
  if (plain === undefined) return invalidResult(`${describeValue(value)}, which is not a result`);
  const metadata = typeof plain === 'object' ? metadataOf(plain) : undefined;
  return {
    kind: 'success',
    content: [{ type: 'json', value: plain, indent: 2 }],
    contentIsText: true,
    ...(metadata !== undefined && { metadata }),
  };
}
