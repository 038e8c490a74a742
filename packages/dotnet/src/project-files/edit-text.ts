import type { XmlElement } from '../xml/xml.js';

/** A replacement of `text.slice(start, end)`. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const BLANK_LINE = /\n[ \t\r]*\n/;

/** Applies edits, which must not overlap. Edits at the same offset are applied in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const fromEnd = edits.toReversed().sort((a, b) => b.start - a.start);
  return fromEnd.reduce((edited, edit) => edited.slice(0, edit.start) + edit.text + edited.slice(edit.end), text);
}

/** Returns the first line end of a text; LF if it has none. */
export function lineEndOf(text: string): string {
  return /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
}

/** Returns the white space before the offset on its line; undefined if there is other text before it. */
export function indentationAt(text: string, offset: number): string | undefined {
  return /(?:^\uFEFF?|[\r\n])([ \t]*)$/.exec(text.slice(lineStart(text, offset), offset))?.[1];
}

/** Returns the offset of the line end before `offset`, or 0. */
function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1), 0);
}

/** Returns one level of indentation: that of the first indented child of the root, else two spaces. */
function indentationUnit(text: string, root: XmlElement): string {
  for (const child of root.elements) {
    const indentation = indentationAt(text, child.start);
    if (indentation) return indentation;
  }
  return '  ';
}

function hasOwnLine(text: string, element: XmlElement): boolean {
  return indentationAt(text, element.start) !== undefined;
}

function rootOf(element: XmlElement): XmlElement {
  return element.parent ? rootOf(element.parent) : element;
}

/** Returns the indentation for a new child: that of the last child, else one level more than that of the parent. */
export function childIndentation(text: string, parent: XmlElement): string {
  const sibling = parent.elements.findLast((child) => hasOwnLine(text, child));
  if (sibling) return indentationAt(text, sibling.start)!;
  const parentIndentation = indentationAt(text, parent.start) ?? '';
  return parent.parent ? parentIndentation + indentationUnit(text, rootOf(parent)) : indentationUnit(text, parent);
}

/** True if a blank line precedes at least one child of `parent`. */
export function hasBlankLines(text: string, parent: XmlElement): boolean {
  return parent.elements.some((child) => BLANK_LINE.test(spaceBefore(text, child.start)));
}

/** Appends markup to the element's content, on a new line if its children are on separate lines. */
export function appendTo(text: string, parent: XmlElement, markup: string): TextEdit {
  const lineEnd = lineEndOf(text);
  const line = lineEnd + childIndentation(text, parent) + markup;
  const closing = lineEnd + (indentationAt(text, parent.start) ?? '');
  if (parent.isSelfClosing) {
    const open = text.slice(parent.start, parent.end - 2).trimEnd();
    return { start: parent.start, end: parent.end, text: `${open}>${line}${closing}</${parent.name}>` };
  }
  const content = text.slice(parent.contentStart, parent.contentEnd);
  const start = parent.contentStart + content.trimEnd().length;
  const isInOneLine = !/[\r\n]/.test(content);
  if (isInOneLine && content.trim() !== '') return { start, end: start, text: markup };
  return { start, end: start, text: isInOneLine ? line + closing : line };
}

/**
 * Inserts markup after the element and a comment on its line, on a new line if the element begins one.
 * @param isSetApart a blank line precedes the markup
 */
export function insertAfter(text: string, element: XmlElement, markup: string, isSetApart = false): TextEdit {
  const comment = /[ \t]*<!--[^\r\n]*?-->(?=[ \t]*[\r\n])/y;
  comment.lastIndex = element.end;
  const start = element.end + (comment.exec(text)?.[0].length ?? 0);
  const indentation = indentationAt(text, element.start);
  if (indentation === undefined) return { start, end: start, text: markup };
  const lineEnd = lineEndOf(text);
  return { start, end: start, text: (isSetApart ? lineEnd : '') + lineEnd + indentation + markup };
}

/**
 * Removes the elements, and parents that become empty. Of the white space before and after an element, one side stays,
 * so that no blank line is added, and blank lines between the remaining elements stay.
 */
export function removeElements(text: string, elements: readonly XmlElement[]): string {
  const removed = new Set(elements);
  for (const parent of new Set(elements.map((element) => element.parent))) {
    if (!parent?.parent || !isEmptyWithout(text, parent, removed)) continue;
    for (const child of parent.elements) removed.delete(child);
    removed.add(parent);
  }
  const fromEnd = [...removed].sort((a, b) => b.start - a.start);
  return fromEnd.reduce(removeElement, text);
}

function isEmptyWithout(text: string, parent: XmlElement, removed: ReadonlySet<XmlElement>): boolean {
  let position = parent.contentStart;
  let rest = '';
  for (const child of parent.elements) {
    if (!removed.has(child)) return false;
    rest += text.slice(position, child.start);
    position = child.end;
  }
  return (rest + text.slice(position, parent.contentEnd)).trim() === '';
}

function removeElement(text: string, { start, end }: XmlElement): string {
  const before = spaceBefore(text, start);
  const space = /\s*/y;
  space.lastIndex = end;
  const after = space.exec(text)![0];
  const rest = end + after.length;
  const keepsAfter = text.startsWith('</', rest) || BLANK_LINE.test(after);
  return text.slice(0, start - before.length) + (keepsAfter ? after : before) + text.slice(rest);
}

function spaceBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && /\s/.test(text[start - 1]!)) start -= 1;
  return text.slice(start, offset);
}
