export type FileErrorReason =
  /** No such file, or a folder where a file must be. */
  | 'not found'
  /** The text is not XML, not JSON or not an MSBuild project. */
  | 'invalid format'
  /** A name or value that cannot be in such a file. */
  | 'invalid value'
  /** Neither UTF-8 nor UTF-16 with a byte-order mark. */
  | 'unsupported encoding'
  /** Another program wrote the file since it was read; nothing was written. */
  | 'changed meanwhile';

/** A project, solution or global.json that cannot be read or edited as asked. Nothing was written. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The tool parameter that had the value, if the error is not in the file. */
  readonly parameter: string | undefined;
  constructor(
    readonly reason: FileErrorReason,
    message: string,
    /** The next action, as a sentence. */
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
