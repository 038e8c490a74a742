import { resolve } from 'node:path';
import { platform } from 'node:process';
import { InvalidParameterError } from './invalid-parameter.js';

/**
 * What a string parameter is, and so what it becomes on a command line (docs/spec/dotnet-tools.md#values).
 * Every string parameter has one: `PARAMETERS` does not compile without it.
 */
export type ValueKind = keyof typeof KINDS;

interface Kind {
  readonly maxChars: number;
  /** It may be the name of a file, or have such names in it: none of them may be longer than file systems take. */
  readonly isPath?: boolean;
  /** One line without control characters; else only NUL is refused, which no argument can hold. */
  readonly isOneLine: boolean;
  /** What a value must not begin with. */
  readonly rejectsPattern?: RegExp;
  readonly hint?: string;
  /** The same value in a form that no command reads as an option. */
  readonly normalize?: (value: string) => string;
}

/** Windows has 32,767 characters for a whole command line, Linux 131,072 for one argument. */
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
  /** As text, on one line. */
  line: { maxChars: MAX_ARGUMENT_CHARS, isOneLine: true },
  /** Arguments that the caller passes on to a program. */
  arguments: { maxChars: MAX_ARGUMENT_CHARS, isOneLine: false },
  /** What is written to a file, sent to standard input, or looked up: never on a command line. */
  content: { maxChars: Number.POSITIVE_INFINITY, isOneLine: false },
} as const satisfies Record<string, Kind>;

const CONTROLS = /[\u0000-\u001f\u007f]/;

/**
 * The value as commands get it.
 * @throws InvalidParameterError for a value that the kind cannot hold
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

/** What System.CommandLine or MSBuild reads as an option, a switch or a response file. An absolute path is none. */
const OPTION = /^(?:[-@]|\/[^/]*(?::|$))/;

/** Whether a value could be read as an option or a response file if it were a separate argument. */
export function looksLikeOption(value: string): boolean {
  return OPTION.test(value);
}

/** The same path so that it cannot be read as an option: `./-x`, `./@x`, `/./p:x`. Others stay as they are. */
export function safePath(path: string): string {
  if (platform === 'win32' && path.startsWith('/')) return resolve(path);
  if (!looksLikeOption(path)) return path;
  return path.startsWith('/') ? `/.${path}` : `./${path}`;
}

/**
 * A value for an option that the CLI hands to MSBuild as a property: `;` and `,` would begin the next property, `%` an
 * escape, and quotes would be dropped.
 */
export function escapeProperty(value: string, characters = /[%;,"]/g): string {
  return value.replace(characters, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
