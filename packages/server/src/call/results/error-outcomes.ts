import { ERROR_CODES, type ErrorCode, type ErrorCodeEntry, type InvalidReason } from '@mortise/plugin';
import type { ErrorOutcome, Outcome, OutcomeBlock, OutcomeError } from '@mortise/plugin/runtime';

type Details = Partial<Omit<OutcomeError, 'code' | 'message'>>;

/** Creates an error. Category, mcpErrorCode and hint come from the table of codes unless `details` has them. */
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

/** Creates the outcome of a call in which no command ended (exit code −1). */
export function errorOutcome(code: ErrorCode, message: string, details?: Details): ErrorOutcome {
  return errorOutcomes([tableError(code, message, details)]);
}

/** As {@link errorOutcome}, for a call with several errors. The first one is the most important. */
export function errorOutcomes(errors: OutcomeError[]): ErrorOutcome {
  return { kind: 'error', errors, exitCode: -1 };
}

export function invalidParam(
  parameter: string,
  reason: InvalidReason,
  message: string,
  { hint, additionalData }: { hint?: string; additionalData?: Record<string, string> } = {},
): OutcomeError {
  return tableError('INVALID_PARAMS', message, {
    ...(hint === undefined ? {} : { hint }),
    data: { exitCode: -1, additionalData: { parameter, reason, ...additionalData } },
  });
}

const CAPABILITY_EXPLANATION =
  'This tool/feature exists but cannot be executed in the current environment or configuration. This may be due to missing dependencies, disabled feature flags, OS limitations, or features that are planned but not yet implemented.';

/**
 * Creates a CAPABILITY_NOT_AVAILABLE error (docs/spec/contract.md#feature-absent).
 * @param reason a clause without a full stop
 * @param alternatives imperatives
 */
export function capabilityNotAvailable(feature: string, reason: string, alternatives: string[]): ErrorOutcome {
  return errorOutcome('CAPABILITY_NOT_AVAILABLE', `The '${feature}' capability is not available: ${reason}`, {
    explanation: CAPABILITY_EXPLANATION,
    alternatives,
    data: { exitCode: -1, additionalData: { feature, reason } },
  });
}

/** Why a call was ended before the plugin's code had answered. */
export type AbortReason = 'cancelled' | 'timed out' | 'shut down';

/** States of a plugin that explain why a call did not end in time. */
const PLUGIN_STATES = {
  starting: {
    text: ' while the plugin was starting',
    hint: 'Call again: the plugin continues to start. If it always starts slowly, its author can raise timeoutMs of the tool.',
  },
  blocked: {
    text: ": the plugin's thread was blocked",
    hint: "The tool's code does not return to the event loop. Ask its author to look for an endless loop, a synchronous call or a long computation, and to divide the work with await or do it in a worker thread.",
  },
} as const;

const ABORT_CODES: readonly string[] = ['OPERATION_CANCELLED', 'OPERATION_TIMEOUT'];

/**
 * Creates the outcome of a call that was ended. If the tool itself answered with OPERATION_CANCELLED or
 * OPERATION_TIMEOUT, its outcome is kept, because only the tool knows how far it got. The text of any other late
 * outcome becomes `rawOutput`.
 * @param lateOutcome the outcome that the plugin's code returned within the grace period, if any
 * @param pluginState why the plugin's code could not answer; undefined if it ran normally
 */
export function abortedOutcome(
  abortReason: AbortReason,
  timeoutMs: number,
  lateOutcome: Outcome | undefined,
  pluginState?: keyof typeof PLUGIN_STATES,
): ErrorOutcome {
  const { text = '', hint } = pluginState ? PLUGIN_STATES[pluginState] : {};
  const aborted = errorOutcome(
    abortReason === 'timed out' ? 'OPERATION_TIMEOUT' : 'OPERATION_CANCELLED',
    `${abortMessage(abortReason, timeoutMs)}${text}`,
    { rawOutput: lateOutputText(lateOutcome), data: { exitCode: -1 }, ...(hint !== undefined && { hint }) },
  );
  if (lateOutcome?.kind !== 'error' || !ABORT_CODES.includes(lateOutcome.errors[0]!.code)) return aborted;
  const isAccurate = lateOutcome.errors[0]!.code === aborted.errors[0]!.code && abortReason !== 'shut down';
  return isAccurate ? lateOutcome : withAbortReason(lateOutcome, aborted.errors[0]!);
}

/** Corrects the reason in the outcome of a tool, because a tool cannot know of a shutdown or of the caller's deadline. */
function withAbortReason(lateOutcome: ErrorOutcome, reason: OutcomeError): ErrorOutcome {
  const [toolError, ...others] = lateOutcome.errors as [OutcomeError, ...OutcomeError[]];
  const { code, message, category, hint, mcpErrorCode } = reason;
  const { summary: _, partialResult, ...rest } = lateOutcome;
  const hasSummary = partialResult !== undefined && Object.hasOwn(partialResult, 'summary');
  return {
    ...rest,
    errors: [{ ...toolError, code, message, category, hint, mcpErrorCode } as OutcomeError, ...others],
    ...(partialResult && {
      partialResult: hasSummary ? { ...partialResult, summary: messageText(message) } : partialResult,
    }),
  };
}

function abortMessage(abortReason: AbortReason, timeoutMs: number): string {
  if (abortReason === 'timed out') return `The operation did not end within ${timeoutMs} ms`;
  return abortReason === 'cancelled'
    ? 'The operation was cancelled by the user'
    : 'The operation was cancelled: the server is shutting down';
}

function lateOutputText(lateOutcome: Outcome | undefined): string {
  if (lateOutcome === undefined || lateOutcome.kind === 'input_required') return '';
  // Reads and completions have no content.
  const text = blocksText(lateOutcome.content ?? []);
  if (lateOutcome.kind !== 'error') return text;
  return text || lateOutcome.errors.map((error) => messageText(error.message)).join('\n');
}

/** Returns the texts of all text blocks, joined by LF. */
export function blocksText(blocks: readonly OutcomeBlock[]): string {
  return blocks.flatMap((block) => blockText(block) ?? []).join('\n');
}

/** Returns the text of a text or JSON block; undefined for other blocks. */
export function blockText(block: OutcomeBlock): string | undefined {
  if (block.type === 'text') return block.text;
  if (block.type === 'json') return JSON.stringify(block.value, null, block.indent);
  return undefined;
}

/** Returns an error's message as text. A JSON value becomes compact JSON. */
export function messageText(message: OutcomeError['message']): string {
  return typeof message === 'string' ? message : JSON.stringify(message.json);
}
