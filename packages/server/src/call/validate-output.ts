import type { JsonObject } from '@mortise/plugin';
import type { Outcome, SuccessOutcome, ToolDefinition } from '@mortise/plugin/runtime';
import { blocksText, errorOutcome } from './results/error-outcomes.js';
import { ValidationUnavailableError } from './validation/schema-validator.js';

/**
 * Replaces a success that does not fit the tool's outputSchema by TOOL_INVALID_RESULT, with the text as `rawOutput`.
 * @param mismatchOf returns the reason why a value does not fit the outputSchema; undefined if it does. May reject with
 * ValidationUnavailableError
 */
export function checkOutput(
  outcome: Outcome,
  { outputSchema }: ToolDefinition,
  mismatchOf: (value: JsonObject) => string | undefined | Promise<string | undefined>,
): Outcome | Promise<Outcome> {
  if (outputSchema === undefined || outcome.kind !== 'success') return outcome;
  const structured = outcome.structured ?? outcome.metadata;
  if (structured === undefined) {
    return invalidResult(outcome, 'The tool has an outputSchema, but returned no structured content');
  }
  const toOutcome = (reason: string | undefined) =>
    reason === undefined
      ? outcome
      : invalidResult(outcome, `The tool's result does not fit its outputSchema: ${reason}`);
  const reason = mismatchOf(structured);
  return reason instanceof Promise
    ? reason.then(toOutcome, (error) => {
        if (!(error instanceof ValidationUnavailableError)) throw error;
        return invalidResult(
          outcome,
          `The tool's result could not be checked against its outputSchema: ${error.message}`,
        );
      })
    : toOutcome(reason);
}

function invalidResult(outcome: SuccessOutcome, message: string): Outcome {
  return errorOutcome('TOOL_INVALID_RESULT', message, {
    rawOutput: blocksText(outcome.content),
    hint: 'Return data that fits the outputSchema. Return the object itself from a tool of defineTool, or ok(text, data) or { content, metadata } from any tool.',
  });
}
