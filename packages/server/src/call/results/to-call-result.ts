import type { ContentBlock, ErrorResponse, FullOutput, JsonObject, TextBlock } from '@mortise/plugin';
import { type ErrorOutcome, isJsonObject, type OutcomeBlock, type SuccessOutcome } from '@mortise/plugin/runtime';
import type { CallResult } from '../../core/server-api.js';
import { errorResponse, successStructure } from './envelope.js';
import { errorEnvelopeText, successEnvelopeText } from './envelope-text.js';
import { blocksText, blockText } from './error-outcomes.js';
import { type ErrorTextDetails, errorText, fullOutputLine, hintLines } from './error-text.js';
import { allText, limitBytes, limitTexts, linkToFullOutput, textChars, type UnboundedResult } from './limit-result.js';
import { type OutputStore, StoredText } from './output-store.js';

export interface RespondOptions {
  machineReadable: boolean;
  hasOutputSchema: boolean;
  /** True if the tool ships with the server: its text and data have `fullOutput`. Results of other tools have a link. */
  isFirstParty?: boolean;
  /** The limit of all texts of a result together. */
  maxTextChars: number;
  /** The limit of content and structuredContent together. */
  maxResultBytes: number;
  outputs: OutputStore;
  /** True if the client accepts structuredContent of any type (2026-07-28). Default: false. */
  takesAnyOutput?: boolean;
  /** True if the text of an error includes the call id from its metadata. Default: false. */
  showsCallId?: boolean;
}

/** Converts a redacted outcome to an MCP result. No other code writes the text and the JSON of results. */
export function respond(outcome: SuccessOutcome | ErrorOutcome, options: RespondOptions): CallResult {
  const unbounded = outcome.kind === 'success' ? successResult(outcome, options) : errorResult(outcome, options);
  return limitBytes(unbounded, options.maxResultBytes, options.outputs);
}

function successResult(outcome: SuccessOutcome, options: RespondOptions): UnboundedResult {
  const { machineReadable, hasOutputSchema, maxTextChars, isFirstParty, takesAnyOutput = false } = options;
  const blocks = outcome.content.map(toContentBlock);
  const structured = successStructure(outcome, { hasOutputSchema });
  const stored = storedOutput(outcome, blocks, options);
  const needsLink = omitsOutput(outcome, blocks);
  if (needsLink) stored.refer();
  // A text that must be truncated gets its own note with the link.
  const hasLinkLine = isFirstParty && needsLink && textChars(blocks) <= maxTextChars;
  const fullContent = hasLinkLine ? withLine(blocks, fullOutputLine(stored.refer())) : blocks;
  const content = machineReadable
    ? machineContent(successEnvelopeText(withData(outcome, options), maxTextChars, stored), blocks, options, stored)
    : limitTexts(fullContent, maxTextChars, stored);
  const { reference } = stored;
  const result: CallResult = {
    content: reference && !machineReadable ? [...content, linkToFullOutput(reference.uri)] : content,
  };
  if (structured) {
    result.structuredContent = isFirstParty && reference ? { ...structured, fullOutput: { ...reference } } : structured;
    if (outcome.wrapsStructured && takesAnyOutput) result.structuredContent = structured.result!;
  }
  const metadata = hiddenMetadata(outcome);
  if (metadata || outcome.meta) result._meta = { ...outcome.meta, ...metadata };
  return { result, fullContent };
}

/**
 * Adds the data of a plugin's tool to the metadata (docs/spec/contract.md#data-in-metadata). Data that needs more than
 * half of the text is only in structuredContent.
 */
function withData(outcome: SuccessOutcome, { isFirstParty, maxTextChars }: RespondOptions): SuccessOutcome {
  const data: unknown = outcome.structured;
  if (isFirstParty || !isJsonObject(data)) return outcome;
  if (JSON.stringify(data).length > maxTextChars / 2) return outcome;
  return { ...outcome, metadata: { ...data, ...outcome.metadata } };
}

/**
 * Returns the envelope, and the blocks that it does not contain, limited to the characters that the envelope leaves.
 */
function machineContent(
  envelope: string,
  blocks: readonly OutcomeBlock[],
  { maxTextChars }: RespondOptions,
  stored: StoredText,
): ContentBlock[] {
  const remainingChars = Math.max(0, maxTextChars - envelope.length);
  return [text(envelope), ...limitTexts(blocks.filter(isNonText), remainingChars, stored)];
}

