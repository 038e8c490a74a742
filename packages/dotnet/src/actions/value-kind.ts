import { resolve } from 'node:path';
import { platform } from 'node:process';
import { InvalidParameterError } from './invalid-parameter.js';

/**
 * The kind of a text parameter, which determines the form of its value on a command line
 * (docs/spec/dotnet-tools.md#values). `PARAMETERS` compiles only if every text parameter has a kind.
 */
export type ValueKind = keyof typeof KINDS;

interface Kind {
  readonly maxChars: number;
  /** True if the value can be a path. No name in it may be longer than file systems allow. */
  readonly isPath?: boolean;
  /** True if all control characters are refused. Otherwise only NUL is refused, because no argument can contain it. */
  readonly isOneLine: boolean;
  readonly rejectsPattern?: RegExp;
  readonly hint?: string;
  /** Converts the value to an equivalent one that no command reads as an option. */
  readonly normalize?: (value: string) => string;
}

/** Windows allows 32,767 characters for a whole command line, Linux 131,072 bytes for one argument. */
const MAX_ARGUMENT_CHARS = 32_000;
/** PATH_MAX of Linux. */
const MAX_PATH_CHARS = 4096;
const MAX_NAME_CHARS = 1024;
/** NAME_MAX of Linux, macOS and NTFS. */
const MAX_PART_BYTES = 255;

const KINDS = {
  /** A file or folder: a separate argument, or an option's value. */
  path: { maxChars: MAX_PATH_CHARS, isPath: true, isOneLine: true, normalize: safePath },
  /** A name, version or id: a separate argument. */
  name: {
    maxChars: MAX_NAME_CHARS,
    isPath: true,
    isOneLine: true,
    rejectsPattern: /^[-@/]/,
    hint: 'dotnet would read it as an option or as a response file. Give the name itself.',
  },
  /** A package source (URL, folder, or name in nuget.config), or a package or its file. */
  source: {
    maxChars: MAX_PATH_CHARS,
    isOneLine: true,
    rejectsPattern: /^[-@]/,
    hint: 'dotnet would read it as an option or as a response file. For a file or folder put ./ in front.',
    normalize: safePath,
  },
  /** Free text, only ever the value of an option. */
  text: { maxChars: MAX_ARGUMENT_CHARS, isOneLine: false },
  /** Free text on one line, only ever the value of an option. */
  line: { maxChars: MAX_ARGUMENT_CHARS, isOneLine: true },
  /** Arguments that the caller passes on to a program. */
  arguments: { maxChars: MAX_ARGUMENT_CHARS, isOneLine: false },
  /** A value that is written to a file, sent to standard input, or looked up. It is never on a command line. */
  content: { maxChars: Number.POSITIVE_INFINITY, isOneLine: false },
} as const satisfies Record<string, Kind>;

const CONTROLS = /[\u0000-\u001f\u007f]/;

/**
 * Converts a value to its form on a command line.
 * @param name the name of the parameter
 * @throws InvalidParameterError for a value that the kind refuses
 */
export function fitValue(kind: ValueKind, value: string, name: string): string {
  const { maxChars, isPath, isOneLine, rejectsPattern, hint, normalize }: Kind = KINDS[kind];
  if (isOneLine ? CONTROLS.test(value) : value.includes('\0'))
    throw new InvalidParameterError(name, 'invalid characters', `Parameter '${name}' contains invalid characters`, {
      hint: isOneLine
        ? 'Give one line without control characters.'
        : 'Remove the NUL character: no argument can hold one.',
    });
  if (value.length > maxChars)
    throw new InvalidParameterError(
      name,
      'invalid value',
      `Parameter '${name}' is too long: ${value.length} characters, at most ${maxChars} are allowed`,
      { hint: 'Give a shorter value.' },
    );
  if (isPath && value.split(/[\\/]/).some((part) => Buffer.byteLength(part) > MAX_PART_BYTES))
    throw new InvalidParameterError(
      name,
      'invalid value',
      `Parameter '${name}' is too long: a name in it has more than ${MAX_PART_BYTES} bytes`,
      { hint: 'Give a shorter value.' },
    );
  if (rejectsPattern?.test(value))
    throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' must not begin with '${value[0]}'`, {
      providedValue: value,
      ...(hint !== undefined && { hint }),
    });
  return normalize?.(value) ?? value;
}

/**
 * Matches arguments that System.CommandLine or MSBuild reads as an option or a response file. Absolute paths do not
 * match.
 */
const OPTION = /^(?:[-@]|\/[^/]*(?::|$))/;

/** True if a command would read the value as an option or a response file if it were a separate argument. */
export function looksLikeOption(value: string): boolean {
  return OPTION.test(value);
}

/** Rewrites a path that a command would read as an option: `./-x`, `./@x`, `/./p:x`. Other paths stay as they are. */
export function safePath(path: string): string {
  if (platform === 'win32' && path.startsWith('/')) return resolve(path);
  if (!looksLikeOption(path)) return path;
  return path.startsWith('/') ? `/.${path}` : `./${path}`;
}

/**
 * Escapes a value for an option that the CLI passes to MSBuild as a property. Unescaped, `;` and `,` would begin the
 * next property and `%` an escape sequence, and quotes would be lost.
 */
export function escapeProperty(value: string, characters = /[%;,"]/g): string {
  return value.replace(characters, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
