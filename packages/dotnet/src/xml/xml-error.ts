/** Text that is not well-formed XML, with the location and the problem. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  constructor(
    /** What is wrong, without the place. */
    readonly detail: string,
    /** From 1. */
    readonly line: number,
    /** From 1, in UTF-16 units. */
    readonly column: number,
  ) {
    super(`${detail} (line ${line}, column ${column})`);
  }
}

/** An {@link XmlError} at an offset of the text; a byte-order mark counts as no column. */
export function xmlErrorAt(text: string, offset: number, detail: string): XmlError {
  const before = text.slice(text.startsWith('\uFEFF') ? 1 : 0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return new XmlError(detail, lines.length, lines.at(-1)!.length + 1);
}
