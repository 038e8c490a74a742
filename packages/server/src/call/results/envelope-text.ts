import type { ErrorResponse, PublishedErrorResponse } from '@mortise/plugin';
import type { SuccessOutcome } from '@mortise/plugin/runtime';
import { successEnvelope } from './envelope.js';
import { blocksText } from './error-outcomes.js';
import { limitText, type Whole } from './limit-result.js';
import { publishedError } from './published-error.js';

type PublishedError = PublishedErrorResponse['errors'][number];

/**
 * The SuccessResult as JSON of at most `maxChars` characters: `output` is the output of the command, or else the text, and
 * is truncated if it is too long.
 */
export function successEnvelopeText(outcome: SuccessOutcome, maxChars: number, whole: Whole): string {
  const output = outcome.output?.trim() ?? blocksText(outcome.content);
  const all = JSON.stringify(successEnvelope(outcome, output));
  if (all.length <= maxChars) return all;
  const fullOutput = whole.refer();
  const room = maxChars - JSON.stringify(successEnvelope(outcome, '', fullOutput)).length;
  // How many characters of the text make so many of JSON; escapes may be many in one part of it.
  let limit = Math.floor(Math.max(0, room) * (output.length / JSON.stringify(output).length));
  for (;;) {
    const json = JSON.stringify(successEnvelope(outcome, limitText(output, limit, whole), fullOutput));
    if (json.length <= maxChars || limit < MIN_LIMIT) return json;
    limit = Math.floor(limit * 0.8);
  }
}

/** Below it there is little left to cut. */
const MIN_LIMIT = 50;

/** The ErrorResponse as JSON of at most `maxChars` characters: raw output goes first, then the last errors. */
export function errorEnvelopeText(response: ErrorResponse, maxChars: number): string {
  const envelope = publishedError(response);
  const { errors } = envelope;
  const fits = (candidates: PublishedError[]) => {
    const json = JSON.stringify({ ...envelope, errors: candidates });
    return json.length <= maxChars || candidates.length === 1 ? json : undefined;
  };
  let candidates = errors;
  let json = JSON.stringify(envelope).length <= maxChars ? fits(candidates) : undefined;
  if (json === undefined) candidates = errors.map((error) => shortError(error, maxChars / 10));
  for (; json === undefined; candidates = candidates.slice(0, Math.ceil(candidates.length * 0.8) - 1 || 1))
    json = fits(candidates);
  return json;
}

/** The error with the end of its raw output, and the beginning of its message. */
function shortError(error: PublishedError, maxChars: number): PublishedError {
  const { data } = error;
  return {
    ...error,
    message: error.message.slice(0, maxChars),
    rawOutput: error.rawOutput.slice(-maxChars),
    ...(data?.stderr !== undefined && { data: { ...data, stderr: data.stderr.slice(-maxChars) } }),
  };
}
