import type { ErrorCategory } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { CODES, type CodeInfo } from './codes.js';
import { documentationUrlFor } from './documentation-url.js';
import type { RootCauseKind } from './root-cause-kind.js';
import { isSourceLocation } from './source-kind.js';

/** All that is known of a code (docs/spec/errors.md#catalogue). */
export interface CodeEntry extends Omit<CodeInfo, 'rootCause' | 'advice' | 'page'> {
  readonly code: string;
  readonly category: ErrorCategory;
  readonly documentationUrl?: string;
  readonly rootCauseKind?: RootCauseKind;
}

/** The codes of the dictionary. */
export const CATALOG_CODES: readonly string[] = [...CODES.keys()];

/** The entry of a code in any letter case and with surrounding white space; undefined if there is none. */
export function findCode(code: string): CodeEntry | undefined {
  const key = code.trim().toUpperCase();
  const info = CODES.get(key);
  if (info === undefined) return undefined;
  const { rootCause, advice, page, ...texts } = info;
  return { ...texts, ...derivedFields(key) };
}

/** How each message of a code begins, where its messages have several lines. */
export function messageStartOf(code: string): string | undefined {
  return CODES.get(code)?.messageStart;
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

/** The targets file in which MSBuild runs NuGet, which reports some failures without a code. */
const NUGET_TARGETS = /\bNuGet(?:\.\w+)?\.targets$/i;

/** The category of a code by its family; analyzer codes count as compilation where they point into a source file. */
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
 * The JSON-RPC code of a diagnostic, of `EXIT_<n>` or of COMMAND_FAILED: exact codes only, in any letter case
 * (docs/spec/errors.md#mcp-error-codes).
 */
export function mcpErrorCodeOf(code: string): number | undefined {
  const key = code.trim().toUpperCase();
  if (/^(?:EXIT_-?\d+|COMMAND_FAILED)$/.test(key)) return INTERNAL_ERROR;
  return CODES.get(key)?.mcpErrorCode;
}

/** The fixed texts of the dictionary. */
export function ownTexts(): string[] {
  return [...CODES.values()].flatMap(({ title, explanation, hint, suggestedFixes }) => [
    title,
    explanation,
    hint,
    ...suggestedFixes,
  ]);
}

/** These codes have a cause but no entry in codes.json: the server makes some of them itself, NuGet and `dotnet format` print the others. */
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

/** The cause that follows from the code alone, in any letter case; undefined if the text decides. */
export function rootCauseOfCode(code: string): RootCauseKind | undefined {
  const key = code.trim().toUpperCase();
  const kind = (CODES.get(key)?.rootCause as RootCauseKind | undefined) ?? ownMember(UNEXPLAINED, key);
  if (kind !== undefined) return kind;
  return BY_PREFIX.find(([prefix]) => prefix.test(key))?.[1];
}
