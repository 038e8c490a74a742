import { ERROR_CODES, type InvalidReason } from '@mortise/plugin';
import { ArgumentsError, splitArguments } from '../process/split-arguments.js';
import { frameworkProblem, runtimeProblem } from '../project-files/frameworks.js';
import { spelledAs } from '../project-files/global-json.js';
import { isMSBuildName } from '../project-files/msbuild-syntax.js';
import { InvalidParameterError } from './invalid-parameter.js';

/**
 * Checks a value that already matches its schema.
 * @param name the name of the parameter
 * @throws InvalidParameterError
 */
export type Check<T> = (value: T, name: string) => void;

/**
 * The rule for the text of a parameter (docs/spec/dotnet-tools.md#forms). The input schema has no `pattern` for it,
 * because many programs cannot read expressions for all letters, and the server would have to check every call in a
 * thread (docs/spec/arguments.md#validation-thread).
 */
interface Form {
  readonly reason: InvalidReason;
  /** Returns the problem of a value as a predicate of `Parameter 'x'`; undefined if the value is valid. */
  problem(value: string): string | undefined;
  readonly hint?: string;
  /** Keeps the value out of the error. */
  readonly isSecret?: true;
}

function form({ reason, problem, hint, isSecret }: Form): Check<string> {
  return (value, name) => {
    const predicate = problem(value);
    if (predicate === undefined) return;
    throw new InvalidParameterError(name, reason, `Parameter '${name}' ${predicate}`, {
      ...(!isSecret && { providedValue: value }),
      ...(hint !== undefined && { hint }),
    });
  };
}

const unless =
  (pattern: RegExp, problem: string): Form['problem'] =>
  (value) =>
    pattern.test(value) ? undefined : problem;

const about =
  (sentence: string, problemOf: (value: string) => string | undefined): Form['problem'] =>
  (value) => {
    const problem = problemOf(value);
    return problem === undefined ? undefined : `${sentence}: ${problem}`;
  };

/**
 * A target framework moniker, for example `net10.0`, `net472` or `net10.0-windows10.0.19041.0`
 * (docs/spec/dotnet-tools.md#target-frameworks).
 */
export const framework = form({
  reason: 'invalid format',
  problem: about('is not a target framework', frameworkProblem),
  hint: 'Write a target framework moniker, for example net10.0, net8.0, netstandard2.0 or net472.',
});

/** A runtime identifier whose platform is known (docs/spec/dotnet-tools.md#runtime-identifiers). */
export const runtime = form({
  reason: 'invalid format',
  problem: about('is not a runtime identifier', runtimeProblem),
  hint: 'Write a runtime identifier, for example linux-x64, win-arm64, osx-arm64 or linux-musl-x64.',
});

/** Any name is allowed, because projects declare their own configurations (docs/spec/dotnet-tools.md#configuration). */
export const configuration = form({
  reason: 'invalid characters',
  problem: unless(/^[\p{L}\p{N}_. -]+$/u, 'contains invalid characters'),
  hint: 'Usual configurations are Debug and Release. A name has letters, digits, underscores, hyphens, dots, spaces.',
});

function mustBe(values: readonly string[]): string {
  const listed = values.map((item) => `'${item}'`);
  return `must be ${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`;
}

/** Accepts each of the values in any letter case. */
export function oneOf(...values: readonly string[]): Check<string> {
  const known = new Set(values.map((item) => item.toLowerCase()));
  return form({
    reason: 'invalid value',
    problem: (value) => (known.has(value.toLowerCase()) ? undefined : mustBe(values)),
  });
}

export const verbosity = oneOf('q', 'quiet', 'm', 'minimal', 'n', 'normal', 'd', 'detailed', 'diag', 'diagnostic');

/** Accepts a value of a member of global.json in any spelling that {@link spelledAs} recognises. */
export function globalJsonValue(values: readonly string[]): Check<string> {
  return form({
    reason: 'invalid value',
    problem: (value) => (spelledAs(value, values) === undefined ? mustBe(values) : undefined),
  });
}

export const sdkVersion = form({
  reason: 'invalid format',
  problem: unless(/^\s*\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?\s*$/, 'is not an SDK version'),
  hint: 'Write a full version, for example 10.0.100; ListSdks names those that are installed.',
});

/**
 * The extensions of files that are never a project. Other paths with an extension may be folders, which becomes clear
 * only when the path is resolved.
 */
const FILES = /\.(?:cs|fs|vb|dll|exe|json|xml|txt|md|props|targets|config|csx|nupkg|cshtml|razor)$/i;

/** A project, a solution, a solution filter, or a folder (docs/spec/dotnet-tools.md#project-kinds). */
export const project = form({
  reason: 'invalid extension',
  problem: (value) => (FILES.test(value) ? 'must be a project, a solution or a folder' : undefined),
  hint: 'Supported are .csproj, .fsproj, .vbproj, other .*proj, .sln, .slnx, .slnf, and folders.',
});

/** A project or a C# file (docs/spec/dotnet-tools.md#project-kinds). */
export const projectOrFile: Check<string> = (value, name) => {
  if (!/\.cs$/i.test(value)) project(value, name);
};

export const sourceFile = form({
  reason: 'invalid extension',
  problem: unless(/\.cs$/i, 'must be a C# file'),
  hint: 'Give the .cs file of a file-based app, for example app.cs.',
});

/** True for Directory.Build.props and Directory.Packages.props, which apply to all projects below their folder. */
export function isPropsFile(path: string): boolean {
  return /(?:^|[/\\])Directory\.(?:Build|Packages)\.props$/i.test(path);
}

