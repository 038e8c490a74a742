import type { ContentBlock, ErrorResponse, JsonObject, TextBlock } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, SuccessOutcome } from '@mortise/plugin/host';
import { cutText } from '../contract/cut-text.js';
import { errorEnvelope, errorResponse, successEnvelope, successStructure } from '../contract/envelope.js';
import { blocksText, blockText } from '../contract/error-outcomes.js';
import { adviceLines, errorText, MAX_RAW_CHARS } from '../contract/error-text.js';
import type { CallResult } from '../host.js';
import type { Runs } from '../runs.js';

export interface RespondOptions {
  machineReadable: boolean;
  hasOutputSchema: boolean;
  /** Of a command's output in a result. */
  maxTextChars: number;
  /** Of content and structuredContent together. */
  maxResultBytes: number;
  runs: Runs;
}

/** A redacted outcome as the MCP result: the only place that writes the text and the JSON of results. */
export function respond(outcome: SuccessOutcome | ErrorOutcome, options: RespondOptions): CallResult {
  const shown = outcome.kind === 'success' ? briefed(outcome, options) : outcome;
  const result = shown.kind === 'success' ? successResult(shown, options) : errorResult(shown, options);
  return withinLimits(withOutput(result, shown, options), options);
}

/** A command's output as the result shows it: long texts without their middle (contract.md §3). */
function briefed(outcome: SuccessOutcome, { maxTextChars }: RespondOptions): SuccessOutcome {
  if (outcome.output === undefined) return outcome;
  const note = (chars: number) => `… ${chars} characters left out; the whole output is linked …`;
  const content = outcome.content.map((block) =>
    block.type === 'text' ? { ...block, text: cutText(block.text, maxTextChars, note).text } : block,
  );
  return { ...outcome, content };
}

/** The whole output of the command stays readable for a while, where the result shows less of it. */
function withOutput(result: CallResult, outcome: SuccessOutcome | ErrorOutcome, { runs }: RespondOptions): CallResult {
  const { output } = outcome;
  const isShort = outcome.kind === 'error' && (output?.length ?? 0) <= MAX_RAW_CHARS;
  if (output === undefined || isShort || blocksText(outcome.content ?? []).includes(output.trim())) return result;
  return { ...result, content: [...result.content, wholeOutput(runs.keep(output))] };
}

function wholeOutput(uri: string): ContentBlock {
  return { type: 'resource_link', uri, name: 'Whole output', mimeType: 'text/plain' };
}

function successResult(outcome: SuccessOutcome, { machineReadable, hasOutputSchema }: RespondOptions): CallResult {
  const structuredContent = successStructure(outcome, hasOutputSchema);
  const content = machineReadable
    ? envelopeContent(successEnvelope(outcome), outcome.content)
    : outcome.content.map(writtenBlock);
  return {
    content,
    ...(structuredContent ? { structuredContent } : {}),
    ...(outcome.structured && outcome.metadata ? { _meta: outcome.metadata } : {}),
  };
}

function errorResult(outcome: ErrorOutcome, { machineReadable }: RespondOptions): CallResult {
  const response = errorResponse(outcome);
  const own = outcome.content ?? [];
  const content = machineReadable
    ? envelopeContent(errorEnvelope(response), own)
    : errorContent(response, outcome, own);
  return { content, structuredContent: structuredError(outcome, response), isError: true };
}

/** What is known beside the error stands between `success` and the rest, as in the seed's examples. */
function structuredError({ known }: ErrorOutcome, { success, ...response }: ErrorResponse): JsonObject {
  const first = { success };
  return { ...first, ...known, ...response, ...first } as unknown as JsonObject;
}

/** The tool's own blocks for TOOL_ERROR, and one more for what they do not say; else the text of contract.md §4. */
function errorContent(response: ErrorResponse, outcome: ErrorOutcome, own: readonly OutcomeBlock[]): ContentBlock[] {
  const first = response.errors[0]!;
  if (first.code !== 'TOOL_ERROR' || own.length === 0) {
    return [text(errorText(response, outcome.summary ?? knownSummary(outcome))), ...own.filter(isNoText)];
  }
  const blocks = own.map(writtenBlock);
  const isSaid = (words: string) => blocks.some((block) => block.type === 'text' && block.text.includes(words));
  const news = adviceLines(first).filter((line) => !isSaid(line));
  if (!isSaid(first.message)) news.unshift(`Error: ${first.message}`);
  return news.length === 0 ? blocks : [...blocks, text(news.join('\n'))];
}

function knownSummary({ known }: ErrorOutcome): string | undefined {
  return typeof known?.summary === 'string' ? known.summary : undefined;
}

