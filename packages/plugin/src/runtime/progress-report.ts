import type { ProgressReport } from '../progress-reporter.js';

/**
 * What a tool reported, in its one form: a percent is of 100.
 * @param progress a percent, or a report; of authors, so that it may be anything
 * @param message of a percent
 * @returns undefined for an invalid report: not a number, NaN, an amount that is not finite
 */
export function toProgressReport(progress: unknown, message?: unknown): ProgressReport | undefined {
  if (typeof progress === 'object' && progress !== null) return amountReport(progress as Partial<ProgressReport>);
  const percent = Number(progress);
  if (Number.isNaN(percent)) return undefined;
  return { done: Math.min(100, Math.max(0, percent)), total: 100, ...textOf(message) };
}

/** `progress` is MCP's word for `done`. */
function amountReport(report: Partial<ProgressReport> & { progress?: unknown }): ProgressReport | undefined {
  const { progress, done = progress, total, message } = report;
  if (typeof done !== 'number' || !Number.isFinite(done)) return undefined;
  const hasTotal = typeof total === 'number' && Number.isFinite(total) && total > 0;
  return { done, ...(hasTotal && { total }), ...textOf(message) };
}

const textOf = (message: unknown) => typeof message === 'string' && { message };