/** A project, or a file for which {@link isPropsFile} is true. */
export const projectOrProps: Check<string> = (value, name) => {
  if (!isPropsFile(value)) project(value, name);
};

/** The name of an MSBuild property. Reserved names are accepted, because the value is only read. */
export const propertyName: Check<string> = (value, name) => {
  if (!isMSBuildName(value)) throw badPropertyName(value, name);
};

/**
 * Arguments as a list, or as a string that can be split by the rules of a shell (docs/spec/dotnet-tools.md#arguments).
 */
export const commandLine: Check<string | string[]> = (value, name) => void toArguments(value, name);

/** Matches `@file`, and `--option=@file`, which `dotnet new` expands too (SDK 10). */
const RESPONSE_FILE = /^(?:-[^=:]*[=:])?@/;

/** Options of a template. Response files are refused, because their content would not be checked. */
export const templateOptions: Check<string | string[]> = (value, name) => {
  const bad = toArguments(value, name).find((part) => RESPONSE_FILE.test(part));
  if (bad === undefined) return;
  throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' must not name a response file: ${bad}`, {
    providedValue: bad,
    hint: 'dotnet new would read the file that follows @. Give its options one by one.',
  });
};

/**
 * Splits arguments that are given as a string.
 * @param name the name of the parameter
 * @throws InvalidParameterError
 */
export function toArguments(value: string | readonly string[], name: string): string[] {
  if (typeof value !== 'string') return [...value];
  try {
    return splitArguments(value);
  } catch (error) {
    if (!(error instanceof ArgumentsError)) throw error;
    const { reason, message, remedy } = error;
    throw new InvalidParameterError(name, reason, `Parameter '${name}' ${message}`, {
      providedValue: value,
      hint: `${ERROR_CODES.INVALID_PARAMS.hint} ${remedy}, or give the arguments as an array of strings.`,
    });
  }
}

const wrongCharacter = (bad: string) => `contains invalid characters: '${bad}'`;

/** Returns the problem of a value that has a character which identifiers cannot have. */
function badCharacter(value: string): string | undefined {
  const bad = /[^\p{L}\p{N}._-]/u.exec(value)?.[0];
  return bad === undefined ? undefined : wrongCharacter(bad);
}

/** The id of a package, a workload or a tool: letters, digits, `-`, `_` and `.`. */
export const identifier = form({ reason: 'invalid characters', problem: badCharacter });

/** Diagnostic ids, separated by spaces, commas or semicolons. */
export const identifiers: Check<string> = (value, name) => {
  for (const id of value.split(/[\s,;]+/).filter(Boolean)) diagnosticId(id, name);
};

const diagnosticId = form({
  reason: 'invalid characters',
  problem: (value) => (/^[\p{L}\p{N}_]/u.test(value) ? badCharacter(value) : wrongCharacter(value[0]!)),
});

/** A package as `Id` or `Id@version`. */
export const packageWithVersion: Check<string> = (value, name) => {
  identifier(value.split('@', 1)[0]!, name);
  packageVersion(value, name);
};

const packageVersion = form({
  reason: 'invalid format',
  problem: (value) =>
    /^[^@]*(?:@[\d*[(][\w.*+\-, [\]()]*)?$/.test(value) ? undefined : `contains no package and version: ${value}`,
  hint: 'Write Id or Id@version, for example Dapper@2.1.66.',
});

/** A time that {@link parseSince} can read. */
export const timestamp = form({
  reason: 'invalid format',
  problem: (value) => (parseSince(value) ? undefined : 'is not an ISO 8601 timestamp'),
  hint: 'For example 2026-04-11T05:30:00Z.',
});

/** Properties for a command line, whose names must be valid in MSBuild (docs/spec/dotnet-tools.md#more-parameters). */
export const propertyNames: Check<Record<string, unknown>> = (value, name) => {
  const bad = Object.keys(value).find((key) => !isMSBuildName(key));
  if (bad !== undefined) throw badPropertyName(bad, name);
};

function badPropertyName(bad: string, parameter: string): InvalidParameterError {
  const message = `'${bad}' in '${parameter}' is not a valid MSBuild property name`;
  return new InvalidParameterError(parameter, 'invalid characters', message, {
    providedValue: bad,
    hint: 'A name begins with a letter or an underscore, followed by letters, digits, underscores and hyphens.',
  });
}

/** The name of one MSBuild target. For a solution it can also be `Project:Target`. */
export const target = form({
  reason: 'invalid characters',
  problem: unless(/^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u, 'is not the name of an MSBuild target'),
  hint: 'Give the name of one target, for example PublishContainer.',
});

/** Checks each value of a list, which must not be blank. */
export function listOf(check: Check<string>): Check<string[]> {
  return (values, name) => {
    for (const value of values) {
      if (value.trim() === '')
        throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' contains an empty value`);
      check(value, name);
    }
  };
}

/** The path of a global.json. The SDK finds the file only by this name. */
export const globalJson = form({
  reason: 'invalid value',
  problem: unless(/(?:^|[/\\])global\.json$/, 'must be the path of a file named global.json'),
  hint: 'For a folder give its global.json, for example src/global.json.',
});

/**
 * The name of an environment variable that holds a credential, as scripts and `%NAME%` in nuget.config can write it. A
 * credential itself is never a parameter.
 */
export const variableName = form({
  reason: 'invalid characters',
  problem: unless(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'is not the name of an environment variable'),
  hint: 'Give the name of a variable of the server process, for example NUGET_API_KEY, never the secret itself.',
  isSecret: true,
});

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** Parses a date or time in ISO 8601, as UTC if it has no offset. Returns undefined for any other text. */
export function parseSince(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const moment = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** Compares the day after parsing, because `Date` reads February 30 as March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
