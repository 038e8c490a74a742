import type { ErrorHelp, ErrorResult, LockInfo } from './error-response.js';

/**
 * `fail()` stores the details of the failure under this key, in addition to the result that every MCP host understands.
 * A registered symbol, so that several copies of this package agree. The member is enumerable, so that `{...fail('x')}`
 * keeps it.
 */
export const FAILURE: unique symbol = Symbol.for('mortise.failure');

/** `ok()` stores its {@link SuccessDetails} under this key. */
export const SUCCESS: unique symbol = Symbol.for('mortise.success');

export interface FailureDetails {
  /** The first line of the text. If there are several errors, it sums them up. */
  message: string;
  /** There is at least one. */
  errors: ErrorResult[];
  /** −1 if no process ran to its end. */
  exitCode: number;
  /** By error code. */
  codes?: Record<string, ErrorHelp>;
  /** Partial results, in addition to the error. */
  structured?: object;
  metadata?: Record<string, unknown>;
  lockInfo?: LockInfo;
  output?: string;
  requiredCapabilities?: object;
}

/** The details of a successful result besides content and structuredContent. */
export interface SuccessDetails {
  /** The command that the tool ran, for orchestrators. */
  command?: string;
  /** The exit code of the process, if it is not 0. It becomes `metadata.processExitCode`. */
  exitCode?: number;
  /**
   * The output of the command: `output` of a SuccessResult. If the text does not show all of it, the result links to it
   * as `mortise://outputs/{id}`.
   */
  output?: string;
  /** A one-line summary: `metadata.summary` of a SuccessResult. */
  summary?: string;
  /**
   * true: text and data contain everything relevant in `output`, so it is linked only if the text is truncated. false:
   * it is always linked. By default this depends on the text.
   */
  showsAll?: boolean;
}

export const NO_MESSAGE = 'The tool reported an error without a message.';
