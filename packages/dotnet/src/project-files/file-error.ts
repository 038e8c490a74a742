export type FileErrorReason =
  /** The file does not exist or is a folder. */
  | 'not found'
  /** The text is not XML, not JSON or not an MSBuild project. */
  | 'invalid format'
  /** A name or value cannot be in such a file. */
  | 'invalid value'
  /** The file is neither UTF-8 nor UTF-16 with a byte-order mark. */
  | 'unsupported encoding'
  /** Another program has written the file since it was read. */
  | 'changed meanwhile';

/** Thrown if a project, solution or global.json cannot be read or edited as requested. Nothing was written. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The tool parameter with the wrong value, if the error is not in the file. */
  readonly parameter: string | undefined;
  constructor(
    readonly reason: FileErrorReason,
    message: string,
    /** The next action, an imperative. */
    readonly hint: string,
    at?: { readonly line: number; readonly column: number } | { readonly parameter: string },
  ) {
    super(message);
    const location = at && 'line' in at ? at : undefined;
    this.line = location?.line;
    this.column = location?.column;
    this.parameter = at && 'parameter' in at ? at.parameter : undefined;
  }
}
