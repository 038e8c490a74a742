import { ERROR_CODES, type ErrorCode, type ErrorCodeEntry, type InvalidReason } from '@mortise/plugin';
import type { ErrorOutcome, Outcome, OutcomeBlock, OutcomeError } from '@mortise/plugin/runtime';

type Details = Partial<Omit<OutcomeError, 'code' | 'message'>>;

/** An error of the code table: category, mcpErrorCode and hint come from there unless `facts` has better ones. */
export function tableError(code: ErrorCode, message: string, details: Details = {}): OutcomeError {
  const { category, mcpErrorCode, hint }: ErrorCodeEntry = ERROR_CODES[code];
  return {
    code,
    message,
    category,
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...(hint !== undefined && { hint }),
    rawOutput: '',
    ...details,
  };
}

/** An outcome of one error; nothing was run to its end (exitCode −1). */
export function errorOutcome(code: ErrorCode, message: string, details?: Details): ErrorOutcome {
  return errorOutcomes([tableError(code, message, details)]);
}

export function errorOutcomes(errors: OutcomeError[]): ErrorOutcome {
  return { kind: 'error', errors, exitCode: -1 };
}

/** INVALID_PARAMS for one parameter. `more` goes into data.additionalData. */
export function invalidParam(
  parameter: string,
  reason: InvalidReason,
  message: string,
  more: { hint?: string; additionalData?: Record<string, string> } = {},
): OutcomeError {
  return tableError('INVALID_PARAMS', message, {
    ...(more.hint === undefined ? {} : { hint: more.hint }),
    data: { exitCode: -1, additionalData: { parameter, reason, ...more.additionalData } },
  });
}

const CAPABILITY_EXPLANATION =
  'This tool/feature exists but cannot be executed in the current environment or configuration. This may be due to missing dependencies, disabled feature flags, OS limitations, or features that are planned but not yet implemented.';

/** CAPABILITY_NOT_AVAILABLE by feature and reason (docs/spec/contract.md#feature-absent). */
export function capabilityNotAvailable(feature: string, reason: string, alternatives: string[]): ErrorOutcome {
  return errorOutcome('CAPABILITY_NOT_AVAILABLE', `The '${feature}' capability is not available: ${reason}`, {
    explanation: CAPABILITY_EXPLANATION,
    alternatives,
    data: { exitCode: -1, additionalData: { feature, reason } },
  });
}

/** How a call ended that did not end by itself. */
export type AbortReason = 'cancelled' | 'timed out' | 'shut down';

/** What a plugin's process can be doing when a call is ended. */
const DURING = {
  starting: {
    text: ' while the plugin was starting',
    hint: 'Call again: the plugin continues to start. If it always starts slowly, its author can raise timeoutMs of the tool.',
  },
  /** It does not answer: its code does not return to the event loop. */
  blocked: {
    text: ": the plugin's thread was blocked",
    hint: "The tool's code does not return to the event loop. Its author should look for an endless loop, a synchronous call or a long computation, and divide the work with await, or do it in a worker thread.",
  },
} as const;

const ABORT_CODES: readonly string[] = ['OPERATION_CANCELLED', 'OPERATION_TIMEOUT'];

/**
 * The outcome of a call that was ended. A tool that answers with OPERATION_CANCELLED or OPERATION_TIMEOUT itself knows what
 * it had done until then: its outcome stays. Anything else that it still said becomes rawOutput.
 * @param during what the plugin's process was doing, if it was not simply running the call
 */
export function abortedOutcome(
  abortReason: AbortReason,
  timeoutMs: number,
  afterTimeout: Outcome | undefined,
  during?: keyof typeof DURING,
): ErrorOutcome {
  const what = during && DURING[during];
  const how = abortMessage(abortReason, timeoutMs);
  const details: Pick<Details, 'rawOutput' | 'data' | 'hint'> = {
    rawOutput: lateOutputText(afterTimeout),
    data: { exitCode: -1 },
    ...(what && { hint: what.hint }),
  };
  const ended = errorOutcome(
    abortReason === 'timed out' ? 'OPERATION_TIMEOUT' : 'OPERATION_CANCELLED',
    what ? `${how}${what.text}` : how,
    details,
  );
  if (afterTimeout?.kind !== 'error' || !ABORT_CODES.includes(afterTimeout.errors[0]!.code)) return ended;
  const [own, ...others] = afterTimeout.errors as [OutcomeError, ...OutcomeError[]];
  if (own.code === ended.errors[0]!.code && abortReason !== 'shut down') return afterTimeout;
  const { code, message, category, hint, mcpErrorCode } = ended.errors[0]!;
  const { summary: _, partialResult, ...rest } = afterTimeout;
  const isSummarised = partialResult !== undefined && Object.hasOwn(partialResult, 'summary');
  return {
    ...rest,
    errors: [{ ...own, code, message, category, hint, mcpErrorCode } as OutcomeError, ...others],
    ...(partialResult && {
      partialResult: isSummarised ? { ...partialResult, summary: messageText(message) } : partialResult,
    }),
  };
}

function abortMessage(abortReason: AbortReason, timeoutMs: number): string {
  if (abortReason === 'timed out') return `The operation did not end within ${timeoutMs} ms`;
  return abortReason === 'cancelled'
    ? 'The operation was cancelled by the user'
    : 'The operation was cancelled: the server is shutting down';
}

function lateOutputText(afterTimeout: Outcome | undefined): string {
  if (afterTimeout === undefined || afterTimeout.kind === 'input_required') return '';
  // What was read or completed has no text.
  if (afterTimeout.kind !== 'error') return blocksText(afterTimeout.content ?? []);
  const own = blocksText(afterTimeout.content ?? []);
  return own || afterTimeout.errors.map((error) => messageText(error.message)).join('\n');
}

/** The text of text blocks, joined by LF. */
export function blocksText(blocks: readonly OutcomeBlock[]): string {
  return blocks.flatMap((block) => blockText(block) ?? []).join('\n');
}

/** The text that a block shows; undefined for one that is not text. */
export function blockText(block: OutcomeBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'json') return JSON.stringify(block.value, null, block.indent);
  return undefined;
}

/** An error's message as text; a value becomes compact JSON. */
export function messageText(message: OutcomeError['message']): string {
  return typeof message === 'string' ? message : JSON.stringify(message.json);
}
