/** An element of an XML document, with the offsets that edits need. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly elements: readonly XmlElement[];
  /** All text directly in the element, CDATA included, entities decoded. */
  readonly text: string;
  readonly parent: XmlElement | undefined;
  /** From `<` of the start tag. */
  readonly start: number;
  /** Behind `>` of the end tag, or of `/>`. */
  readonly end: number;
  /** Behind `>` of the start tag. */
  readonly contentStart: number;
  /** At `<` of the end tag; equal to contentStart where the element is `<x/>`. */
  readonly contentEnd: number;
  readonly isSelfClosing: boolean;
}

export interface XmlAttribute {
  readonly name: string;
  /** Entities decoded. */
  readonly value: string;
  /** The start of the value, inside its quotes. */
  readonly valueStart: number;
  readonly valueEnd: number;
}

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
