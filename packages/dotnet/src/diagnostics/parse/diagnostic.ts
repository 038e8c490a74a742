/**
 * A message of a compiler, MSBuild, NuGet or an analyzer. A message that was printed several times is one diagnostic
 * (docs/spec/errors.md#one-entry).
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** `MSBUILD_UNCODED` or `NUGET_UNCODED` if the tool printed none. */
  readonly code: string;
  /** The text; several lines are joined by LF. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The number of reports, usually by several projects or for several frameworks; absent if 1. */
  readonly count?: number;
  /** The projects that reported it, sorted. Paths are as printed, usually absolute. */
  readonly projects: readonly string[];
  /** The target frameworks for which it was reported, sorted. */
  readonly frameworks: readonly string[];
  /** The printed lines, once. */
  readonly raw: string;
}
