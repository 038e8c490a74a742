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
