import { ERROR_CODES, type InvalidReason } from '@mortise/plugin';
import { ArgumentsError, splitArguments } from '../process/split-arguments.js';
import { frameworkProblem, runtimeProblem } from '../project-files/frameworks.js';
import { spelledAs } from '../project-files/global-json.js';
import { isMSBuildName } from '../project-files/msbuild-syntax.js';
import { InvalidParameterError } from './invalid-parameter.js';

/** Checks a value that matches its schema; throws InvalidParameterError with the problem. `name` is the parameter's. */
export type Check<T> = (value: T, name: string) => void;

/**
 * What a text must look like (docs/spec/dotnet-tools.md#forms). The input schema has no `pattern` for it: many programs cannot read
 * expressions for all letters, and every call would be checked in a thread (docs/spec/arguments.md#validation-thread).
 */
interface Form {
  readonly reason: InvalidReason;
  /** What is wrong with a value, as a sentence without its beginning `Parameter 'x'`; undefined if nothing is. */
  problem(value: string): string | undefined;
  readonly hint?: string;
  /** The error does not repeat the value. */
  readonly isSecret?: true;
}

function form({ reason, problem, hint, isSecret }: Form): Check<string> {
  return (value, name) => {
    const found = problem(value);
    if (found === undefined) return;
    throw new InvalidParameterError(name, reason, `Parameter '${name}' ${found}`, {
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
 * `net10.0`, `netstandard2.1`, `net472`, `net10.0-windows10.0.19041.0` (docs/spec/dotnet-tools.md#target-frameworks).
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

/**
 * Projects declare their own configurations: letters, digits, `_ - .` and space
 * (docs/spec/dotnet-tools.md#configuration).
 */
export const configuration = form({
  reason: 'invalid characters',
  problem: unless(/^[\p{L}\p{N}_. -]+$/u, 'contains invalid characters'),
  hint: 'Usual configurations are Debug and Release. A name has letters, digits, underscores, hyphens, dots, spaces.',
});

function mustBe(values: readonly string[]): string {
  const listed = values.map((item) => `'${item}'`);
  return `must be ${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`;
}

/** One of a closed set, in any case. */
export function oneOf(...values: readonly string[]): Check<string> {
  const known = new Set(values.map((item) => item.toLowerCase()));
  return form({
    reason: 'invalid value',
    problem: (value) => (known.has(value.toLowerCase()) ? undefined : mustBe(values)),
  });
}

export const verbosity = oneOf('q', 'quiet', 'm', 'minimal', 'n', 'normal', 'd', 'detailed', 'diag', 'diagnostic');

/** One of the values that a global.json has, which is written as it is spelled there. */
export function globalJsonValue(values: readonly string[]): Check<string> {
  return form({
    reason: 'invalid value',
    problem: (value) => (spelledAs(value, values) === undefined ? mustBe(values) : undefined),
  });
}

/** A full version of an SDK. */
export const sdkVersion = form({
  reason: 'invalid format',
  problem: unless(/^\s*\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?\s*$/, 'is not an SDK version'),
  hint: 'Write a full version, for example 10.0.100; ListSdks names those that are installed.',
});

/** What only looks like a file may be a folder with a dot in its name; that is seen when the path is resolved. */
const FILES = /\.(?:cs|fs|vb|dll|exe|json|xml|txt|md|props|targets|config|csx|nupkg|cshtml|razor)$/i;

/** A project, a solution, a solution filter, or a folder (docs/spec/dotnet-tools.md#project-kinds). */
export const project = form({
  reason: 'invalid extension',
  problem: (value) => (FILES.test(value) ? 'must be a project, a solution or a folder' : undefined),
  hint: 'Supported are .csproj, .fsproj, .vbproj, other .*proj, .sln, .slnx, .slnf, and folders.',
});

/** A project, or one C# file: what Run, Build and Publish take (docs/spec/dotnet-tools.md#project-kinds). */
export const projectOrFile: Check<string> = (value, name) => {
  if (!/\.cs$/i.test(value)) project(value, name);
};

/** One C# file. */
export const sourceFile = form({
  reason: 'invalid extension',
  problem: unless(/\.cs$/i, 'must be a C# file'),
  hint: 'Give the .cs file of a file-based app, for example app.cs.',
});

/** Whether a path names the properties, or the package versions, of all projects in a folder. */
export function isPropsFile(path: string): boolean {
  return /(?:^|[/\\])Directory\.(?:Build|Packages)\.props$/i.test(path);
}

/** A project, or what {@link isPropsFile}: what the actions on properties take. */
export const projectOrProps: Check<string> = (value, name) => {
  if (!isPropsFile(value)) project(value, name);
};

/** Names of MSBuild properties, also reserved ones: they are read. */
export const propertyName: Check<string> = (value, name) => {
  if (!isMSBuildName(value)) throw badPropertyName(value, name);
};

/**
 * Arguments in the form of a string are split by shell rules, without a shell (docs/spec/dotnet-tools.md#arguments).
 */
export const commandLine: Check<string | string[]> = (value, name) => void toArguments(value, name);

/** `@file`, and `--option=@file`, which `dotnet new` expands too (SDK 10). */
const RESPONSE_FILE = /^(?:-[^=:]*[=:])?@/;

/** Options of a template, which no response file may extend. */
export const templateOptions: Check<string | string[]> = (value, name) => {
  const bad = toArguments(value, name).find((part) => RESPONSE_FILE.test(part));
  if (bad === undefined) return;
  throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' must not name a response file: ${bad}`, {
    providedValue: bad,
    hint: 'dotnet new would read the file that follows @. Give its options one by one.',
  });
};

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

/** The first character that an identifier cannot have, as a problem. */
function badCharacter(value: string): string | undefined {
  const bad = /[^\p{L}\p{N}._-]/u.exec(value)?.[0];
  return bad === undefined ? undefined : wrongCharacter(bad);
}

/** Letters, digits, `-`, `_`, `.`: of packages, workloads, tools. */
export const identifier = form({ reason: 'invalid characters', problem: badCharacter });

/** Diagnostic ids, separated by spaces, commas or semicolons. */
export const identifiers: Check<string> = (value, name) => {
  for (const one of value.split(/[\s,;]+/).filter(Boolean)) diagnosticId(one, name);
};

const diagnosticId = form({
  reason: 'invalid characters',
  problem: (value) => (/^[\p{L}\p{N}_]/u.test(value) ? badCharacter(value) : wrongCharacter(value[0]!)),
});

/** `Id` or `Id@version`. */
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

/** ISO 8601; UTC where it names no zone. */
export const timestamp = form({
  reason: 'invalid format',
  problem: (value) => (parseSince(value) ? undefined : 'is not an ISO 8601 timestamp'),
  hint: 'For example 2026-04-11T05:30:00Z.',
});

/** Names of MSBuild properties, before a command line is made of them (docs/spec/dotnet-tools.md#more-parameters). */
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

/** One target, in a solution also `Project:Target`. */
export const target = form({
  reason: 'invalid characters',
  problem: unless(/^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u, 'is not the name of an MSBuild target'),
  hint: 'Give the name of one target, for example PublishContainer.',
});

/** Each of a list. */
export function listOf(check: Check<string>): Check<string[]> {
  return (values, name) => {
    for (const value of values) {
      if (value.trim() === '')
        throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' contains an empty value`);
      check(value, name);
    }
  };
}

/** The SDK finds global.json by that name alone. */
export const globalJson = form({
  reason: 'invalid value',
  problem: unless(/(?:^|[/\\])global\.json$/, 'must be the path of a file named global.json'),
  hint: 'For a folder give its global.json, for example src/global.json.',
});

/** A credential is only ever given as the name of a variable, which scripts and NuGet's `%NAME%` can have. */
export const variableName = form({
  reason: 'invalid characters',
  problem: unless(/^[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'is not the name of an environment variable'),
  hint: 'Give the name of a variable of the server process, for example NUGET_API_KEY, never the secret itself.',
  isSecret: true,
});

const ISO_8601 = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** A moment in ISO 8601; UTC where it names no offset, as our own times are. Undefined for anything else. */
export function parseSince(text: string): Date | undefined {
  const [, day, time = '00:00', offset = 'Z'] = ISO_8601.exec(text.trim()) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  const moment = new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

/** `Date` takes February 30 for March 2. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
