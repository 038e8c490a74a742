import type { JsonSchema } from '@mortise/plugin';
import type { Outcome, SuccessOutcome } from '@mortise/plugin/host';
import { blocksText, failure } from '../contract/error-outcomes.js';
import { mismatch } from './validate.js';

/** A success that does not fit the tool's own outputSchema is TOOL_INVALID_RESULT; its text stays in rawOutput. */
export function checkOutput(outcome: Outcome, schema: JsonSchema | undefined): Outcome {
  if (schema === undefined || outcome.kind !== 'success') return outcome;
  const structured = outcome.structured ?? outcome.metadata;
  if (structured === undefined) {
    return invalidResult(outcome, 'The tool has an outputSchema, but returned no structured content');
  }
  const reason = mismatch(structured, schema);
  return reason === undefined
    ? outcome
    : invalidResult(outcome, `The tool's result does not fit its outputSchema: ${reason}`);
}

function invalidResult(outcome: SuccessOutcome, message: string): Outcome {
  return failure('TOOL_INVALID_RESULT', message, {
    rawOutput: blocksText(outcome.content),
    hint: 'Return ok(text, structured) or { content, metadata } with members that fit the outputSchema.',
  });
}
