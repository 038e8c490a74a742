/**
 * Reports how far a call has come.
 * `percent` is 0 to 100 and clamped; NaN is ignored. The host sends at most 20 reports in any second. One right before the
 * result may be read together with it, and the client of the official TypeScript SDK (2.4.0) shows no one such a report.
 */
export interface IProgressReporter {
  report(percent: number, message?: string): void;
}
