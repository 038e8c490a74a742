import type { ErrorHelp, ErrorResult, LockInfo } from './error-response.js';

/**
 * Under this key `fail()` stores its details, in addition to the result that any MCP host understands. A registered symbol, so
 * that several copies of this package agree; an enumerable member, so that `{...fail('x')}` keeps it.
 */
export const FAILURE: unique symbol = Symbol.for('mortise.failure');

/** Under this key `ok()` keeps what a SuccessResult has beyond its text. */
export const SUCCESS: unique symbol = Symbol.for('mortise.success');

/** What `fail()` knows of a failure. */
export interface FailureDetails {
  /** The first line of the text; differs from the first error's message where it sums up several. */
  message: string;
  /** At least one. */
  errors: ErrorResult[];
  /** −1 when nothing was run to its end. */
  exitCode: number;
  /** Help by code that several errors share. */
  codes?: Record<string, ErrorHelp>;
  /** Partial results, in addition to the error. */
  structured?: object;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  /** The whole output of the command. */
  output?: string;
  /** The MCP capabilities that the client lacks. */
  requiredCapabilities?: object;
}

/** What `ok()` knows beyond content and structuredContent. */
export interface SuccessDetails {
  command?: string;
  exitCode?: number;
  /** The whole output of the command. */
  output?: string;
  /** A one-line summary. */
  summary?: string;
  /** Whether the result contains everything relevant in `output`. */
  showsAll?: boolean;
}

/** Message of an error that a tool reported without a message. */
export const NO_MESSAGE = 'The tool reported an error without a message.';
