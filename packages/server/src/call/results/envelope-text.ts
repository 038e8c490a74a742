import type { ErrorResponse, PublishedErrorResponse } from '@mortise/plugin';
import type { SuccessOutcome } from '@mortise/plugin/runtime';
import { successEnvelope } from './envelope.js';
import { blocksText } from './error-outcomes.js';
import { type FullText, limitText } from './limit-result.js';
import { publishedError } from './published-error.js';

type PublishedError = PublishedErrorResponse['errors'][number];

/**
 * Writes the SuccessResult as JSON. `output` is the output of the command or, without a command, the text of the
 * result.
 * @param maxChars the limit of the JSON, above which `output` is truncated. The rest of the envelope can exceed it
 */
export function successEnvelopeText(outcome: SuccessOutcome, maxChars: number, fullText: FullText): string {
  const output = outcome.output?.trim() ?? blocksText(outcome.content);
  const untruncated = JSON.stringify(successEnvelope(outcome, output));
  if (untruncated.length <= maxChars) return untruncated;
  const fullOutput = fullText.refer();
  const remainingChars = maxChars - JSON.stringify(successEnvelope(outcome, '', fullOutput)).length;
  // Escapes make the JSON longer than the text. The ratio of the whole text is an estimate for the part that is kept.
  let maxOutputChars = Math.floor(Math.max(0, remainingChars) * (output.length / JSON.stringify(output).length));
  for (;;) {
    const json = JSON.stringify(successEnvelope(outcome, limitText(output, maxOutputChars, fullText), fullOutput));
    if (json.length <= maxChars || maxOutputChars < MIN_OUTPUT_CHARS) return json;
    maxOutputChars = Math.floor(maxOutputChars * 0.8);
  }
}

/** A shorter output is not truncated further. */
const MIN_OUTPUT_CHARS = 50;

/** Writes the ErrorResponse as JSON of at most `maxChars` characters: shortens raw output first, then drops errors. */
export function errorEnvelopeText(response: ErrorResponse, maxChars: number): string {
  const envelope = publishedError(response);
  const untruncated = JSON.stringify(envelope);
  if (untruncated.length <= maxChars) return untruncated;
  let errors = envelope.errors.map((error) => shortError(error, maxChars / 10));
  for (;;) {
    const json = JSON.stringify({ ...envelope, errors });
    if (json.length <= maxChars || errors.length === 1) return json;
    errors = errors.slice(0, Math.max(1, Math.ceil(errors.length * 0.8) - 1));
  }
}

/** Keeps the end of the raw output and the beginning of the message. */
function shortError(error: PublishedError, maxChars: number): PublishedError {
  const { data } = error;
  return {
    ...error,
    message: error.message.slice(0, maxChars),
    rawOutput: error.rawOutput.slice(-maxChars),
    ...(data?.stderr !== undefined && { data: { ...data, stderr: data.stderr.slice(-maxChars) } }),
  };
}
