import type { ContentBlock, ResourceContents } from '../content.js';
import type { ErrorResponse, ErrorResult } from '../error-response.js';
import type { JsonObject } from '../json.js';
import type { PromptMessage } from '../register.js';
import type { ErrorOutcome, OutcomeBlock, SuccessOutcome } from '../runtime/outcome.js';
import type { ToolDefinition } from '../runtime/plugin-instance.js';
import type { CallRecord } from './call-options.js';

/** The result of a call as a client sees it, but without the lines that the server adds to the text of an error. */
export interface RunResult extends CallRecord {
  isError: boolean;
  /** The text blocks joined by LF. For an error without blocks, its message. */
  text: string;
  content: ContentBlock[];
  /** structuredContent: the tool's data, or the ErrorResponse. */
  structured?: JsonObject;
  error?: ErrorResult;
  errors: ErrorResult[];
  /** `_meta` of the result. */
  _meta?: JsonObject;
  /** Set if the client lacks a capability that the tool needs. */
  requiredCapabilities?: JsonObject;
}

export interface ReadResult extends CallRecord {
  contents: ResourceContents[];
  error?: ErrorResult;
}

export interface PromptResult extends CallRecord {
  description?: string;
  messages: PromptMessage[];
  error?: ErrorResult;
}

export function toRunResult(
  outcome: SuccessOutcome | ErrorOutcome,
  tool: ToolDefinition | undefined,
  record: CallRecord,
): RunResult {
  return outcome.kind === 'success' ? toSuccess(outcome, tool, record) : toFailure(outcome, record);
}

export function firstError(outcome: ErrorOutcome): ErrorResult {
  return errorsOf(outcome)[0]!;
}

function toSuccess(outcome: SuccessOutcome, tool: ToolDefinition | undefined, record: CallRecord): RunResult {
  const content = outcome.content.map(toBlock);
  const structured = outcome.structured ?? structuredOf(outcome, tool, content);
  return {
    isError: false,
    text: textOf(content),
    content,
    ...(structured !== undefined && { structured }),
    ...(outcome.meta && { _meta: outcome.meta }),
    errors: [],
    ...record,
  };
}

/**
 * structuredContent of a tool without data: the metadata if the tool has an outputSchema, otherwise content and
 * metadata (docs/spec/plugin-results.md#structured-content).
 */
function structuredOf(
  { metadata, contentIsText }: SuccessOutcome,
  tool: ToolDefinition | undefined,
  content: ContentBlock[],
): JsonObject | undefined {
  if (metadata === undefined || tool?.outputSchema !== undefined) return metadata;
  const blocks = content.map((block): JsonObject => {
    if (block.type === 'text') return { type: block.type, text: block.text };
    return { type: block.type, ...('mimeType' in block && { mimeType: block.mimeType ?? null }) };
  });
  return { content: contentIsText ? textOf(content) : blocks, metadata };
}

function toFailure(outcome: ErrorOutcome, record: CallRecord): RunResult {
  const errors = errorsOf(outcome);
  const response: ErrorResponse = {
    success: false,
    errors,
    exitCode: outcome.exitCode,
    ...(outcome.metadata !== undefined && { metadata: outcome.metadata }),
    ...(outcome.lockInfo !== undefined && { lockInfo: outcome.lockInfo }),
  };
  const message = outcome.summary ?? errors[0]!.message;
  const content: ContentBlock[] = outcome.content?.map(toBlock) ?? [{ type: 'text', text: message }];
  return {
    isError: true,
    text: textOf(content),
    content,
    structured: { ...outcome.partialResult, ...response } as unknown as JsonObject,
    error: errors[0]!,
    errors,
    ...(outcome.requiredCapabilities !== undefined && { requiredCapabilities: outcome.requiredCapabilities }),
    ...record,
  };
}

const errorsOf = ({ errors }: ErrorOutcome): ErrorResult[] =>
  errors.map(({ message, rawOutput, ...error }) => ({
    ...error,
    message: toText(message),
    rawOutput: toText(rawOutput),
  }));

const toText = (text: string | { json: unknown }): string =>
  typeof text === 'string' ? text : JSON.stringify(text.json);

const toBlock = (block: OutcomeBlock): ContentBlock =>
  block.type === 'json' ? { type: 'text', text: JSON.stringify(block.value, null, block.indent) } : block;

const textOf = (content: ContentBlock[]): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
