import type { ContentBlock, ErrorResponse, FullOutput, JsonObject, TextBlock } from '@mortise/plugin';
import { type ErrorOutcome, isJsonObject, type OutcomeBlock, type SuccessOutcome } from '@mortise/plugin/runtime';
import type { CallResult } from '../../core/server-api.js';
import { errorResponse, successStructure } from './envelope.js';
import { errorEnvelopeText, successEnvelopeText } from './envelope-text.js';
import { blocksText, blockText } from './error-outcomes.js';
import { type ErrorTextDetails, errorText, fullOutputLine, hintLines } from './error-text.js';
import { allText, limitBytes, limitTexts, linkToFullOutput, textChars } from './limit-result.js';
import { type OutputStore, StoredText } from './output-store.js';

export interface RespondOptions {
  machineReadable: boolean;
  hasOutputSchema: boolean;
  /** A tool of ours: `fullOutput` goes into its text and data. A plugin's result has a link alone. */
  isFirstParty?: boolean;
  /** The limit for all texts of a result together. */
  maxTextChars: number;
  /** The limit for content and structuredContent together. */
  maxResultBytes: number;
  outputs: OutputStore;
  /** The client takes structuredContent of any type (2026-07-28). */
  takesAnyOutput?: boolean;
  /** The text of an error has the id of its call. Default: only its metadata. */
  showsCallId?: boolean;
}

/** A result before the limit of bytes. */
interface UnboundedResult {
  readonly result: CallResult;
  /** Its blocks before texts were cut. */
  readonly whole: ContentBlock[];
}

/** A redacted outcome as the MCP result: the only place that writes the text and the JSON of results. */
export function respond(outcome: SuccessOutcome | ErrorOutcome, options: RespondOptions): CallResult {
  const { result, whole } =
    outcome.kind === 'success' ? successResult(outcome, options) : errorResult(outcome, options);
  const { maxResultBytes, outputs } = options;
  return limitBytes(result, maxResultBytes, whole, outputs);
}

function successResult(outcome: SuccessOutcome, options: RespondOptions): UnboundedResult {
  const { machineReadable, hasOutputSchema, maxTextChars, isFirstParty, takesAnyOutput = false } = options;
  const blocks = outcome.content.map(toContentBlock);
  const structured = successStructure(outcome, hasOutputSchema);
  const stored = storedOutput(outcome, blocks, options);
  const isElsewhere = isReadElsewhere(outcome, blocks);
  if (isElsewhere) stored.refer();
  const isMentionedBefore = isFirstParty && isElsewhere && textChars(blocks) <= maxTextChars;
  const whole = isMentionedBefore ? withLine(blocks, fullOutputLine(stored.refer())) : blocks;
  const content = machineReadable
    ? withRest(successEnvelopeText(withData(outcome, options), maxTextChars, stored), blocks, options, stored)
    : limitTexts(whole, maxTextChars, stored);
  const { reference } = stored;
  const result: CallResult = {
    content: reference && !machineReadable ? [...content, linkToFullOutput(reference.uri)] : content,
  };
  if (structured) {
    result.structuredContent = isFirstParty && reference ? { ...structured, fullOutput: { ...reference } } : structured;
    if (outcome.wrapsStructured && takesAnyOutput) result.structuredContent = structured.result!;
  }
  const meta = metaOf(outcome);
  if (meta) result._meta = { ...outcome.meta, ...meta };
  else if (outcome.meta) result._meta = outcome.meta;
  return { result, whole };
}

/**
 * The data of a plugin's tool as metadata, however its tool gave it (docs/spec/contract.md#data-in-metadata). Data that would
 * leave too little room for the output stays in structuredContent alone.
 */
function withData(outcome: SuccessOutcome, { isFirstParty, maxTextChars }: RespondOptions): SuccessOutcome {
  const data: unknown = outcome.structured;
  if (isFirstParty || !isJsonObject(data)) return outcome;
  if (JSON.stringify(data).length > maxTextChars / 2) return outcome;
  return { ...outcome, metadata: { ...data, ...outcome.metadata } };
}

/** The envelope, and the blocks that it does not contain; their texts get the room that it leaves. */
function withRest(
  envelope: string,
  blocks: readonly OutcomeBlock[],
  { maxTextChars }: RespondOptions,
  stored: StoredText,
): ContentBlock[] {
  const room = Math.max(0, maxTextChars - envelope.length);
  return [text(envelope), ...limitTexts(blocks.filter(isNonText), room, stored)];
}

/** What is kept where the result refers to it: the output of the command, and the text where that is another. */
function storedOutput({ output }: SuccessOutcome, blocks: ContentBlock[], { maxTextChars, outputs }: RespondOptions) {
  return new StoredText(() => {
    if (output === undefined) return allText(blocks);
    if (textChars(blocks) <= maxTextChars) return output;
    const contentText = allText(blocks);
    return contentText.includes(output.trim()) ? output : `${contentText}\n\n${output}`;
  }, outputs);
}

