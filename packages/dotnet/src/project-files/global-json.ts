import { isJsonObject, readRegularText } from '@mortise/plugin/runtime';
import { getNodeValue, type Node, type ParseError, parse, parseTree, printParseErrorCode } from 'jsonc-parser';
import { setJsonMember } from './edit-json.js';
import { FileError } from './file-error.js';
import { findUpward } from './find-project.js';
import { createTextFile, readTextFile, writeTextFile } from './text-file.js';

/** The members of a global.json that Mortise uses. */
export interface GlobalJson {
  readonly path: string;
  readonly sdkVersion?: string;
  readonly rollForward?: string;
  /** `test.runner`: `VSTest` or `Microsoft.Testing.Platform`. */
  readonly testRunner?: string;
}

/** The values of `sdk.rollForward`, the policy by which another SDK than the requested one is chosen. */
export const ROLL_FORWARD = [
  'patch',
  'feature',
  'minor',
  'major',
  'latestPatch',
  'latestFeature',
  'latestMinor',
  'latestMajor',
  'disable',
] as const;

/** The runners that `dotnet test` of SDK 10 knows (`test.runner`). */
export const TEST_RUNNERS = ['VSTest', 'Microsoft.Testing.Platform'] as const;

/**
 * Reads the global.json that applies to a folder; undefined if there is none. A file that is not JSON has no members.
 */
export function findGlobalJson(folder: string): GlobalJson | undefined {
  const path = findUpward(folder, 'global.json');
  if (path === undefined) return undefined;
  const root = recordOf(parse(readRegularText(path).replace(/^\uFEFF/, ''), [], { allowTrailingComma: true }));
  const sdk = recordOf(root.sdk);
  return {
    path,
    ...textMember('sdkVersion', sdk.version),
    ...textMember('rollForward', sdk.rollForward),
    ...textMember('testRunner', recordOf(root.test).runner),
  };
}

export interface SdkPaths {
  readonly path: string;
  readonly folders: readonly string[];
}

/**
 * Reads `sdk.paths` of the global.json that applies to a folder; undefined if there is none. If a member occurs more
 * than once, all of its values are returned, because programs differ in which of them they use.
 */
export function findSdkPaths(folder: string): SdkPaths | undefined {
  const path = findUpward(folder, 'global.json');
  if (path === undefined) return undefined;
  const root = parseTree(readRegularText(path).replace(/^\uFEFF/, ''), [], { allowTrailingComma: true });
  const lists = membersNamed('sdk', root).flatMap((sdk) => membersNamed('paths', sdk));
  const entries = lists.flatMap(({ children }) => children ?? []).map((entry): unknown => getNodeValue(entry));
  return { path, folders: entries.filter((entry) => typeof entry === 'string') };
}

function membersNamed(name: string, object: Node | undefined): Node[] {
  const members = object?.type === 'object' ? (object.children ?? []) : [];
  return members.flatMap(({ children: [key, value] = [] }) =>
    value && String(key?.value).toLowerCase() === name ? [value] : [],
  );
}

/** Returns `test.runner` of the nearest global.json. */
export function testRunnerOf(folder: string): string | undefined {
  return findGlobalJson(folder)?.testRunner;
}

/** The members that ConfigureGlobalJson sets, at least one. The values must be valid except for their spelling. */
export interface GlobalJsonChange {
  readonly sdkVersion?: string;
  readonly rollForward?: string;
  readonly testRunner?: string;
}

export interface GlobalJsonResult {
  readonly path: string;
  readonly text: string;
  readonly isNew: boolean;
  readonly changed: boolean;
}

/**
 * Sets members of a global.json. Creates the file and its folders if they do not exist. Formatting, comments and other
 * members stay.
 * @throws FileError `invalid format`, `changed meanwhile`, `unsupported encoding`
 */
export async function configureGlobalJson(path: string, change: GlobalJsonChange): Promise<GlobalJsonResult> {
  const members = membersOf(change);
  const file = await readTextFile(path).catch((error: unknown) => {
    if (error instanceof FileError && error.reason === 'not found') return undefined;
    throw error;
  });
  const text = editGlobalJson(file?.text ?? '{}\n', members, path);
  const changed = text !== file?.text;
  if (!file) await createTextFile(path, text);
  else if (changed) await writeTextFile(file, text);
  return { path: file?.path ?? path, text, isNew: !file, changed };
}

type Member = readonly [path: readonly [string, string], value: string];

function membersOf({ sdkVersion, rollForward, testRunner }: GlobalJsonChange): Member[] {
  const members: [Member[0], string | undefined][] = [
    [['sdk', 'version'], sdkVersion?.trim()],
    [['sdk', 'rollForward'], rollForward && spelledAs(rollForward, ROLL_FORWARD)],
    [['test', 'runner'], testRunner && spelledAs(testRunner, TEST_RUNNERS)],
  ];
  return members.filter((member): member is [Member[0], string] => member[1] !== undefined);
}

/**
 * Returns a value in the spelling of the list. Case and dots do not matter, as in `microsoftTestingPlatform`.
 * @returns undefined if the value is not in the list
 */
export function spelledAs(value: string, allowed: readonly string[]): string | undefined {
  const normalize = (text: string) => text.trim().replaceAll('.', '').toLowerCase();
  return allowed.find((spelling) => normalize(spelling) === normalize(value));
}

function editGlobalJson(text: string, members: readonly Member[], path: string): string {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw invalidJson(path, `is not valid JSON (${printParseErrorCode(error.error)})`, text, error.offset);
  if (!isJsonObject(root)) throw invalidJson(path, 'has a root that is not an object', text);
  return members.reduce((edited, [[parent, name], value]) => {
    const existing = root[parent] ?? {};
    if (!isJsonObject(existing)) throw invalidJson(path, `has a member '${parent}' that is not an object`, text);
    return existing[name] === value ? edited : setJsonMember(edited, [parent, name], value);
  }, text);
}

function invalidJson(path: string, detail: string, text: string, offset?: number): FileError {
  const before = offset === undefined ? undefined : text.slice(0, offset).split(/\r\n|\r|\n/);
  const location = before && { line: before.length, column: before.at(-1)!.length + 1 };
  const where = location ? ` at line ${location.line}, column ${location.column}` : '';
  return new FileError('invalid format', `${path} ${detail}${where}`, 'Repair the file by hand.', location);
}

function recordOf(value: unknown): Record<string, unknown> {
  return isJsonObject(value) ? value : {};
}

function textMember<K extends string>(name: K, value: unknown): { [P in K]?: string } {
  return (typeof value === 'string' ? { [name]: value } : {}) as { [P in K]?: string };
}
