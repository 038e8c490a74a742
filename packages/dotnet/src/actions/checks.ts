import { ERROR_CODES } from '@mortise/plugin';
import { ArgumentsError, splitArguments } from '../process/split-arguments.js';
import { frameworkProblem, runtimeProblem } from '../project-files/frameworks.js';
import { isMSBuildName } from '../project-files/msbuild-syntax.js';
import { parseSince } from '../sessions/parse-timestamp.js';
import { InvalidParameterError } from './invalid-parameter.js';

/** Checks a value that matches its schema; throws InvalidParameterError with the problem. `name` is the parameter's. */
export type Check<T> = (value: T, name: string, action?: string) => void;

const VERBOSITIES = ['q', 'quiet', 'm', 'minimal', 'n', 'normal', 'd', 'detailed', 'diag', 'diagnostic'];

/**
 * `net10.0`, `netstandard2.1`, `net472`, `net10.0-windows10.0.19041.0` (docs/spec/dotnet-tools.md#target-frameworks).
 */
export const framework: Check<string> = (value, name) => {
  const problem = frameworkProblem(value);
  if (problem === undefined) return;
  throw new InvalidParameterError(name, 'invalid format', `Parameter '${name}' is not a target framework: ${problem}`, {
    providedValue: value,
    hint: 'Write a target framework moniker, for example net10.0, net8.0, netstandard2.0 or net472.',
  });
};

/** A runtime identifier whose platform is known (docs/spec/dotnet-tools.md#runtime-identifiers). */
export const runtime: Check<string> = (value, name) => {
  const problem = runtimeProblem(value);
  if (problem === undefined) return;
  throw new InvalidParameterError(
    name,
    'invalid format',
    `Parameter '${name}' is not a runtime identifier: ${problem}`,
    {
      providedValue: value,
      hint: 'Write a runtime identifier, for example linux-x64, win-arm64, osx-arm64 or linux-musl-x64.',
    },
  );
};

/**
 * Projects declare their own configurations: letters, digits, `_ - .` and space
 * (docs/spec/dotnet-tools.md#configuration).
 */
export const configuration: Check<string> = (value, name) => {
  if (/^[\p{L}\p{N}_. -]+$/u.test(value)) return;
  throw new InvalidParameterError(name, 'invalid characters', `Parameter '${name}' contains invalid characters`, {
    providedValue: value,
    hint: 'Usual configurations are Debug and Release. A name has letters, digits, underscores, hyphens, dots, spaces.',
  });
};

export const verbosity: Check<string> = (value, name) => {
  if (VERBOSITIES.includes(value.toLowerCase())) return;
  throw new InvalidParameterError(
    name,
    'invalid value',
    `Parameter '${name}' must be one of ${VERBOSITIES.join(', ')}`,
    {
      providedValue: value,
    },
  );
};

const PROJECT = /\.(?:[A-Za-z0-9]*proj|slnx?|slnf)$/i;

/** A project, a solution, a solution filter, or a folder (docs/spec/dotnet-tools.md#project-kinds). */
export const project: Check<string> = (value, name) => {
  const extension = /\.[^./\\]+$/.exec(value)?.[0];
  if (extension === undefined || PROJECT.test(value) || /[/\\]$/.test(value)) return;
  notASourceFile(value, name);
};

/** What only looks like a file may be a folder with a dot in its name; that is seen when the path is resolved. */
const FILES = /\.(?:cs|fs|vb|dll|exe|json|xml|txt|md|props|targets|config|csx|nupkg|cshtml|razor)$/i;

function notASourceFile(value: string, name: string): void {
  if (!FILES.test(value)) return;
  throw new InvalidParameterError(
    name,
    'invalid extension',
    `Parameter '${name}' must be a project, a solution or a folder`,
    {
      providedValue: value,
      hint: 'Supported are .csproj, .fsproj, .vbproj, other .*proj, .sln, .slnx, .slnf, and folders.',
    },
  );
}

