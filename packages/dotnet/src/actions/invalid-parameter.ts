import type { ErrorResult, InvalidReason, RecommendedAction } from '@mortise/plugin';
import { errorEntry } from '../advice/plain-error.js';

export interface InvalidParameterDetails {
  hint?: string;
  alternatives?: string[];
  /** The value of the parameter. It is redacted before a client sees it. */
  providedValue?: string;
  /** The next step. Default for a missing file: the same call with the most similar file. */
  recommendedAction?: RecommendedAction;
  additionalData?: Record<string, string>;
}

/** Thrown for an argument that cannot be accepted (INVALID_PARAMS). No command has run. */
export class InvalidParameterError extends Error {
  override readonly name = 'InvalidParameterError';
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
  }
}

/** Creates the error for a required parameter that is missing, empty or blank. */
export function missingParameter(parameter: string, hint?: string): InvalidParameterError {
  const message = `Parameter '${parameter}' is required and cannot be empty`;
  return new InvalidParameterError(parameter, 'required', message, hint === undefined ? {} : { hint });
}
