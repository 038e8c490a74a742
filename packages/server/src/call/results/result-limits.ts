import type { ErrorOutcome, SuccessOutcome } from '@mortise/plugin/runtime';
import { MAX_OPEN_QUESTIONS } from '../../core/max-open-questions.js';
import {
  type Bound,
  boundViolation,
  type LimitViolation,
  limitViolation,
  moreThan,
} from '../../settings/limit-violation.js';
import { type PluginLimits, RETURN_LESS } from '../../settings/plugin-limits.js';
import { estimateJsonSize, sizeOf } from '../../util/json-size.js';
import { errorOutcome } from './error-outcomes.js';

/** Content blocks of one result, contents of one resource that is read, messages of one prompt. */
const BLOCKS: Bound = { limit: 'Blocks', most: 5000, unit: 'blocks', advice: RETURN_LESS };
/** `_meta` of one block, of a resource or of a message. */
const META_BYTES: Bound = { limit: 'MetaBytes', most: 64 * 1024, unit: 'bytes', advice: RETURN_LESS };
/** The result of reading a resource or getting a prompt, as JSON. */
const READ_BYTES: Bound = { limit: 'ReadBytes', most: 5 * 1024 * 1024, unit: 'bytes', advice: RETURN_LESS };
/** A text of fewer characters is within all limits of a message. */
const SHORT_CHARS = 10_000;

/** What a call, a read or a prompt came to, by the member that holds its parts. */
interface Parts {
  readonly content?: readonly unknown[];
  readonly contents?: readonly unknown[];
  readonly messages?: readonly unknown[];
  /** `_meta` of the whole. */
  readonly meta?: unknown;
  /** Of a call that asks. */
  readonly requests?: object;
}

/** Why a result is refused because of its size, before it is processed; undefined if it is within the limits. */
export function resultViolation(outcome: object): LimitViolation | undefined {
  const { content, contents, messages, meta } = outcome as Parts;
  const parts = content ?? contents ?? messages;
  if (!Array.isArray(parts)) return undefined;
  if (parts.length > BLOCKS.most) return boundViolation(BLOCKS, 'The result', parts.length);
  if (isLargeMeta(meta) || parts.some(hasLargeMeta))
    return boundViolation(META_BYTES, '_meta of the result', moreThan(META_BYTES.most));
  const isRead = parts !== content;
  if (isRead && estimateJsonSize(parts, READ_BYTES.most) > READ_BYTES.most)
    return boundViolation(READ_BYTES, 'The result', moreThan(READ_BYTES.most));
  return undefined;
}

/** The result of a plugin that sends no message, because it runs in the server: the limits of a message hold for it too. */
export function withinMessageLimits<T extends object>(outcome: T, limits: PluginLimits): T | ErrorOutcome {
  if (isShortText(outcome)) return outcome;
  const { values, chars } = sizeOf(outcome, limits.MessageValues);
  const exceeded = chars > limits.MessageBytes ? 'MessageBytes' : values > limits.MessageValues && 'MessageValues';
  if (!exceeded) return outcome;
  return tooLargeResult(limitViolation(limits, exceeded, 'The result', moreThan(limits[exceeded])));
}

/** The most frequent result: one text, and nothing else. */
function isShortText(outcome: object): boolean {
  const { kind, content, structured, metadata, output } = outcome as Partial<SuccessOutcome>;
  if (kind !== 'success' || content?.length !== 1 || (structured ?? metadata ?? output) !== undefined) return false;
  const { type, text, _meta } = content[0] as unknown as Readonly<Record<string, unknown>>;
  return type === 'text' && _meta === undefined && typeof text === 'string' && text.length < SHORT_CHARS;
}

/** The outcome, or an error if it is too large or asks too much at once. */
export function withinResultLimits<T extends object>(outcome: T): T | ErrorOutcome {
  const { requests } = outcome as Parts;
  const questions = requests === undefined ? 0 : Object.keys(requests).length;
  if (questions > MAX_OPEN_QUESTIONS) return tooManyQuestions(questions);
  const violation = resultViolation(outcome);
  return violation ? tooLargeResult(violation) : outcome;
}

function tooManyQuestions(questions: number): ErrorOutcome {
  return errorOutcome(
    'TOOL_INVALID_RESULT',
    `The call asks ${questions} questions at once; ${MAX_OPEN_QUESTIONS} are allowed`,
    { hint: "The tool's author should ask fewer questions at once.", data: { exitCode: -1 } },
  );
}

/** A result that is refused for its size. */
export function tooLargeResult({ message, hint, limit }: LimitViolation): ErrorOutcome {
  return errorOutcome('TOOL_INVALID_RESULT', message, { hint, data: { exitCode: -1, additionalData: { limit } } });
}

interface MetaHolder {
  readonly _meta?: unknown;
  readonly resource?: MetaHolder;
}

/** Checks the part itself and what it contains: a resource in a block, the block of a message. */
function hasLargeMeta(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { _meta, content, resource } = part as MetaHolder & Record<string, MetaHolder | undefined>;
  return [_meta, resource?._meta, content?._meta, content?.resource?._meta].some(isLargeMeta);
}

function isLargeMeta(meta: unknown): boolean {
  return meta !== undefined && estimateJsonSize(meta, META_BYTES.most) > META_BYTES.most;
}
