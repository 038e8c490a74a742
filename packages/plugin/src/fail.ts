import { type ErrorCategory, errorCodeEntry } from './error-codes.js';
import type { ErrorData, ErrorHelp, ErrorResult, LockInfo } from './error-response.js';
import { failureMade } from './open-failures.js';
import { FAILURE, type FailureDetails, NO_MESSAGE } from './result-details.js';
import type { ToolFailure } from './tool.js';

export interface FailOptions {
  /**
   * One of {@link ERROR_CODES}, or a code of your own. Default TOOL_ERROR. With a code that only the server raises,
   * give a `hint` too.
   */
  code?: string;
  /** Default: the category of the code; Tool for a code of your own. */
  category?: ErrorCategory;
  /** The next action. Default: the hint of the code, unless only the server can give it, as for RATE_LIMITED. */
  hint?: string;
  explanation?: string;
  suggestedFixes?: string[];
  alternatives?: string[];
  documentationUrl?: string;
  data?: ErrorData;
  /** Default −1: no process ran to its end. */
  exitCode?: number;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  /**
   * All errors, if there are several. They replace the error that the options above describe, and the message sums them
   * up.
   */
  errors?: ErrorResult[];
  /** Shared by several of `errors`; by error code. */
  codes?: Record<string, ErrorHelp>;
  /** Partial results, at the top level of structuredContent. */
  structured?: object;
  /** The complete output of the command. The result links to it in `fullOutput`. */
  output?: string;
}

/**
 * A failed result, to be returned or thrown. Its text consists of the message, the hint, the fixes and the link to the
 * documentation.
 */
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
