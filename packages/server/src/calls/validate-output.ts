import type { CallChannel, Outcome, SuccessOutcome } from '@mortise/plugin/runtime';
import type { Tool } from '../core/snapshot.js';
import { blocksText, errorOutcome } from '../results/error-outcomes.js';
import { type SchemaValidator, ValidationUnavailableError } from './validation/schema-validator.js';

/** A success that does not fit the tool's own outputSchema is TOOL_INVALID_RESULT; its text stays in rawOutput. */
export function checkOutput(
  outcome: Outcome,
  tool: Pick<Tool, 'path' | 'definition'>,
  checks: Pick<SchemaValidator, 'result'>,
  channel: CallChannel,
): Outcome | Promise<Outcome> {
  if (tool.definition.outputSchema === undefined || outcome.kind !== 'success') return outcome;
  const structured = outcome.structured ?? outcome.metadata;
  if (structured === undefined) {
    return invalidResult(outcome, 'The tool has an outputSchema, but returned no structured content');
  }
  const toOutcome = (reason: string | undefined) =>
    reason === undefined
      ? outcome
      : invalidResult(outcome, `The tool's result does not fit its outputSchema: ${reason}`);
  const reason = checks.result(structured, tool, channel);
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
    hint: 'Return data that fits the outputSchema: the object itself from a tool of defineTool, else ok(text, data) or { content, metadata }.',
  });
}
