/**
 * One message of the compiler, MSBuild, NuGet or an analyzer: an entry for all times that it was printed
 * (docs/spec/errors.md#one-entry).
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** `MSBUILD_UNCODED` where the tool printed none. */
  readonly code: string;
  /** Several lines are joined by LF. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** How often it was reported, if more than once, usually in several projects or frameworks. */
  readonly count?: number;
  /** The projects that reported it, absolute paths as printed, sorted. */
  readonly projects: readonly string[];
  /** The target frameworks that it was reported for, sorted. */
  readonly frameworks: readonly string[];
  /** The lines as they were printed, once. */
  readonly raw: string;
}
