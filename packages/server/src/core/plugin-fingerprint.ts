/** The files that a plugin is made of, and how they stood. */
export interface Fingerprint {
  /** Absolute, sorted. */
  readonly files: readonly string[];
  /** A hash of path, size, change time (ns) and inode of each file: equal as long as nothing was written. */
  readonly stateHash: string;
  /** Those of code: the entry and what it leads to, without what else is in the plugin's folder. */
  readonly code?: readonly string[];
  /** The stamp of these alone. */
  readonly codeHash?: string;
  /** The code imports more files than are followed, so that changes of some would not be noticed. */
  readonly hasTooManyImports?: boolean;
}
