import { escapeAttribute, escapeText } from '../xml/entities.js';
import type { XmlElement } from '../xml/xml.js';
import {
  appendTo,
  applyEdits,
  childIndentation,
  hasBlankLines,
  insertAfter,
  lineEndOf,
  removeElements,
  type TextEdit,
} from './edit-text.js';
import { FileError } from './file-error.js';
import { assertMSBuildName, isSameName, splitList } from './msbuild-syntax.js';
import { attributeOf, groupsOf, isConditional, parseProject } from './project-xml.js';

export interface ProjectEdit {
  readonly text: string;
  readonly changed: boolean;
}

export interface PropertyRemoval extends ProjectEdit {
  /** The number of definitions with a condition, which stay. */
  readonly conditionalCount: number;
}

/**
 * Sets an MSBuild property: changes its last unconditional definition, or else adds one to the first unconditional
 * PropertyGroup or to a new one. All other text stays as it is.
 * @throws FileError `invalid value` or `invalid format`
 */
export function setProperty(text: string, name: string, value: string): ProjectEdit {
  assertMSBuildName('property', name);
  assertXmlText('propertyValue', value);
  const project = parseProject(text);
  const lines = value.split(/\r\n?|\n/);
  const escaped = escapeText(lines.join(lineEndOf(text)));
  const existing = properties(project, name).findLast(isUnconditional);
  if (existing) return editOf(text, existing.text === lines.join('\n') ? [] : [setContent(text, existing, escaped)]);
  const markup = `<${name}>${escaped}</${name}>`;
  const group = project.elements.find((child) => child.name === 'PropertyGroup' && !isConditional(child));
  return editOf(text, [group ? appendTo(text, group, markup) : addGroup(text, project, 'PropertyGroup', markup)]);
}

/**
 * Returns the value that {@link setProperty} would change; undefined if the text has no unconditional definition.
 * @throws FileError `invalid format`
 */
export function declaredProperty(text: string, name: string): string | undefined {
  return properties(parseProject(text), name).findLast(isUnconditional)?.text;
}

/**
 * Removes every unconditional definition of a property, and each PropertyGroup that becomes empty.
 * @throws FileError `invalid value` or `invalid format`
 */
export function removeProperty(text: string, name: string): PropertyRemoval {
  assertMSBuildName('property', name);
  const definitions = properties(parseProject(text), name);
  const removed = definitions.filter(isUnconditional);
  return {
    text: removeElements(text, removed),
    changed: removed.length > 0,
    conditionalCount: definitions.length - removed.length,
  };
}

/**
 * Adds an item after the last one of its type without a condition, or else in a new ItemGroup. If the item exists, it
 * gets the metadata instead; nothing changes if it already has them.
 * @throws FileError `invalid value` or `invalid format`
 */
export function addItem(
  text: string,
  itemType: string,
  include: string,
  metadata: Readonly<Record<string, string>> = {},
): ProjectEdit {
  assertItem(itemType, include);
  for (const [name, value] of Object.entries(metadata)) {
    assertMSBuildName('metadata', name);
    assertXmlText('metadata', value);
  }
  const project = parseProject(text);
  const siblings = items(project, itemType).filter(isUnconditional);
  const existing = siblings.find((item) => includesOf(item).some((entry) => isSameInclude(entry, include)));
  const isShared = existing && includesOf(existing).length > 1 && Object.keys(metadata).length > 0;
  if (existing && !isShared) return editOf(text, metadataEdits(text, existing, metadata));
  const attributes = Object.entries({ Include: include, ...metadata });
  const markup = `<${itemType}${attributes.map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join('')} />`;
  const sibling = siblings.at(-1);
  return editOf(text, [sibling ? insertAfter(text, sibling, markup) : addGroup(text, project, 'ItemGroup', markup)]);
}

/**
 * Gives metadata to every item of a type that includes only `include`, also to items with conditions.
 * @throws FileError `invalid value` or `invalid format`
 */
export function setMetadata(
  text: string,
  itemType: string,
  include: string,
  metadata: Readonly<Record<string, string>>,
): ProjectEdit {
  for (const value of Object.values(metadata)) assertXmlText('metadata', value);
  const matching = items(parseProject(text), itemType).filter((item) => {
    const [only, ...others] = includesOf(item);
    return others.length === 0 && isSameInclude(only!, include);
  });
  return editOf(
    text,
    matching.flatMap((item) => metadataEdits(text, item, metadata)),
  );
}

/**
 * Removes an item from every ItemGroup, and each ItemGroup that becomes empty. From a list such as `Include="a;b"` only
 * the entry is removed.
 * @param include compared without case; `/` and `\` are the same
 * @throws FileError `invalid value` or `invalid format`
 */
