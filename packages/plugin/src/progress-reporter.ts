/** The progress of a call, in a unit that the tool chooses: files, bytes, steps. */
export interface ProgressReport {
  /** A finite number. Reports with anything else are ignored. */
  done: number;
  /** The value of `done` at the end, above 0. Omit it if it is not known. */
  total?: number;
  message?: string;
}

/** A {@link ProgressReport} with MCP's names: `progress` is `done`. */
export interface McpProgress {
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Reports the progress of a call: `report(50, 'half')` in percent, or `report({done: 3, total: 7, message: 'c.txt'})`.
 * A fraction is a percentage too: 0.5 is half a percent. Percentages are clamped to 0 to 100 and mean `{done: percent,
 * total: 100}`. NaN is ignored. MCP requires each value to be above the last one, so use one unit in a call. The server
 * sends at most 20 reports in any second. The client may read a report immediately before the result together with the
 * result; the official TypeScript SDK (2.4.0) does not show such a report.
 */
export interface IProgressReporter {
  report(progress: number | ProgressReport | McpProgress, message?: string): void;
}
