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

/** Limit of the blocks of a result, the contents of a resource or the messages of a prompt. */
const BLOCKS: Bound = { limit: 'Blocks', most: 5000, unit: 'blocks', advice: RETURN_LESS };
/** Limit of the `_meta` of a result and of each of its blocks, resources and messages. */
const META_BYTES: Bound = { limit: 'MetaBytes', most: 64 * 1024, unit: 'bytes', advice: RETURN_LESS };
/** Limit of the JSON of a read resource or a prompt. */
const READ_BYTES: Bound = { limit: 'ReadBytes', most: 5 * 1024 * 1024, unit: 'bytes', advice: RETURN_LESS };
/** A shorter text is certainly within the message limits. */
const SHORT_CHARS = 10_000;

/** The outcome of a call (`content`), a read (`contents`) or a prompt (`messages`). */
interface SizedOutcome {
  readonly content?: readonly unknown[];
  readonly contents?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly meta?: unknown;
  /** The questions of a call that needs input. */
  readonly requests?: object;
}

/** Returns the limit that an outcome exceeds before it is processed; undefined if it is within the limits. */
export function resultViolation(outcome: object): LimitViolation | undefined {
  const { content, contents, messages, meta } = outcome as SizedOutcome;
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

/**
 * Applies the limits of messages to the outcome of a plugin that runs inside the server. The outcomes of other plugins
 * arrive in messages, whose limits were checked before.
 * @returns the outcome, or an error in its place
 */
export function enforceMessageLimits<T extends object>(outcome: T, limits: PluginLimits): T | ErrorOutcome {
  if (isShortText(outcome)) return outcome;
  const { values, chars } = sizeOf(outcome, limits.MessageValues);
  const exceeded = chars > limits.MessageBytes ? 'MessageBytes' : values > limits.MessageValues && 'MessageValues';
  if (!exceeded) return outcome;
  return tooLargeResult(limitViolation(limits, exceeded, 'The result', moreThan(limits[exceeded])));
}

/** True for the most frequent result: one short text. It is not measured. */
function isShortText(outcome: object): boolean {
  const { kind, content, structured, metadata, output } = outcome as Partial<SuccessOutcome>;
  if (kind !== 'success' || content?.length !== 1 || (structured ?? metadata ?? output) !== undefined) return false;
  const { type, text, _meta } = content[0] as unknown as Readonly<Record<string, unknown>>;
  return type === 'text' && _meta === undefined && typeof text === 'string' && text.length < SHORT_CHARS;
}

/** Returns the outcome, or an error if it is too large or asks more than MAX_OPEN_QUESTIONS questions. */
export function enforceResultLimits<T extends object>(outcome: T): T | ErrorOutcome {
  const { requests } = outcome as SizedOutcome;
  const questionCount = requests === undefined ? 0 : Object.keys(requests).length;
  if (questionCount > MAX_OPEN_QUESTIONS) return tooManyQuestions(questionCount);
  const violation = resultViolation(outcome);
  return violation ? tooLargeResult(violation) : outcome;
}

function tooManyQuestions(questionCount: number): ErrorOutcome {
  return errorOutcome(
    'TOOL_INVALID_RESULT',
    `The call asks ${questionCount} questions at the same time; ${MAX_OPEN_QUESTIONS} are allowed`,
    { hint: "Ask the tool's author to ask fewer questions at the same time.", data: { exitCode: -1 } },
  );
}

export function tooLargeResult({ message, hint, limit }: LimitViolation): ErrorOutcome {
  return errorOutcome('TOOL_INVALID_RESULT', message, { hint, data: { exitCode: -1, additionalData: { limit } } });
}

interface MetaHolder {
  readonly _meta?: unknown;
  readonly resource?: MetaHolder;
}

/** Checks a block, content or message, and the resource or block that it contains. */
function hasLargeMeta(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const { _meta, content, resource } = part as MetaHolder & Record<string, MetaHolder | undefined>;
  return [_meta, resource?._meta, content?._meta, content?.resource?._meta].some(isLargeMeta);
}

function isLargeMeta(meta: unknown): boolean {
  return meta !== undefined && estimateJsonSize(meta, META_BYTES.most) > META_BYTES.most;
}
