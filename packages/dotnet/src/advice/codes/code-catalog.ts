import type { ErrorCategory } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { CODES, type CodeInfo } from './codes.js';
import { documentationUrlFor } from './documentation-url.js';
import type { RootCauseKind } from './root-cause-kind.js';
import { isSourceLocation } from './source-kind.js';

/** The help for a code (docs/spec/errors.md#catalogue). */
export interface CodeEntry extends Omit<CodeInfo, 'rootCause' | 'advice' | 'repairs' | 'lookup' | 'page'> {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly documentationUrl?: string;
  readonly rootCauseKind?: RootCauseKind;
}

export const CATALOG_CODES: readonly string[] = [...CODES.keys()];

/** Finds the entry of a code; letter case and surrounding white space do not matter. @returns undefined if unknown */
export function findCode(code: string): CodeEntry | undefined {
  const key = code.trim().toUpperCase();
  const info = CODES.get(key);
  if (info === undefined) return undefined;
  const { rootCause, advice, repairs, lookup, page, ...texts } = info;
  return { ...texts, ...derivedFields(key) };
}

/** Returns the start of each message of a code; undefined for codes whose messages are always one line. */
export function messageStartOf(code: string): string | undefined {
  return CODES.get(code)?.messageStart;
}

/** Returns the titles of code fixes that repair an error of this code, as patterns; none for most codes. */
export function repairsOf(code: string): readonly string[] {
  return CODES.get(code)?.repairs ?? [];
}

/** Returns the titles of code fixes for each code that has any, as {@link repairsOf}. */
export const allRepairs: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...CODES].flatMap(([code, { repairs }]) => (repairs ? [[code, repairs]] : [])),
);

/** A query of `dotnet_code` about a symbol. */
export interface CodeLookup {
  readonly action: string;
  readonly symbol: string;
}

/** Returns the query about the type or member that the message of an error names; undefined for most codes. */
export function lookupOf(code: string, message: string): CodeLookup | undefined {
  const lookup = CODES.get(code)?.lookup;
  const symbol = lookup && new RegExp(lookup.symbol).exec(message)?.[1];
  return lookup && symbol !== undefined ? { action: lookup.action, symbol } : undefined;
}

function derivedFields(code: string): Omit<CodeEntry, keyof CodeInfo> {
  const documentationUrl = documentationUrlFor(code);
  const rootCauseKind = rootCauseOfCode(code);
  return {
    code,
    category: categoryOf(code),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(rootCauseKind !== undefined && { rootCauseKind }),
  };
}

const CATEGORIES: readonly (readonly [prefix: RegExp, category: ErrorCategory])[] = [
  [/^(?:CS|FS|BC)\d/i, 'Compilation'],
  [/^MSB(?:\d|UILD_)/i, 'Build'],
  [/^NU(?:\d|GET_)/i, 'Package'],
  [/^NETSDK\d/i, 'Runtime'],
  [/^(?:EXIT_|COMMAND_FAILED$)/i, 'Unknown'],
];

/** NuGet's targets file. MSBuild codes at a place in it are failures of NuGet, which reports some without a code. */
const NUGET_TARGETS = /\bNuGet(?:\.\w+)?\.targets$/i;

/**
 * Returns the category of a code's family. Codes of no known family, such as those of analyzers, are `Compilation` if
 * the diagnostic points into a source file, else `Build`.
 */
export function categoryOf(
  code: string,
  location: { readonly file?: string; readonly line?: number } = {},
): ErrorCategory {
  const category = CATEGORIES.find(([pattern]) => pattern.test(code.trim()));
  if (category?.[1] === 'Build' && NUGET_TARGETS.test(location.file ?? '')) return 'Package';
  return category?.[1] ?? (isSourceLocation(location) ? 'Compilation' : 'Build');
}

const INTERNAL_ERROR = -32603;

/**
 * Returns the JSON-RPC code of a diagnostic code, of `EXIT_<n>` or of COMMAND_FAILED, in any letter case
 * (docs/spec/errors.md#mcp-error-codes).
 * @returns undefined for other codes, including unlisted ones of a known family
 */
export function mcpErrorCodeOf(code: string): number | undefined {
  const key = code.trim().toUpperCase();
  if (/^(?:EXIT_-?\d+|COMMAND_FAILED)$/.test(key)) return INTERNAL_ERROR;
  return CODES.get(key)?.mcpErrorCode;
}

/** Returns the fixed texts of codes.json. */
export function ownTexts(): string[] {
  return [...CODES.values()].flatMap(({ title, explanation, hint, suggestedFixes }) => [
    title,
    explanation,
    hint,
    ...suggestedFixes,
  ]);
}

/** The causes of codes that are not in codes.json: Mortise's own codes, and a few of NuGet and `dotnet format`. */
const UNEXPLAINED: Readonly<Record<string, RootCauseKind>> = {
  INVALID_PARAMS: 'InvalidParameter',
  EXIT_155: 'MissingSdk',
  NU1303: 'RestoreFailure',
  OPERATION_TIMEOUT: 'Timeout',
  IMPORTS: 'CompilationError',
  FINALNEWLINE: 'CompilationError',
  ENDOFLINE: 'CompilationError',
  CHARSET: 'CompilationError',
};

const BY_PREFIX: readonly (readonly [RegExp, RootCauseKind])[] = [
  [/^(?:CS|FS|BC)\d/, 'CompilationError'],
  [/^MSB\d/, 'BuildError'],
  [/^NU(?:\d|GET_)/, 'PackageError'],
  [/^NETSDK\d/, 'SdkError'],
];

/**
 * Returns the cause that follows from the code alone, in any letter case.
 * @returns undefined if the cause depends on the message
 */
export function rootCauseOfCode(code: string): RootCauseKind | undefined {
  const key = code.trim().toUpperCase();
  const kind = (CODES.get(key)?.rootCause as RootCauseKind | undefined) ?? ownMember(UNEXPLAINED, key);
  if (kind !== undefined) return kind;
  return BY_PREFIX.find(([prefix]) => prefix.test(key))?.[1];
}
