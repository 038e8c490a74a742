import type { IProgressReporter } from './progress-reporter.js';

/** Reports to no one: for tests and for callers without a progress token. */
export class NullProgressReporter implements IProgressReporter {
  static readonly instance: IProgressReporter = new NullProgressReporter();

  report(_percent: number, _message?: string): void {}
}
