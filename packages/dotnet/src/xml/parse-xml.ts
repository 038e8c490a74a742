import { decodeEntities } from './entities.js';
import { type XmlAttribute, type XmlElement, xmlErrorAt } from './xml.js';

/** The maximum depth of elements. */
export const MAX_XML_DEPTH = 512;

type Writable<T> = { -readonly [K in keyof T]: T[K] };
interface OpenElement extends Writable<XmlElement> {
  attributes: XmlAttribute[];
  elements: OpenElement[];
  parent: OpenElement | undefined;
}

interface Document {
  readonly text: string;
  position: number;
  hasDoctype: boolean;
  root: OpenElement | undefined;
  /** The innermost element that is not closed yet. */
  open: OpenElement | undefined;
  depth: number;
}

const NAME = /[A-Za-z_:\x80-\uFFFF][\w:.\x80-\uFFFF-]*/y;
const SPACE = /[ \t\r\n]*/y;

/**
 * Parses an XML document, in time that is linear in its length. Comments, processing instructions and the document type
 * are skipped. Of the entities, only the five of XML and character references are decoded.
 * @returns the root element
 * @throws XmlError if the text is not well-formed, or nested deeper than {@link MAX_XML_DEPTH}
 */
export function parseXml(text: string): XmlElement {
  const document: Document = {
    text,
    position: text.startsWith('\uFEFF') ? 1 : 0,
    hasDoctype: false,
    root: undefined,
    open: undefined,
    depth: 0,
  };
  while (document.position < text.length) {
    parseText(document);
    if (document.position < text.length) parseMarkup(document);
  }
  if (document.open) throw xmlErrorAt(text, document.open.start, `<${document.open.name}> is never closed`);
  if (!document.root) throw xmlErrorAt(text, text.length, 'There is no root element');
  return document.root;
}

function parseText(document: Document): void {
  const { text, position, open } = document;
  const next = text.indexOf('<', position);
  const end = next < 0 ? text.length : next;
  const raw = text.slice(position, end);
  if (open) open.text += decode(document, raw, position, unifyLineEnds);
  else if (/\S/.test(raw)) {
    throw xmlErrorAt(text, position + raw.search(/\S/), 'Text must be inside the root element');
  }
  document.position = end;
}

function parseMarkup(document: Document): void {
  const { text, position } = document;
  if (text.startsWith('<!--', position)) document.position = after(document, '-->', 4, 'The comment');
  else if (text.startsWith('<?', position)) document.position = after(document, '?>', 2, 'The processing instruction');
  else if (text.startsWith('<![CDATA[', position)) parseCData(document);
  else if (text.startsWith('<!DOCTYPE', position)) skipDoctype(document);
  else if (text.startsWith('</', position)) parseEndTag(document);
  else parseStartTag(document);
}

/**
 * Returns the offset after the terminator of the markup that begins at the position.
 * @param what its name in the error
 */
function after({ text, position }: Document, terminator: string, openingLength: number, what: string): number {
  const end = text.indexOf(terminator, position + openingLength);
  if (end < 0) throw xmlErrorAt(text, position, `${what} is never closed`);
  return end + terminator.length;
}

function parseCData(document: Document): void {
  const { text, position, open } = document;
  if (!open) throw xmlErrorAt(text, position, 'A CDATA section must be inside the root element');
  const end = after(document, ']]>', 9, 'The CDATA section');
  open.text += unifyLineEnds(text.slice(position + 9, end - 3));
  document.position = end;
}

function skipDoctype(document: Document): void {
  const { text, position: start } = document;
  if (document.root) throw xmlErrorAt(text, start, 'The document type must precede the root element');
  document.hasDoctype = true;
  document.position += 9;
  let isInSubset = false;
  for (; document.position < text.length; document.position += 1) {
    const char = text[document.position];
    if (char === '"' || char === "'") document.position = after(document, char, 1, 'The quoted value') - 1;
    else if (text.startsWith('<!--', document.position))
      document.position = after(document, '-->', 4, 'The comment') - 1;
    else if (char === '[') isInSubset = true;
    else if (char === ']') isInSubset = false;
    else if (char === '>' && !isInSubset) {
      document.position += 1;
      return;
    }
  }
  throw xmlErrorAt(text, start, 'The document type is never closed');
}