/** A project, or one C# file: what Run, Build and Publish take (docs/spec/dotnet-tools.md#project-kinds). */
export const projectOrFile: Check<string> = (value, name) => {
  if (!/\.cs$/i.test(value)) project(value, name);
};

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

/** Letters, digits, `-`, `_`, `.`: of packages, workloads, tools. */
export const identifier: Check<string> = (value, name) => {
  const bad = /[^\p{L}\p{N}._-]/u.exec(value)?.[0];
  if (bad !== undefined) throw badIdentifier(name, value, bad);
};

function badIdentifier(name: string, value: string, bad: string): InvalidParameterError {
  return new InvalidParameterError(
    name,
    'invalid characters',
    `Parameter '${name}' contains invalid characters: '${bad}'`,
    {
      providedValue: value,
    },
  );
}

/** `Id` or `Id@version`. */
export const packageWithVersion: Check<string> = (value, name) => {
  const [id = '', version, ...more] = value.split('@');
  identifier(id, name);
  if (version === undefined || (more.length === 0 && /^[\d*[(][\w.*+\-, [\]()]*$/.test(version))) return;
  throw new InvalidParameterError(
    name,
    'invalid format',
    `Parameter '${name}' contains no package and version: ${value}`,
    {
      providedValue: value,
      hint: 'Write Id or Id@version, for example Dapper@2.1.66.',
    },
  );
};

/** ISO 8601; UTC where it names no zone. */
export const timestamp: Check<string> = (value, name) => {
  if (parseSince(value)) return;
  throw new InvalidParameterError(name, 'invalid format', `Parameter '${name}' is not an ISO 8601 timestamp`, {
    providedValue: value,
    hint: 'For example 2026-04-11T05:30:00Z.',
  });
};

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
export const target: Check<string> = (value, name) => {
  if (/^[\p{L}_][\p{L}\p{N}_.-]*(?::[\p{L}_][\p{L}\p{N}_.-]*)?$/u.test(value)) return;
  throw new InvalidParameterError(
    name,
    'invalid characters',
    `Parameter '${name}' is not the name of an MSBuild target`,
    {
      providedValue: value,
      hint: 'Give the name of one target, for example PublishContainer.',
    },
  );
};

/** One of a closed set, in any case. */
export function oneOf(...values: readonly string[]): Check<string> {
  return (value, name) => {
    if (values.some((item) => item.toLowerCase() === value.toLowerCase())) return;
    const listed = values.map((item) => `'${item}'`);
    const last = listed.pop();
    throw new InvalidParameterError(
      name,
      'invalid value',
      `Parameter '${name}' must be ${listed.join(', ')} or ${last}`,
      {
        providedValue: value,
      },
    );
  };
}

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

/** Diagnostic ids, separated by spaces, commas or semicolons. */
export const identifiers: Check<string> = (value, name) => {
  for (const one of value.split(/[\s,;]+/).filter(Boolean)) {
    if (!/^[\p{L}\p{N}_]/u.test(one)) throw badIdentifier(name, one, one[0]!);
    identifier(one, name);
  }
};

/** The SDK finds global.json by that name alone. */
export const globalJson: Check<string> = (value, name) => {
  if (/(?:^|[/\\])global\.json$/.test(value)) return;
  throw new InvalidParameterError(
    name,
    'invalid value',
    `Parameter '${name}' must be the path of a file named global.json`,
    {
      providedValue: value,
      hint: 'For a folder give its global.json, for example src/global.json.',
    },
  );
};

/** A credential is only ever given as the name of a variable, which scripts and NuGet's `%NAME%` can have. */
export const variableName: Check<string> = (value, name) => {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,254}$/.test(value)) return;
  throw new InvalidParameterError(
    name,
    'invalid characters',
    `Parameter '${name}' is not the name of an environment variable`,
    {
      hint: 'Give the name of a variable of the server process, for example NUGET_API_KEY, never the secret itself.',
    },
  );
};
