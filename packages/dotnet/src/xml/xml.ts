/** An element of an XML document, with the offsets that edits need. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly elements: readonly XmlElement[];
  /** The text directly in the element, with CDATA and with decoded entities. */
  readonly text: string;
  readonly parent: XmlElement | undefined;
  /** The offset of `<` of the start tag. */
  readonly start: number;
  /** The offset after `>` of the end tag or after `/>`. */
  readonly end: number;
  /** The offset after `>` of the start tag. */
  readonly contentStart: number;
  /** The offset of `<` of the end tag; equal to `contentStart` for `<x/>`. */
  readonly contentEnd: number;
  readonly isSelfClosing: boolean;
}

export interface XmlAttribute {
  readonly name: string;
  /** The value with decoded entities. */
  readonly value: string;
  /** The offset of the value, inside its quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** Thrown if a text is not well-formed XML. */
export class XmlError extends Error {
  override readonly name = 'XmlError';
  constructor(
    /** The problem without its place. */
    readonly detail: string,
    /** The line number from 1. */
    readonly line: number,
    /** The column from 1, in UTF-16 code units. */
    readonly column: number,
  ) {
    super(`${detail} (line ${line}, column ${column})`);
  }
}

/** Creates an error for an offset in the text. A byte-order mark does not count as a column. */
export function xmlErrorAt(text: string, offset: number, detail: string): XmlError {
  const before = text.slice(text.startsWith('\uFEFF') ? 1 : 0, offset);
  const lines = before.split(/\r\n|\r|\n/);
  return new XmlError(detail, lines.length, lines.at(-1)!.length + 1);
}