function envelopeContent(envelope: object, own: readonly OutcomeBlock[]): ContentBlock[] {
  return [text(JSON.stringify(envelope)), ...own.filter(isNoText)];
}

function writtenBlock(block: OutcomeBlock): ContentBlock {
  return block.type === 'json' ? text(blockText(block)!) : block;
}

function isNoText(block: OutcomeBlock): block is Exclude<ContentBlock, TextBlock> {
  return block.type !== 'text' && block.type !== 'json';
}

function text(words: string): TextBlock {
  return { type: 'text', text: words };
}

/** Bytes kept free for the note and the link when something is left out. */
const NOTE_BYTES = 1000;

/** Above the limit text is cut, structuredContent left out, and a link to the whole added (contract.md §3). */
function withinLimits(result: CallResult, { maxResultBytes, runs }: RespondOptions): CallResult {
  if (!isLarger(result, maxResultBytes)) return result;
  const uri = runs.keep(wholeText(result));
  let budget = Math.max(0, maxResultBytes - NOTE_BYTES);
  const content: ContentBlock[] = [];
  const leftOut: string[] = [];
  for (const block of result.content) {
    const bytes = blockBytes(block);
    if (bytes <= budget) content.push(block);
    else if (block.type === 'text') content.push(shortened(block, budget, uri));
    else leftOut.push(block.type);
    budget = Math.max(0, budget - bytes);
  }
  const structuredContent = result.isError ? briefError(result.structuredContent!) : undefined;
  if (!result.isError && result.structuredContent) leftOut.push('structuredContent');
  if (leftOut.length > 0)
    content.push(text(`Left out, for the result was over ${maxResultBytes} bytes: ${leftOut.join(', ')}`));
  content.push(wholeOutput(uri));
  return { content, ...(structuredContent ? { structuredContent } : {}), ...(result.isError ? { isError: true } : {}) };
}

function shortened(block: TextBlock, maxBytes: number, uri: string): TextBlock {
  const maxChars = Math.floor(
    maxBytes * (block.text.length / Math.max(1, Buffer.byteLength(JSON.stringify(block.text)))),
  );
  return text(cutText(block.text, maxChars, (chars) => `… ${chars} characters left out; read them from ${uri} …`).text);
}

/** The ErrorResponse with what it must have: an error says what it is, however large the rest was. */
function briefError(structured: JsonObject): JsonObject {
  const { errors, exitCode, lockInfo } = structured as unknown as ErrorResponse;
  const brief = errors.slice(0, 10).map(({ code, message, category, mcpErrorCode }) => ({
    code,
    message: message.slice(0, 2000),
    category,
    rawOutput: '',
    ...(mcpErrorCode === undefined ? {} : { mcpErrorCode }),
  }));
  return { success: false, errors: brief, exitCode, ...(lockInfo ? { lockInfo } : {}) } as unknown as JsonObject;
}

function wholeText({ content, structuredContent }: CallResult): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return structuredContent ? [...texts, JSON.stringify(structuredContent, null, 2)].join('\n') : texts.join('\n');
}

/** JSON escapes and UTF-8 make at most six bytes of a character. */
const MAX_BYTES_PER_CHAR = 6;

function isLarger(result: CallResult, maxBytes: number): boolean {
  const { content, structuredContent } = result;
  if (roughChars([content, structuredContent], maxBytes) * MAX_BYTES_PER_CHAR <= maxBytes) return false;
  return Buffer.byteLength(JSON.stringify([content, structuredContent])) > maxBytes;
}

function blockBytes(block: ContentBlock): number {
  return Buffer.byteLength(JSON.stringify(block));
}

/** At least the characters of the value as JSON; stops counting above `limit`. */
function roughChars(root: unknown, limit: number): number {
  let chars = 0;
  const stack: unknown[] = [root];
  const count = (value: unknown) => {
    if (typeof value === 'string') chars += value.length + STRING_CHARS;
    else if (typeof value !== 'object' || value === null) chars += SCALAR_CHARS;
    else stack.push(value);
  };
  while (stack.length > 0 && chars <= limit) {
    const value = stack.pop() as object;
    chars += CONTAINER_CHARS;
    if (Array.isArray(value)) {
      for (const member of value) count(member);
    } else {
      for (const key in value) {
        chars += key.length + KEY_CHARS;
        count((value as Record<string, unknown>)[key]);
      }
    }
  }
  return chars;
}

/** Beside its characters: quotes, a colon, a comma. */
const KEY_CHARS = 4;
const STRING_CHARS = 3;
const CONTAINER_CHARS = 3;
/** The longest number, and a comma. */
const SCALAR_CHARS = 25;
