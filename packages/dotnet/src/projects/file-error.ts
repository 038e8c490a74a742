export type FileErrorReason =
  /** No such file, or a folder where a file must be. */
  | 'not found'
  /** The text is no XML, no JSON or no MSBuild project. */
  | 'invalid format'
  /** A name or value that cannot stand in such a file. */
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
  constructor(
    readonly reason: FileErrorReason,
    message: string,
    /** The next action, as a sentence. */
    readonly hint: string,
    place?: { readonly line: number; readonly column: number },
  ) {
    super(message);
    this.line = place?.line;
    this.column = place?.column;
  }
}
