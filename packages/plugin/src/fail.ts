import { type ErrorCategory, errorCodeEntry } from './error-codes.js';
import type { ErrorData, ErrorHelp, ErrorResult, LockInfo } from './error-response.js';
import { failureMade } from './open-failures.js';
import { FAILURE, type FailureDetails, NO_MESSAGE } from './result-details.js';
import type { ToolFailure } from './tool.js';

/** What may be said about a failure beyond its message. */
export interface FailOptions {
  /** Default TOOL_ERROR: one of {@link ERROR_CODES}, or a code of your own. With a code of the server, give a `hint` too. */
  code?: string;
  /** Default is the category of the code, else Tool. */
  category?: ErrorCategory;
  /** The next action. Default: the hint of the code, unless only the server can give it, as for RATE_LIMITED. */
  hint?: string;
  explanation?: string;
  suggestedFixes?: string[];
  alternatives?: string[];
  documentationUrl?: string;
  data?: ErrorData;
  /** Default −1: nothing was run to its end. */
  exitCode?: number;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  /** All errors, where there are several: they replace the one made of the options above; the message sums them up. */
  errors?: ErrorResult[];
  /** Help that several of `errors` share, by their code. */
  codes?: Record<string, ErrorHelp>;
  /** Fields that are known in addition to the error, at the top level of structuredContent. */
  structured?: object;
  /** The whole output of the command; the result links to it in `fullOutput`. */
  output?: string;
}

/** A failed result; it may be returned or thrown. Its text is the message, then the hint, fixes and docs. */
export function fail(message: string, options: FailOptions = {}): ToolFailure {
  const text = String(message).trim() === '' ? NO_MESSAGE : String(message);
  const { errors, exitCode = -1, codes, structured, metadata, lockInfo, output } = options;
  const details: FailureDetails = {
    message: text,
    errors: errors !== undefined && errors.length > 0 ? errors : [singleError(text, options)],
    exitCode,
    ...(codes !== undefined && { codes }),
    ...(structured !== undefined && { structured }),
    ...(metadata !== undefined && { metadata }),
    ...(lockInfo !== undefined && { lockInfo }),
    ...(output !== undefined && { output }),
  };
  failureMade(details);
  const result = {
    content: [{ type: 'text' as const, text: failureText(details) }],
    isError: true as const,
    [FAILURE]: details,
  };
  return result;
}

/** The text that `fail()` gives a failure (docs/spec/contract.md#tool-error). */
export function failureText({ message, errors }: Pick<FailureDetails, 'message' | 'errors'>): string {
  const [first] = errors;
  if (first === undefined || errors.length > 1) return message;
  const lines = [message];
  if (first.hint) lines.push(`Hint: ${first.hint}`);
  for (const fix of first.suggestedFixes?.slice(0, 3) ?? []) lines.push(`Fix: ${fix}`);
  if (first.documentationUrl) lines.push(`Docs: ${first.documentationUrl}`);
  return lines.join('\n');
}

function singleError(message: string, options: FailOptions): ErrorResult {
  const { code = 'TOOL_ERROR', explanation, suggestedFixes, alternatives, documentationUrl, data } = options;
  const entry = errorCodeEntry(code);
  const hint = options.hint ?? (entry?.isOfServer ? undefined : entry?.hint);
  return {
    code,
    message,
    category: options.category ?? entry?.category ?? 'Tool',
    ...(hint !== undefined && { hint }),
    ...(explanation !== undefined && { explanation }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(suggestedFixes !== undefined && { suggestedFixes }),
    ...(alternatives !== undefined && { alternatives }),
    rawOutput: message,
    ...(entry?.mcpErrorCode !== undefined && { mcpErrorCode: entry.mcpErrorCode }),
    ...(data !== undefined && { data }),
  };
}
