/** The files of a plugin and their state at one moment. */
export interface Fingerprint {
  /** Sorted absolute paths. */
  readonly files: readonly string[];
  /** A hash of path, size, change time (ns) and inode of each file. It stays the same until a file is written. */
  readonly stateHash: string;
  /** The code files: the entry and everything that it imports, without other files in the plugin's folder. */
  readonly code?: readonly string[];
  /** The `stateHash` of the code files only. */
  readonly codeHash?: string;
  /** The code imports more files than are tracked, so some changes would not be noticed. */
  readonly hasTooManyImports?: boolean;
}
