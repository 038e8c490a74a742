import type { ErrorCategory } from './error-codes.js';

/** Structured facts of an error (docs/spec/contract.md#error-response). */
export interface ErrorData {
  command?: string;
  /** −1 when nothing was run to its end. */
  exitCode?: number;
  stderr?: string;
  additionalData?: Record<string, string>;
}

/** Why INVALID_PARAMS refuses a parameter: `data.additionalData.reason` (docs/spec/arguments.md#bad-parameter). */
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

/** One error of an {@link ErrorResponse}. */
export interface ErrorResult {
  /** Its meaning never changes (docs/error-codes.md). */
  code: string;
  /** What happened to what, in one sentence or a few lines. */
  message: string;
  /** The group of the code. */
  category: ErrorCategory;
  /** What to do next. */
  hint?: string;
  /** What the code means. */
  explanation?: string;
  /** A page about the code. */
  documentationUrl?: string;
  /** Possible fixes. */
  suggestedFixes?: string[];
  /** Other ways to the same result, where a capability is missing. */
  alternatives?: string[];
  /** Related output; empty for an error with file, line and message. */
  rawOutput: string;
  /** The JSON-RPC error code that corresponds to the code, if any. */
  mcpErrorCode?: number;
  /** Details for programs. */
  data?: ErrorData;
  /** The source file that the error is in. */
  file?: string;
  /** In `file`, from 1. */
  line?: number;
  /** In `line`, from 1. */
  column?: number;
  /** The kind of cause, for programs (docs/spec/errors.md#root-cause-kinds). */
  rootCauseKind?: string;
  /** The next step; a plugin can give it as a string. */
  recommendedAction?: RecommendedAction | string;
}

/** The next step, complete: the reader can do it without filling anything in. */
export type RecommendedAction =
  | {
      readonly actionKind: 'CallTool';
      readonly description: string;
      /** As clients see it. */
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

/** Which lock an operation held or was refused (docs/spec/contract.md#lock-info). */
export interface LockInfo {
  lockScope: 'project' | 'solution' | 'workingDirectory' | 'global';
  lockKey: string;
  lockContended?: true;
  lockWaitedMs?: number;
}

/** What helps with every error of one code. */
export type ErrorHelp = Pick<
  ErrorResult,
  'hint' | 'explanation' | 'documentationUrl' | 'suggestedFixes' | 'rootCauseKind' | 'recommendedAction'
>;

/** The resource with the full output of a command, for as long as the server keeps it. */
export interface FullOutput {
  /** `mortise://outputs/{id}`, in pages. */
  uri: string;
  /** How long it is, in characters. */
  chars: number;
}

/** structuredContent of every failed call. */
export interface ErrorResponse {
  success: false;
  errors: ErrorResult[];
  exitCode: number;
  /** Help by code, given once where several errors share it; the entries after the first do not repeat it. */
  codes?: Record<string, ErrorHelp>;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  /** The output of the command that failed. */
  fullOutput?: FullOutput;
}

/** The members of an error that the published contract has. */
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
  /** What the command printed; else the text of the result. */
  output: string;
  /** 0: a success, whatever code the process ended with (`metadata.processExitCode`). */
  exitCode: 0;
  /** Values that are not strings are their JSON as text; `fullOutput` is set if `output` is truncated. */
  metadata?: Record<string, string>;
}
