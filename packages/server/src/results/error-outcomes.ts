import { ERROR_CODES, type ErrorCode, type ErrorResult, type InvalidReason } from '@mortise/plugin';
import type { ErrorOutcome, Outcome, OutcomeBlock, OutcomeError } from '@mortise/plugin/runtime';

type Facts = Partial<Omit<OutcomeError, 'code' | 'message'>>;

/** An error of the code table: category, mcpErrorCode and hint come from there unless `facts` has better ones. */
export function hostError(code: ErrorCode, message: string, facts: Facts = {}): OutcomeError {
  const { meaning: _, ...entry } = ERROR_CODES[code];
  return { code, message, ...entry, rawOutput: '', ...facts };
}

/** An outcome of one error; nothing was run to its end (exitCode −1). */
export function failure(code: ErrorCode, message: string, facts?: Facts): ErrorOutcome {
  return failures([hostError(code, message, facts)]);
}

export function failures(errors: OutcomeError[]): ErrorOutcome {
  return { kind: 'error', errors, exitCode: -1 };
}

/** INVALID_PARAMS for one parameter. `more` goes into data.additionalData. */
export function invalidParam(
  parameter: string,
  reason: InvalidReason,
  message: string,
  more: { hint?: string; additionalData?: Record<string, string> } = {},
): OutcomeError {
  return hostError('INVALID_PARAMS', message, {
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    data: { exitCode: -1, additionalData: { parameter, reason, ...more.additionalData } },
  });
}

const CAPABILITY_EXPLANATION =
  'This tool/feature exists but cannot be executed in the current environment or configuration. This may be due to missing dependencies, disabled feature flags, OS limitations, or features that are planned but not yet implemented.';

/** CAPABILITY_NOT_AVAILABLE by feature and reason (docs/spec/contract.md#feature-absent). */
export function capabilityMissing(feature: string, reason: string, alternatives: string[]): ErrorOutcome {
  return failure('CAPABILITY_NOT_AVAILABLE', `The '${feature}' capability is not available: ${reason}`, {
    explanation: CAPABILITY_EXPLANATION,
    alternatives,
    data: { exitCode: -1, additionalData: { feature, reason } },
  });
}

/** How a call ended that did not end by itself. */
export type Ending = 'cancelled' | 'timed out' | 'shut down';

const ENDED_CODES: readonly string[] = ['OPERATION_CANCELLED', 'OPERATION_TIMEOUT'];

/**
 * The outcome of a call that was ended. A tool that answers with OPERATION_CANCELLED or OPERATION_TIMEOUT itself knows what
 * it had done until then: its outcome stays. Anything else that it still said becomes rawOutput.
 */
export function endedCall(ending: Ending, timeoutMs: number, late: Outcome | undefined): ErrorOutcome {
  const facts: Pick<ErrorResult, 'rawOutput' | 'data'> = { rawOutput: lateText(late), data: { exitCode: -1 } };
  const ended = failure(
    ending === 'timed out' ? 'OPERATION_TIMEOUT' : 'OPERATION_CANCELLED',
    endedMessage(ending, timeoutMs),
    facts,
  );
  if (late?.kind !== 'error' || !ENDED_CODES.includes(late.errors[0]!.code)) return ended;
  const [own, ...others] = late.errors as [OutcomeError, ...OutcomeError[]];
  if (own.code === ended.errors[0]!.code && ending !== 'shut down') return late;
  const { code, message, category, hint, mcpErrorCode } = ended.errors[0]!;
  const { summary: _, ...rest } = late;
  return { ...rest, errors: [{ ...own, code, message, category, hint, mcpErrorCode } as OutcomeError, ...others] };
}

function endedMessage(ending: Ending, timeoutMs: number): string {
  if (ending === 'timed out') return `The operation did not end within ${timeoutMs} ms`;
  return ending === 'cancelled'
    ? 'The operation was cancelled by the user'
    : 'The operation was cancelled: the server is shutting down';
}

function lateText(late: Outcome | undefined): string {
  if (late === undefined || late.kind === 'input_required') return '';
  // What was read or completed has no text.
  if (late.kind !== 'error') return blocksText(late.content ?? []);
  const own = blocksText(late.content ?? []);
  return own || late.errors.map((error) => messageText(error.message)).join('\n');
}

/** The text of text blocks, joined by LF. */
export function blocksText(blocks: readonly OutcomeBlock[]): string {
  return blocks.flatMap((block) => blockText(block) ?? []).join('\n');
}

/** The text that a block shows; undefined for one that is no text. */
export function blockText(block: OutcomeBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'json') return JSON.stringify(block.value, null, block.indent);
  return undefined;
}

/** An error's message as text; a value becomes compact JSON. */
export function messageText(message: OutcomeError['message']): string {
  return typeof message === 'string' ? message : JSON.stringify(message.json);
}
