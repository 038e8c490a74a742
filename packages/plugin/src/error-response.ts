import type { ErrorCategory } from './error-codes.js';

/** Details of an error for programs (docs/spec/contract.md#error-response). */
export interface ErrorData {
  command?: string;
  /** −1 if no process ran to its end. */
  exitCode?: number;
  stderr?: string;
  additionalData?: Record<string, string>;
}

/**
 * The reason why INVALID_PARAMS refuses a parameter: `data.additionalData.reason`
 * (docs/spec/arguments.md#bad-parameter).
 */
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

export interface ErrorResult {
  /** Never changes its meaning (docs/error-codes.md). */
  code: string;
  /** Says what happened to what, in one sentence or a few lines. */
  message: string;
  category: ErrorCategory;
  hint?: string;
  /** The meaning of the code. */
  explanation?: string;
  documentationUrl?: string;
  suggestedFixes?: string[];
  /** Other ways to the same result, if a capability is missing. */
  alternatives?: string[];
  /** Output that belongs to the error. Empty if the error has a file, a line and a message. */
  rawOutput: string;
  /** The corresponding JSON-RPC error code, if there is one. */
  mcpErrorCode?: number;
  data?: ErrorData;
  /** The source file that contains the error. */
  file?: string;
  /** The line in `file`, from 1. */
  line?: number;
  /** The column in `line`, from 1. */
  column?: number;
  /** The kind of cause, for programs (docs/spec/errors.md#root-cause-kinds). */
  rootCauseKind?: string;
  /** The next action in a form that programs can execute. A plugin can give it as a string. */
  recommendedAction?: RecommendedAction | string;
}

/** The next action. It is complete, so a program can take it unchanged. */
export type RecommendedAction =
  | {
      readonly actionKind: 'CallTool';
      readonly description: string;
      /** The name as clients see it. */
      readonly toolName: string;
      readonly arguments: Readonly<Record<string, unknown>>;
    }
  | { readonly actionKind: 'RunCommand'; readonly description: string; readonly command: string }
  | { readonly actionKind: 'ManualStep'; readonly description: string }
  | { readonly actionKind: 'OpenUrl'; readonly description: string; readonly url: string }
  | {
      readonly actionKind: 'SetEnvironmentVariable';
      readonly description: string;
      readonly variable: string;
      readonly value: string;
    };

/** The lock that an operation held or was refused (docs/spec/contract.md#lock-info). */
export interface LockInfo {
  lockScope: 'project' | 'solution' | 'workingDirectory' | 'global';
  lockKey: string;
  lockContended?: true;
  lockWaitedMs?: number;
}

/** Help that applies to every error with one code. */
export type ErrorHelp = Pick<
  ErrorResult,
  'hint' | 'explanation' | 'documentationUrl' | 'suggestedFixes' | 'rootCauseKind' | 'recommendedAction'
>;

/** Links to the complete output of a command, for as long as the server keeps it. */
export interface FullOutput {
  /** `mortise://outputs/{id}`, which can be read in pages. */
  uri: string;
  /** In characters. */
  chars: number;
}

/** structuredContent of every failed call. */
export interface ErrorResponse {
  success: false;
  errors: ErrorResult[];
  exitCode: number;
  /** Help by error code, if several errors share a code. Of those errors only the first contains the help too. */
  codes?: Record<string, ErrorHelp>;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  /** The output of the command that failed. */
  fullOutput?: FullOutput;
}

/** An error with the members that the published contract has. */
export type PublishedErrorResult = Omit<
  ErrorResult,
  'file' | 'line' | 'column' | 'rootCauseKind' | 'recommendedAction'
>;

/**
 * The text of a failed call with `machineReadable: true`: exactly the published members
 * (docs/spec/contract.md#published-members).
 */
export interface PublishedErrorResponse {
  success: false;
  errors: PublishedErrorResult[];
  exitCode: number;
  metadata?: Record<string, string>;
}

/** The text of a successful call with `machineReadable: true`: exactly the published members. */
export interface SuccessResult {
  success: true;
  command?: string;
  /** The output of the command, or the text of the result if there was no command. */
  output: string;
  /** Always 0, whatever the exit code of the process (`metadata.processExitCode`). */
  exitCode: 0;
  /** Values that are not strings are written as JSON. `fullOutput` is set if `output` is truncated. */
  metadata?: Record<string, string>;
}
