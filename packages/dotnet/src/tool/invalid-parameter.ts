import { fail, type ToolCallResult } from '@mortise/plugin';

/** Why a parameter is refused (contract.md §4). */
export type InvalidReason =
  | 'required'
  | 'invalid value'
  | 'invalid characters'
  | 'invalid format'
  | 'invalid extension'
  | 'not found'
  | 'conflict'
  | 'required for safety'
  | 'unknown parameter';

export interface InvalidParameterDetails {
  hint?: string;
  alternatives?: string[];
  /** Shown, redacted, where it helps. */
  providedValue?: string;
  /** More facts for programs. */
  additionalData?: Record<string, string>;
}

/** INVALID_PARAMS: nothing was run. Made to be thrown: whoever checks an argument need not pass it on. */
export class InvalidParameter extends Error {
  override readonly name = 'InvalidParameter';
  readonly result: ToolCallResult;

  constructor(
    readonly parameter: string,
    reason: InvalidReason,
    message: string,
    { hint, alternatives, providedValue, additionalData }: InvalidParameterDetails = {},
  ) {
    super(message);
    this.result = fail(message, {
      code: 'INVALID_PARAMS',
      ...(hint !== undefined && { hint }),
      ...(alternatives !== undefined && { alternatives }),
      data: {
        exitCode: -1,
        additionalData: { parameter, reason, ...(providedValue !== undefined && { providedValue }), ...additionalData },
      },
    });
  }
}

/** A required parameter that is missing, empty or blank. */
export function missingParameter(parameter: string): InvalidParameter {
  return new InvalidParameter(parameter, 'required', `Parameter '${parameter}' is required and cannot be empty`);
}
