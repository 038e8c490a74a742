import { callerPlace } from '../own-code.js';
import { describeValue } from './describe.js';

/** Looks at what a call reports as progress, for reports that their author meant otherwise (docs/spec/plugin-authoring.md#odd-progress). */
export class WatchedReports {
  #hasWholePercents = false;
  #firstShare: string | undefined;
  #firstIgnored: string | undefined;

  /** @param isIgnored it is not a report */
  saw(progress: unknown, isIgnored: boolean): void {
    if (isIgnored) this.#firstIgnored ??= `progress.report(${describeValue(progress)})${placeOfCaller()}`;
    else if (typeof progress === 'number' && progress > 0 && progress < 1)
      this.#firstShare ??= `progress.report(${progress})${placeOfCaller()}`;
    else if (typeof progress === 'number' && progress > 1) this.#hasWholePercents = true;
  }

  /** What to tell the author when the call has ended. */
  mistakes(): string[] {
    const share =
      this.#firstShare !== undefined && !this.#hasWholePercents
        ? `${this.#firstShare} is less than one percent, and the call reported no more than 1: a number is a percent from 0 to 100. Write report({ done, total: 1 }) for a share.`
        : [];
    const ignored =
      this.#firstIgnored !== undefined ? `${this.#firstIgnored} was ignored. Give a percent, or { done, total }.` : [];
    return [share, ignored].flat();
  }
}

function placeOfCaller(): string {
  const place = callerPlace();
  return place === undefined ? '' : ` at ${place.file}:${place.line}`;
}
