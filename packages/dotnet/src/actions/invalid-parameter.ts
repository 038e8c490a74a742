import {
  type ErrorResult,
  fail,
  type InvalidReason,
  type RecommendedAction,
  type ToolCallResult,
} from '@mortise/plugin';
import { errorEntry } from '../advice/plain-error.js';

export interface InvalidParameterDetails {
  hint?: string;
  alternatives?: string[];
  /** Shown, redacted, where it helps. */
  providedValue?: string;
  /** What to do instead; for a file that is missing, by default the same call with the nearest one. */
  recommendedAction?: RecommendedAction;
  /** More facts for programs. */
  additionalData?: Record<string, string>;
}

/** INVALID_PARAMS: nothing was run. It is thrown, so that checks of arguments need not return it. */
export class InvalidParameterError extends Error {
  override readonly name = 'InvalidParameterError';
  readonly result: ToolCallResult;
  readonly details: { readonly reason: InvalidReason; readonly entry: ErrorResult };

  constructor(
    readonly parameter: string,
    reason: InvalidReason,
    message: string,
    { hint, alternatives, providedValue, recommendedAction, additionalData }: InvalidParameterDetails = {},
  ) {
    super(message);
    const data = {
      exitCode: -1,
      additionalData: { parameter, reason, ...(providedValue !== undefined && { providedValue }), ...additionalData },
    };
    const entry = {
      ...errorEntry('INVALID_PARAMS', message, {
        data,
        ...(hint !== undefined && { hint }),
        ...(alternatives !== undefined && { alternatives }),
      }),
      ...(recommendedAction && { recommendedAction }),
    };
    this.details = { reason, entry };
    this.result = fail(message, { errors: [entry] });
  }
}

/** A required parameter that is missing, empty or blank. */
export function missingParameter(parameter: string, hint?: string): InvalidParameterError {
  const message = `Parameter '${parameter}' is required and cannot be empty`;
  return new InvalidParameterError(parameter, 'required', message, hint === undefined ? {} : { hint });
}