function parseStartTag(document: Document): void {
  const { text, position: start, open: parent } = document;
  document.position += 1;
  const name = parseName(document, "'<' must be written as '&lt;', or an element's name follows");
  if (document.root && !parent) throw xmlErrorAt(text, start, `There is a second root element <${name}>`);
  const attributes = parseAttributes(document, name);
  const isSelfClosing = text[document.position] === '/';
  document.position += isSelfClosing ? 2 : 1;
  const end = document.position;
  const element: OpenElement = {
    name,
    attributes,
    elements: [],
    text: '',
    parent,
    start,
    end,
    contentStart: end,
    contentEnd: end,
    isSelfClosing,
  };
  document.root ??= element;
  parent?.elements.push(element);
  if (isSelfClosing) return;
  document.open = element;
  document.depth += 1;
  if (document.depth > MAX_XML_DEPTH) {
    throw xmlErrorAt(text, start, `Elements are nested deeper than ${MAX_XML_DEPTH} levels`);
  }
}

/** Parses attributes and stops at `>` or `/>`. */
function parseAttributes(document: Document, element: string): XmlAttribute[] {
  const { text } = document;
  const attributes: XmlAttribute[] = [];
  const names = new Set<string>();
  for (;;) {
    const hasSpace = skipSpace(document);
    const char = text[document.position];
    if (char === '>' || (char === '/' && text[document.position + 1] === '>')) return attributes;
    if (char === undefined) throw xmlErrorAt(text, text.length, `The tag <${element}> is never closed`);
    const start = document.position;
    const name = parseName(document, `An attribute of <${element}>, '/>' or '>' must follow`);
    if (!hasSpace) throw xmlErrorAt(text, start, `White space must precede the attribute '${name}'`);
    if (names.has(name)) throw xmlErrorAt(text, start, `The attribute '${name}' of <${element}> is a duplicate`);
    names.add(name);
    attributes.push(parseAttributeValue(document, name));
  }
}

function parseAttributeValue(document: Document, name: string): XmlAttribute {
  const { text } = document;
  skipSpace(document);
  if (text[document.position] !== '=') {
    throw xmlErrorAt(text, document.position, `'=' must follow the attribute name '${name}'`);
  }
  document.position += 1;
  skipSpace(document);
  const quote = text[document.position];
  if (quote !== '"' && quote !== "'") {
    throw xmlErrorAt(text, document.position, `The value of the attribute '${name}' must be in quotes`);
  }
  const valueStart = document.position + 1;
  const valueEnd = after(document, quote, 1, `The value of the attribute '${name}'`) - 1;
  const raw = text.slice(valueStart, valueEnd);
  const bracket = raw.indexOf('<');
  if (bracket >= 0) throw xmlErrorAt(text, valueStart + bracket, "'<' must be written as '&lt;' in a value");
  document.position = valueEnd + 1;
  return { name, value: decode(document, raw, valueStart, unifySpace), valueStart, valueEnd };
}

function parseEndTag(document: Document): void {
  const { text, position: start, open } = document;
  document.position += 2;
  const name = parseName(document, "The element's name must follow '</'");
  skipSpace(document);
  if (text[document.position] !== '>') throw xmlErrorAt(text, document.position, `'>' must follow '</${name}'`);
  if (open?.name !== name) {
    throw xmlErrorAt(text, start, `</${name}> closes no element${open ? `: <${open.name}> is open` : ''}`);
  }
  document.position += 1;
  open.contentEnd = start;
  open.end = document.position;
  document.open = open.parent;
  document.depth -= 1;
}

function parseName(document: Document, expected: string): string {
  NAME.lastIndex = document.position;
  const name = NAME.exec(document.text)?.[0];
  if (name === undefined) throw xmlErrorAt(document.text, document.position, expected);
  document.position += name.length;
  return name;
}

function skipSpace(document: Document): boolean {
  const start = document.position;
  SPACE.lastIndex = start;
  document.position += SPACE.exec(document.text)![0].length;
  return document.position > start;
}

function decode(document: Document, raw: string, offset: number, normalize: (literal: string) => string): string {
  const decoded = decodeEntities(raw, document.hasDoctype, normalize);
  if (typeof decoded === 'string') return decoded;
  throw xmlErrorAt(document.text, offset + decoded.offset, decoded.detail);
}

/** Replaces line ends by LF (XML 1.0 §2.11). */
function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Replaces white space in the value of an attribute by spaces (XML 1.0 §3.3.3). */
function unifySpace(text: string): string {
  return text.replace(/\r\n|[\t\r\n]/g, ' ');
}
