import { createScanner, findNodeAtLocation, type Node, parseTree } from 'jsonc-parser';
import { applyEdits, indentationAt, lineEndOf, type TextEdit } from './edit-text.js';

/**
 * Sets a member of a member of a JSON object to a string. All other text stays as it is, including comments,
 * indentation and trailing commas. The text must be valid JSON (comments are allowed), and `parent` must be an object
 * if it exists.
 */
export function setJsonMember(text: string, [parent, name]: readonly [string, string], value: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true })!;
  const existing = findNodeAtLocation(root, [parent, name]);
  const json = JSON.stringify(value);
  if (existing) {
    return applyEdits(text, [{ start: existing.offset, end: existing.offset + existing.length, text: json }]);
  }
  const object = findNodeAtLocation(root, [parent]);
  const path = object ? [name] : [parent, name];
  return applyEdits(text, addMember(text, object ?? root, path, json));
}

/** Adds a member after the last one and its comments, on a new line unless the object is written on one line. */
function addMember(text: string, object: Node, path: readonly string[], value: string): TextEdit[] {
  const content = text.slice(object.offset + 1, object.offset + object.length - 1);
  const start = object.offset + 1 + content.trimEnd().length;
  const last = object.children?.at(-1);
  const end = last && last.offset + last.length;
  const hasComma = end !== undefined && isCommaNext(text, end);
  const comma: TextEdit[] = end === undefined || hasComma ? [] : [{ start: end, end, text: ',' }];
  if (last && !/[\r\n]/.test(content)) return [...comma, { start, end: start, text: ` ${inOneLine(path, value)}` }];

  const objectIndentation = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', object.offset) + 1))![0];
  const indentation = (last && indentationAt(text, last.offset)) ?? objectIndentation + indentationUnit(text);
  const member = lineEndOf(text) + indentation + inLines(text, path, value, indentation) + (hasComma ? ',' : '');
  const closing = /[\r\n]/.test(content.slice(content.trimEnd().length)) ? '' : lineEndOf(text) + objectIndentation;
  return [...comma, { start, end: start, text: member + closing }];
}

function inOneLine([name, ...rest]: readonly string[], value: string): string {
  return `${JSON.stringify(name)}: ${rest.length > 0 ? `{ ${inOneLine(rest, value)} }` : value}`;
}

function inLines(text: string, [name, ...rest]: readonly string[], value: string, indentation: string): string {
  if (rest.length === 0) return `${JSON.stringify(name)}: ${value}`;
  const inner = indentation + indentationUnit(text);
  const lineEnd = lineEndOf(text);
  return `${JSON.stringify(name)}: {${lineEnd}${inner}${inLines(text, rest, value, inner)}${lineEnd}${indentation}}`;
}

/** Returns one level of indentation: that of the first line that begins with a member, else two spaces. */
function indentationUnit(text: string): string {
  return /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
}

/** `SyntaxKind.CommaToken` of jsonc-parser, whose const enum cannot be imported here. */
const COMMA = 5;

function isCommaNext(text: string, offset: number): boolean {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  return (scanner.scan() as number) === COMMA;
}
