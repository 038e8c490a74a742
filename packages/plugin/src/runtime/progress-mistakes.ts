import { callerPlace } from '../own-code.js';
import { describeValue } from './describe.js';

/**
 * Finds progress reports of a call that their author probably meant otherwise
 * (docs/spec/plugin-authoring.md#odd-progress).
 */
export class ProgressMistakes {
  #hasWholePercents = false;
  #firstShare: string | undefined;
  #firstIgnored: string | undefined;

  /** @param isIgnored true if `progress` is not a valid report */
  check(progress: unknown, { isIgnored }: { isIgnored: boolean }): void {
    if (isIgnored) this.#firstIgnored ??= `progress.report(${describeValue(progress)})${placeOfCaller()}`;
    else if (typeof progress === 'number' && progress > 0 && progress < 1)
      this.#firstShare ??= `progress.report(${progress})${placeOfCaller()}`;
    else if (typeof progress === 'number' && progress > 1) this.#hasWholePercents = true;
  }

  /** The messages for the author. Read them when the call has ended. */
  messages(): string[] {
    const share =
      this.#firstShare !== undefined && !this.#hasWholePercents
        ? `${this.#firstShare} is less than one percent, and the call reported no number above 1. A number is a percentage from 0 to 100; report a fraction as report({ done, total: 1 }).`
        : [];
    const ignored =
      this.#firstIgnored !== undefined
        ? `${this.#firstIgnored} was ignored. Pass a percentage, or { done, total }.`
        : [];
    return [share, ignored].flat();
  }
}

function placeOfCaller(): string {
  const place = callerPlace();
  return place === undefined ? '' : ` at ${place.file}:${place.line}`;
}
