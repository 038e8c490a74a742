/** How far a call has come, in a unit of the tool's own: files, bytes, steps. */
export interface ProgressReport {
  /** A finite number; anything else is ignored. */
  done: number;
  /** What `done` will be at the end, above 0; leave it out where that is not known. */
  total?: number;
  message?: string;
}

/** A {@link ProgressReport} in the words of MCP: `progress` is `done`. */
export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Reports how far a call has come: `report(50, 'half')` in percent, or `report({done: 3, total: 7, message: 'c.txt'})`. A fraction is a percent too:
 * 0.5 is half a percent.
 * A percent is clamped to 0 to 100, which is `{done: percent, total: 100}`; NaN is ignored. MCP wants each value above the
 * last: use one unit in a call. The host sends at most 20 reports in any second. One right before the
 * result may be read together with it, and the client of the official TypeScript SDK (2.4.0) shows no one such a report.
 */
export interface IProgressReporter {
  report(progress: number | ProgressReport | McpProgress, message?: string): void;
}
