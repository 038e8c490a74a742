import { closest, editDistance } from '@mortise/plugin/runtime';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { findTooDeep, MAX_DEPTH } from './json-depth.js';
import { childOf } from './lookup.js';
import { type Origin, problemAt, type SettingsProblem } from './settings-error.js';
import { SETTINGS_SCHEMA, THIRD_PARTY_SECTIONS } from './settings-table.js';
import type { SourcedMember, SourcedObject, SourcedValue } from './sourced-value.js';

/** The part of a configuration file that configures Mortise. */
export interface ParsedConfig {
  /** The sections of Mortise. Other top-level keys are left out. */
  readonly tree: SourcedObject;
  /** Says why the file is not valid JSON. `tree` then contains the part that could be parsed. */
  readonly syntaxProblem?: SettingsProblem;
  /** Top-level keys that look like misspelt sections, duplicate sections, and sections that are not objects. */
  readonly problems: readonly SettingsProblem[];
}

/** The errors of jsonc-parser in words. */
const SYNTAX_ERRORS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a value was expected: text in double quotes, a number, true, false, null, { or [',
  InvalidNumberFormat: 'this is not a number',
  PropertyNameExpected: 'a key in double quotes was expected',
  ValueExpected: 'a value was expected',
  ColonExpected: "':' was expected after the key",
  CommaExpected: "',' or the closing bracket was expected before this",
  CloseBraceExpected: "'}' was expected",
  CloseBracketExpected: "']' was expected",
  EndOfFileExpected: 'the end of the file was expected',
  UnexpectedEndOfComment: "the comment is not terminated: '*/' was expected",
  UnexpectedEndOfString: "the text is not terminated: '\"' was expected on the same line",
  UnexpectedEndOfNumber: 'the number is incomplete: a digit was expected',
  InvalidUnicode: 'four hexadecimal digits were expected after \\u',
  InvalidEscapeCharacter: 'this is not an escape: write a backslash as \\\\',
  InvalidCharacter: 'a control character is in the text: write it as an escape, such as \\t',
};

/** Parses the text of appsettings.json: JSON with comments and trailing commas. Never throws. */
export function parseConfig(text: string, file: string): ParsedConfig {
  const originAt = locator(text, file);
  const empty: SourcedObject = { kind: 'object', members: [], origin: originAt(0) };
  const syntaxProblemAt = (offset: number, why: string): SettingsProblem =>
    problemAt(originAt(offset), { key: '', message: `The file is not valid JSON: ${why}.`, hint: 'Correct it there.' });

  const deepOffset = findTooDeep(text);
  if (deepOffset !== undefined) {
    const syntaxProblem = syntaxProblemAt(deepOffset, `it nests deeper than ${MAX_DEPTH} levels`);
    return { tree: empty, problems: [], syntaxProblem };
  }

  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  // Only the first error is reported, because most of the later ones follow from it.
  const syntaxProblem = first ? syntaxProblemAt(first.offset, describeSyntaxError(text, first)) : undefined;
  if (root?.type !== 'object') {
    return {
      tree: empty,
      problems: [],
      syntaxProblem: syntaxProblem ?? syntaxProblemAt(root?.offset ?? 0, 'an object was expected'),
    };
  }
  return { ...parseSections(root, originAt), syntaxProblem };
}

function describeSyntaxError(text: string, { error, offset }: ParseError): string {
  if (!text.trim()) return 'the file is empty; use {}';
  const code = printParseErrorCode(error);
  return offset >= text.length && code === 'ValueExpected' ? 'the file is incomplete' : (SYNTAX_ERRORS[code] ?? code);
}

function parseSections(root: Node, originAt: (offset: number) => Origin): Pick<ParsedConfig, 'tree' | 'problems'> {
  const members: SourcedMember[] = [];
  const problems: SettingsProblem[] = [];
  for (const { children: [keyNode, valueNode] = [] } of root.children ?? []) {
    if (!keyNode || !valueNode) continue;
    const key = String(keyNode.value);
    const origin = originAt(keyNode.offset);
    const section = childOf(SETTINGS_SCHEMA, key);
    if (!section) {
      const suggestion = valueNode.type === 'object' ? suggestSection(key) : undefined;
      if (suggestion) problems.push(problemAt(origin, misspelled(key, suggestion)));
    } else if (members.some((member) => member.key === section.key)) {
      problems.push(problemAt(origin, { key, message: `${key} is in the file twice.`, hint: 'Put both into one.' }));
    } else if (valueNode.type !== 'object') {
      const message = `${section.key} is not an object.`;
      problems.push(problemAt(origin, { key: section.key, message, hint: 'Write {"…": …}, or remove it.' }));
    } else members.push({ key: section.key, value: locateNode(valueNode, originAt), origin });
  }
  return { tree: { kind: 'object', members, origin: originAt(root.offset) }, problems };
}

const misspelled = (key: string, suggestion: string) => ({
  key,
  message: `${key} is not a section of Mortise.`,
  hint: `Did you mean ${suggestion}?`,
});

/**
 * Returns the section that a key probably misspells: at most two letters differ. In a section with up to four letters,
 * two are half of the name; then the first letter must be the same, because `Smtp`, `Job` or `Blob` are other names.
 */
export function suggestSection(key: string): string | undefined {
  if (THIRD_PARTY_SECTIONS.some((name) => editDistance(name, key) === 0)) return undefined;
  const best = closest(key, Object.keys(SETTINGS_SCHEMA.properties));
  if (!best || best.distance > 2) return undefined;
  const isHalfDifferent = best.distance === 2 && best.name.length <= 4;
  return isHalfDifferent && best.name[0]!.toLowerCase() !== key[0]?.toLowerCase() ? undefined : best.name;
}

function locateNode(node: Node, originAt: (offset: number) => Origin): SourcedValue {
  const origin = originAt(node.offset);
  const children = node.children ?? [];
  if (node.type === 'array')
    return { kind: 'list', items: children.map((child) => locateNode(child, originAt)), origin };
  if (node.type !== 'object') return { kind: 'scalar', value: node.value, origin };
  const members = children.flatMap(({ children: [key, value] = [] }) =>
    key && value ? [{ key: String(key.value), value: locateNode(value, originAt), origin: originAt(key.offset) }] : [],
  );
  return { kind: 'object', members, origin };
}

function locator(text: string, file: string): (offset: number) => Origin {
  const lineStarts = [0];
  for (const { index } of text.matchAll(/\r\n|\r|\n/g))
    lineStarts.push(index + (text.startsWith('\r\n', index) ? 2 : 1));
  return (offset) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { from: 'file', file, line: low + 1, column: offset - lineStarts[low]! + 1 };
  };
}