export function removeItem(text: string, itemType: string, include: string): ProjectEdit {
  assertItem(itemType, include);
  const removedItems: XmlElement[] = [];
  const edits: TextEdit[] = [];
  for (const item of items(parseProject(text), itemType)) {
    const includes = includesOf(item);
    const rest = includes.filter((entry) => !isSameInclude(entry, include));
    if (rest.length === includes.length) continue;
    if (rest.length === 0) removedItems.push(item);
    else edits.push(setAttribute(text, item, 'Include', rest.join(';')));
  }
  if (removedItems.length === 0) return editOf(text, edits);
  if (edits.length === 0) return { text: removeElements(text, removedItems), changed: true };
  return { text: removeItem(applyEdits(text, edits), itemType, include).text, changed: true };
}

function editOf(text: string, edits: readonly TextEdit[]): ProjectEdit {
  return { text: applyEdits(text, edits), changed: edits.length > 0 };
}

function properties(project: XmlElement, name: string): XmlElement[] {
  return groupsOf(project, 'PropertyGroup').flatMap((group) =>
    group.elements.filter((element) => isSameName(element.name, name)),
  );
}

/** Returns the elements that add items. Those that only update or remove items have no Include. */
function items(project: XmlElement, itemType: string): XmlElement[] {
  return groupsOf(project, 'ItemGroup').flatMap((group) =>
    group.elements.filter((element) => isSameName(element.name, itemType) && includesOf(element).length > 0),
  );
}

function includesOf(item: XmlElement): string[] {
  return splitList(attributeOf(item, 'Include') ?? '');
}

function isSameInclude(a: string, b: string): boolean {
  const normalize = (include: string) => include.trim().replaceAll('\\', '/').toLowerCase();
  return normalize(a) === normalize(b);
}

/** True if neither the element nor its group has a condition, and the group is not in a `Choose`. */
function isUnconditional(element: XmlElement): boolean {
  const group = element.parent!;
  return !isConditional(element) && !isConditional(group) && group.parent!.name === 'Project';
}

function setContent(text: string, element: XmlElement, escaped: string): TextEdit {
  if (!element.isSelfClosing) return { start: element.contentStart, end: element.contentEnd, text: escaped };
  const open = text.slice(element.start, element.end - 2).trimEnd();
  return { start: element.start, end: element.end, text: `${open}>${escaped}</${element.name}>` };
}

function setAttribute(text: string, element: XmlElement, name: string, value: string): TextEdit {
  const attribute = element.attributes.find((candidate) => candidate.name === name);
  if (attribute) {
    const quote = text[attribute.valueStart - 1] === "'" ? "'" : '"';
    return { start: attribute.valueStart, end: attribute.valueEnd, text: escapeAttribute(value, quote) };
  }
  const last = element.attributes.at(-1)!.valueEnd + 1;
  return { start: last, end: last, text: ` ${name}="${escapeAttribute(value)}"` };
}

function metadataEdits(text: string, item: XmlElement, metadata: Readonly<Record<string, string>>): TextEdit[] {
  return Object.entries(metadata).flatMap(([name, value]) => {
    const child = item.elements.find((element) => isSameName(element.name, name));
    if (child) return child.text === value ? [] : [setContent(text, child, escapeText(value))];
    const attribute = item.attributes.find((candidate) => isSameName(candidate.name, name));
    if (attribute?.value === value) return [];
    return [setAttribute(text, item, attribute?.name ?? name, value)];
  });
}

/**
 * Adds a group with one child after the last group of its kind, else after the last PropertyGroup, else in the project.
 */
function addGroup(text: string, project: XmlElement, name: 'PropertyGroup' | 'ItemGroup', markup: string): TextEdit {
  const lineEnd = lineEndOf(text);
  const indentation = childIndentation(text, project);
  const unit = indentation === '' ? '  ' : indentation;
  const group = `<${name}>${lineEnd}${indentation}${unit}${markup}${lineEnd}${indentation}</${name}>`;
  const isSetApart = hasBlankLines(text, project);
  const anchor =
    project.elements.findLast((child) => child.name === name) ??
    project.elements.findLast((child) => child.name === 'PropertyGroup');
  if (anchor) return insertAfter(text, anchor, group, isSetApart);
  if (name === 'ItemGroup' || project.elements.length === 0) return appendTo(text, project, group);
  const start = project.contentStart;
  return { start, end: start, text: (isSetApart ? lineEnd : '') + lineEnd + indentation + group };
}

function assertItem(itemType: string, include: string): void {
  assertMSBuildName('item type', itemType);
  assertXmlText('include', include);
  if (include.trim() === '') {
    const at = { parameter: 'include' };
    throw new FileError('invalid value', "An item needs 'include'", 'Give a file, package or project.', at);
  }
}

/** Throws for control characters that XML does not allow even as references (XML 1.0 §2.2). */
function assertXmlText(parameter: string, value: string): void {
  const bad = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(value);
  if (!bad) return;
  const code = bad[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  throw new FileError('invalid value', `The character U+${code} is not allowed in an XML file`, 'Leave it out.', {
    parameter,
  });
}
