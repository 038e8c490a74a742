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
  /** The command that was run, for orchestrators. */
  command?: string;
  /** The exit code of the process, if it is not 0: `metadata.processExitCode`. */
  exitCode?: number;
  /**
   * What the command printed: `output` of a SuccessResult. Where the text does not show it, it stays readable as
   * `mortise://outputs/{id}`, which the result links.
   */
  output?: string;
  /** A one-line summary: `metadata.summary` of a SuccessResult. */
  summary?: string;
  /**
   * true: text and data contain everything relevant in `output`, so it is linked only if the text is truncated.
   * false: it is always linked. By default this depends on the text.
   */
  showsAll?: boolean;
}

/** Message of an error that a tool reported without a message. */
export const NO_MESSAGE = 'The tool reported an error without a message.';
