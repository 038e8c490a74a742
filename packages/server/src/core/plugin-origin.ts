/** The npm package that contains a plugin. */
export interface PackageOrigin {
  readonly from: 'package';
  readonly package: string;
  readonly version?: string;
  /** `integrity` of the lock file; absent if the lock file has no such entry. */
  readonly integrity?: string;
  /** The absolute path of that lock file. */
  readonly lockfile?: string;
  /** The version in the lock file, if another one is installed. */
  readonly lockedVersion?: string;
  /** The hash of the contents of the package's files, in hexadecimal; absent if the lock file does not have it. */
  readonly files?: string;
}

/** Where a plugin comes from (docs/spec/plugins.md#provenance). */
export type PluginOrigin = PackageOrigin | { readonly from: 'folder' | 'file' };
