import type { ProgressReport } from '../progress-reporter.js';

/**
 * Converts a tool's report to its normal form. A percentage has the total 100.
 * @param progress a percentage or a report; authors can pass any value
 * @param message belongs to a percentage
 * @returns undefined if the report is invalid: not a number, NaN, or not finite
 */
export function toProgressReport(progress: unknown, message?: unknown): ProgressReport | undefined {
  if (typeof progress === 'object' && progress !== null) return amountReport(progress as Partial<ProgressReport>);
  const percent = Number(progress);
  if (Number.isNaN(percent)) return undefined;
  return { done: Math.min(100, Math.max(0, percent)), total: 100, ...textOf(message) };
}

/** `progress` is MCP's name for `done`. */
function amountReport(report: Partial<ProgressReport> & { progress?: unknown }): ProgressReport | undefined {
  const { progress, done = progress, total, message } = report;
  if (typeof done !== 'number' || !Number.isFinite(done)) return undefined;
  const hasTotal = typeof total === 'number' && Number.isFinite(total) && total > 0;
  return { done, ...(hasTotal && { total }), ...textOf(message) };
}

const textOf = (message: unknown) => typeof message === 'string' && { message };