/** Whether the command's output must be linked, however short the text is. */
function isReadElsewhere({ output, showsAll }: SuccessOutcome, blocks: ContentBlock[]): boolean {
  if (output === undefined || output.trim() === '') return false;
  return showsAll === undefined ? !blocksText(blocks).includes(output.trim()) : !showsAll;
}

/** The line is in the first text, before the line of the exit code. */
function withLine(blocks: ContentBlock[], line: string): ContentBlock[] {
  const [first, ...more] = blocks;
  if (first?.type !== 'text') return blocks;
  const exit = /\n?Exit Code: -?\d+$/.exec(first.text)?.[0] ?? '';
  const before = first.text.slice(0, first.text.length - exit.length);
  const lines = [before, line, exit.trimStart()].filter((part) => part !== '');
  return [{ ...first, text: lines.join('\n') }, ...more];
}

/** Metadata that structuredContent does not show. */
function metaOf({ structured, metadata }: SuccessOutcome): CallResult['_meta'] {
  if (!structured || !metadata) return undefined;
  return JSON.stringify(structured.metadata) === JSON.stringify(metadata) ? undefined : metadata;
}

function errorResult(outcome: ErrorOutcome, options: RespondOptions): UnboundedResult {
  const { machineReadable, maxTextChars, outputs } = options;
  const own = outcome.content ?? [];
  const output = outcome.output?.trim() ? new StoredText(() => outcome.output!, outputs) : undefined;
  const response = errorResponse(outcome, output?.refer());
  const whole = errorContent(response, outcome, own, options);
  const stored = output ?? new StoredText(() => allText(whole), outputs);
  const content = machineReadable
    ? withRest(errorEnvelopeText(response, maxTextChars), own, options, stored)
    : limitTexts(whole, maxTextChars, stored);
  const { reference } = stored;
  const result: CallResult = {
    content: reference && !machineReadable ? [...content, linkToFullOutput(reference.uri)] : content,
    structuredContent: structuredError(outcome, response, reference),
    isError: true,
    ...(outcome.meta && { _meta: outcome.meta }),
  };
  return { result, whole };
}

/** The partial result of a failure, between `success` and the rest (docs/spec/contract.md#partial-results). */
function structuredError(
  { partialResult }: ErrorOutcome,
  { success, ...response }: ErrorResponse,
  fullOutput: FullOutput | undefined,
): JsonObject {
  const extraFields = Object.entries(partialResult ?? {}).filter(
    ([name]) => name !== 'success' && !Object.hasOwn(response, name),
  );
  const details = Object.fromEntries(extraFields);
  return { success, ...details, ...response, ...(fullOutput && { fullOutput }) } as unknown as JsonObject;
}

/**
 * The tool's own blocks for TOOL_ERROR, and one more for a message that they do not contain; otherwise the text of
 * docs/spec/contract.md#error-text.
 */
function errorContent(
  response: ErrorResponse,
  outcome: ErrorOutcome,
  own: readonly OutcomeBlock[],
  { isFirstParty = false, showsCallId = false }: RespondOptions,
): ContentBlock[] {
  const first = response.errors[0]!;
  if (first.code !== 'TOOL_ERROR' || own.length === 0) {
    const runsCommands = isFirstParty || outcome.output !== undefined;
    const details = { ...errorTextDetailsOf(outcome), runsCommands, showsCallId };
    return [text(errorText(response, details)), ...own.filter(isNonText)];
  }
  const blocks = own.map(toContentBlock);
  const isMentioned = (text: string) => blocks.some((block) => block.type === 'text' && block.text.includes(text));
  const remainingHints = hintLines(first).filter((line) => !isMentioned(line));
  if (!isMentioned(first.message)) remainingHints.unshift(`Error: ${first.message}`);
  return remainingHints.length === 0 ? blocks : [...blocks, text(remainingHints.join('\n'))];
}

function errorTextDetailsOf({ summary, partialResult = {} }: ErrorOutcome): ErrorTextDetails {
  const { summary: summaryField, omittedErrors } = partialResult;
  const partialSummary = typeof summaryField === 'string' && summaryField !== '' ? summaryField : undefined;
  return {
    summary: summary ?? partialSummary,
    beginning: partialSummary,
    ...(typeof omittedErrors === 'number' && { omittedErrors }),
  };
}

function toContentBlock(block: OutcomeBlock): ContentBlock {
  return block.type === 'json' ? text(blockText(block)!) : block;
}

function isNonText(block: OutcomeBlock): block is Exclude<ContentBlock, TextBlock> {
  return block.type !== 'text' && block.type !== 'json';
}

function text(text: string): TextBlock {
  return { type: 'text', text: text };
}
