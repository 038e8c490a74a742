import type { IProgressReporter, ProgressReport } from './progress-reporter.js';

/** Discards all reports. For tests, and for callers without a progress token. */
export class NullProgressReporter implements IProgressReporter {
  static readonly instance: IProgressReporter = new NullProgressReporter();

  report(_progress: number | ProgressReport, _message?: string): void {}
}