/** The full output: the command's output, and the text of the result if it is truncated and differs from the output. */
function storedOutput({ output }: SuccessOutcome, blocks: ContentBlock[], { maxTextChars, outputs }: RespondOptions) {
  return new StoredText(() => {
    if (output === undefined) return allText(blocks);
    if (textChars(blocks) <= maxTextChars) return output;
    const contentText = allText(blocks);
    return contentText.includes(output.trim()) ? output : `${contentText}\n\n${output}`;
  }, outputs);
}

/** True if the text does not show all of the command's output, so that the result must link to it. */
function omitsOutput({ output, showsAll }: SuccessOutcome, blocks: ContentBlock[]): boolean {
  if (output === undefined || output.trim() === '') return false;
  return showsAll === undefined ? !blocksText(blocks).includes(output.trim()) : !showsAll;
}

/** Inserts the line into the first text, before the line with the exit code. */
function withLine(blocks: ContentBlock[], line: string): ContentBlock[] {
  const [first, ...more] = blocks;
  if (first?.type !== 'text') return blocks;
  const exit = /\n?Exit Code: -?\d+$/.exec(first.text)?.[0] ?? '';
  const before = first.text.slice(0, first.text.length - exit.length);
  const lines = [before, line, exit.trimStart()].filter((part) => part !== '');
  return [{ ...first, text: lines.join('\n') }, ...more];
}

/** Returns the metadata if structuredContent does not contain it. */
function hiddenMetadata({ structured, metadata }: SuccessOutcome): CallResult['_meta'] {
  if (!structured || !metadata) return undefined;
  return JSON.stringify(structured.metadata) === JSON.stringify(metadata) ? undefined : metadata;
}

function errorResult(outcome: ErrorOutcome, options: RespondOptions): UnboundedResult {
  const { machineReadable, maxTextChars, outputs } = options;
  const output = outcome.output?.trim() ? new StoredText(() => outcome.output!, outputs) : undefined;
  const response = errorResponse(outcome, output?.refer());
  const fullContent = errorContent(response, outcome, options);
  const stored = output ?? new StoredText(() => allText(fullContent), outputs);
  const content = machineReadable
    ? machineContent(errorEnvelopeText(response, maxTextChars), outcome.content ?? [], options, stored)
    : limitTexts(fullContent, maxTextChars, stored);
  const { reference } = stored;
  const result: CallResult = {
    content: reference && !machineReadable ? [...content, linkToFullOutput(reference.uri)] : content,
    structuredContent: structuredError(outcome, response, reference),
    isError: true,
    ...(outcome.meta && { _meta: outcome.meta }),
  };
  return { result, fullContent };
}

/** Inserts the members of the partial result after `success` (docs/spec/contract.md#partial-results). */
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
 * For TOOL_ERROR: the tool's own blocks, and a text with the message and hints that they do not contain. Otherwise the
 * text of docs/spec/contract.md#error-text.
 */
function errorContent(
  response: ErrorResponse,
  outcome: ErrorOutcome,
  { isFirstParty = false, showsCallId = false }: RespondOptions,
): ContentBlock[] {
  const first = response.errors[0]!;
  const toolContent = outcome.content ?? [];
  if (first.code !== 'TOOL_ERROR' || toolContent.length === 0) {
    const runsCommands = isFirstParty || outcome.output !== undefined;
    const details = { ...errorTextDetailsOf(outcome), runsCommands, showsCallId };
    return [text(errorText(response, details)), ...toolContent.filter(isNonText)];
  }
  const blocks = toolContent.map(toContentBlock);
  const isMentioned = (line: string) => blocks.some((block) => block.type === 'text' && block.text.includes(line));
  const addedLines = hintLines(first).filter((line) => !isMentioned(line));
  if (!isMentioned(first.message)) addedLines.unshift(`Error: ${first.message}`);
  return addedLines.length === 0 ? blocks : [...blocks, text(addedLines.join('\n'))];
}

function errorTextDetailsOf({ summary, partialResult = {} }: ErrorOutcome): ErrorTextDetails {
  const { summary: summaryMember, omittedErrors } = partialResult;
  const partialSummary = typeof summaryMember === 'string' && summaryMember !== '' ? summaryMember : undefined;
  return {
    summary: summary ?? partialSummary,
    prefix: partialSummary,
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
  return { type: 'text', text };
}
