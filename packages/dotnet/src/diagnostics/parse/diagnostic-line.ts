import { posix, win32 } from 'node:path';
import { isProjectFile } from '../../advice/codes/source-kind.js';
import { isSolutionPath } from '../../project-files/solution-file.js';
import type { Diagnostic } from './diagnostic.js';

/** A printed line in MSBuild's canonical form, `origin : [subcategory] (error|warning) CODE : message [project]`. */
export interface DiagnosticLine extends Location {
  readonly severity: Diagnostic['severity'];
  /** Undefined if the tool printed none. */
  readonly code: string | undefined;
  /** The text with its indentation, by which the further lines of a message of NuGet and MSBuild are recognised. */
  readonly message: string;
  /** The printed file or tool with its location; empty if there is none. */
  readonly origin: string;
  /** The project that the diagnostic is about, from the file or the suffix. */
  readonly project: string | undefined;
  readonly framework: string | undefined;
}

/** The location of a diagnostic. `file` is undefined if the origin is the name of a tool. */
interface Location {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly endLine: number | undefined;
  readonly endColumn: number | undefined;
}

const NO_LOCATION: Location = {
  file: undefined,
  line: undefined,
  column: undefined,
  endLine: undefined,
  endColumn: undefined,
};

/** The maximum length of an origin. Paths are shorter, so a severity word after it belongs to a message. */
const MAX_ORIGIN_CHARS = 4200;

const SEVERITY = /\b(error|warning)(?:\s{1,8}([A-Za-z_][\w.-]{0,63}))?\s{0,8}:/g;
const NUGET_WARNING = /^warn\s*:/;
const NUGET_CODE = /^(NU\d{4}): ?/;
/** The codes of NuGet's warnings, for lines that name no severity. NU1605 is excluded, because it is an error by default. */
const NUGET_WARNING_CODE = /^NU(?!1605)(?:1[5-9]|51)\d\d$/;

/**
 * Parses a line from which ANSI sequences, the logger's prefix and surrounding white space were removed
 * (docs/spec/errors.md#diagnostics).
 * @param isIndented distinguishes messages of a program from those of NuGet, which are not indented
 * @returns undefined if the line is not a diagnostic
 */
export function parseDiagnosticLine(line: string, isIndented: boolean): DiagnosticLine | undefined {
  const unprefixed = NUGET_CODE.exec(line);
  if (unprefixed) return withoutOrigin(NUGET_WARNING_CODE.test(unprefixed[1]!) ? 'warning' : 'error', line);
  if (!isIndented && NUGET_WARNING.test(line)) return withoutOrigin('warning', line.slice(line.indexOf(':') + 1));
  if (!line.includes('error') && !line.includes('warning')) return undefined;

  SEVERITY.lastIndex = 0;
  for (let match = SEVERITY.exec(line); match; match = SEVERITY.exec(line)) {
    if (match.index > MAX_ORIGIN_CHARS) return undefined;
    const severity = match[1] as Diagnostic['severity'];
    const code = match[2];
    const rest = line.slice(SEVERITY.lastIndex);
    if (match.index === 0) {
      if (code === undefined) return isIndented ? undefined : withoutOrigin(severity, rest);
      if (!isCodeOnItsOwn(code)) return undefined;
      return withSuffix(severity, code, messageOf(rest), '', NO_LOCATION);
    }
    const origin = originBefore(line, match.index, code);
    if (origin !== undefined) {
      return withSuffix(severity, code, messageOf(rest), origin, locationOf(origin) ?? locationOfUnquoted(origin));
    }
  }
  return undefined;
}

/** Parses the rest of `error: …`, where NuGet prints the code as the first word of the message. */
function withoutOrigin(severity: Diagnostic['severity'], text: string): DiagnosticLine {
  const message = messageOf(text);
  const code = NUGET_CODE.exec(message);
  return withSuffix(severity, code?.[1], code ? message.slice(code[0].length) : message, '', NO_LOCATION);
}

/** Removes one space, which belongs to the form. Further spaces are the indentation of the message. */
function messageOf(text: string): string {
  return (text.startsWith(' ') ? text.slice(1) : text).trimEnd();
}

const SUBCATEGORY = /^[A-Za-z ]{1,40}$/;

/** Returns the origin before a severity word; undefined if the text before it is prose. */
function originBefore(line: string, end: number, code: string | undefined): string | undefined {
  const before = line.slice(0, end).trimEnd();
  const colon = before.lastIndexOf(':');
  if (colon <= 0) return undefined;
  if (colon < before.length - 1 && !SUBCATEGORY.test(before.slice(colon + 1))) return undefined;
  const origin = before.slice(0, colon).trimEnd();
  if (origin === '' || origin.includes('"') || origin.startsWith('[')) return undefined;
  if (POSITION_AT_END.test(origin)) return origin;
  const isSpaced = origin.length < colon;
  if (!isUnquotedOrigin(origin)) return undefined;
  const isCode = code === undefined ? isSpaced : isCodeOnItsOwn(code) || TOOL.test(origin) || hasSuffix(line);
  return isCode ? origin : undefined;
}

/** The names of compilers and of MSBuild, which are the origin of diagnostics without a file. */
const TOOL = /^(?:CSC|VBC|FSC|MSBUILD|ILC|ALINK|EXEC)$/;

/** True if the line ends with a project in brackets, as MSBuild's logger prints it. */
const hasSuffix = (line: string): boolean => line.endsWith(']') && suffixStart(line) >= 0;

/** Without a location or a suffix, a code must have a digit or be upper-case, because `error occurred: …` is prose. */
function isCodeOnItsOwn(code: string): boolean {
  return /\d/.test(code) || code === code.toUpperCase();
}

const POSITION_AT_END = /\((\d{1,9})(?:-(\d{1,9})|,(\d{1,9})(?:-(\d{1,9})|,(\d{1,9}),(\d{1,9}))?)?\)$/;

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);

/** Parses `file(line)`, `(line,col)`, `(line,col-col)`, `(line-line)` and `(line,col,line,col)`. */
function locationOf(origin: string): Location | undefined {
  const position = POSITION_AT_END.exec(origin);
  if (!position) return undefined;
  const [, line, lineRangeEnd, column, columnRangeEnd, endLine, endColumn] = position;
  return {
    file: origin.slice(0, position.index).trimEnd(),
    line: Number(line),
    column: numberOf(column),
    endLine: numberOf(lineRangeEnd ?? endLine ?? (columnRangeEnd === undefined ? undefined : line)),
    endColumn: numberOf(columnRangeEnd ?? endColumn),
  };
}

function locationOfUnquoted(origin: string): Location {
  return looksLikeFile(origin) ? { ...NO_LOCATION, file: origin } : NO_LOCATION;
}

const ABSOLUTE_PATH = /^(?:\/|\\\\|[A-Za-z]:[\\/])/;
const EXTENSION = /\.[A-Za-z]\w{0,15}$/;

const isUnquotedOrigin = (origin: string): boolean =>
  !/\s/.test(origin) || ABSOLUTE_PATH.test(origin) || EXTENSION.test(origin);

const looksLikeFile = (origin: string): boolean => /[\\/]/.test(origin) || EXTENSION.test(origin);

const SUFFIX_FILE = /\.(?:[A-Za-z]*proj|slnx?|slnf|props|targets|cs|fs|vb)$/i;

/** Splits the suffix ` [project::TargetFramework=x]` off the message. */
function withSuffix(
  severity: Diagnostic['severity'],
  code: string | undefined,
  text: string,
  origin: string,
  { file, line, column, endLine, endColumn }: Location,
): DiagnosticLine {
  // A suffix follows a space, even if there is no message before it.
  const padded = ` ${text}`;
  const start = text.endsWith(']') ? suffixStart(padded) : -1;
  const suffix = start < 0 ? '' : padded.slice(start + 2, -1);
  const properties = suffix.indexOf('::');
  const project = properties < 0 ? suffix : suffix.slice(0, properties);
  return {
    severity,
    code,
    message: start < 0 ? text : padded.slice(1, Math.max(1, start)).trimEnd(),
    origin,
    file: inProjectFolder(file, suffix === '' ? undefined : project),
    line,
    column,
    endLine,
    endColumn,
    project: reportingProject(file, suffix === '' ? undefined : project),
    framework: properties < 0 ? undefined : FRAMEWORK.exec(suffix)?.[1],
  };
}

/**
 * Returns the project that a diagnostic is about: its file if that is a project, else the project in the suffix. The
 * suffix names what was restored or built. That can be a solution, or a project that references the one with the error.
 */
function reportingProject(file: string | undefined, suffixProject: string | undefined): string | undefined {
  const isSolution = file !== undefined && isSolutionPath(file);
  return isProjectFile(file) && (suffixProject === undefined || !isSolution) ? file : suffixProject;
}

/** Makes a relative path absolute. Tasks run in the folder of the project. */
function inProjectFolder(file: string | undefined, project: string | undefined): string | undefined {
  if (file === undefined || project === undefined || ABSOLUTE_PATH.test(file) || !ABSOLUTE_PATH.test(project))
    return file;
  const { dirname, join } = project.startsWith('/') ? posix : win32;
  return join(dirname(project), project.startsWith('/') ? file.replaceAll('\\', '/') : file);
}

const FRAMEWORK = /(?:::|;)TargetFramework=([^;\]]+)/;

/** Returns the index of the space before the suffix of a text that ends with `]`; -1 if it has none. */
function suffixStart(message: string): number {
  let start = message.lastIndexOf(' [');
  for (let tries = 0; start >= 0 && tries < 4; tries++) {
    const content = message.slice(start + 2, -1);
    const isBalanced = !content.includes(']') || content.split('[').length === content.split(']').length;
    const properties = content.indexOf('::');
    if (isBalanced && SUFFIX_FILE.test(properties < 0 ? content : content.slice(0, properties))) return start;
    start = start === 0 ? -1 : message.lastIndexOf(' [', start - 1);
  }
  return -1;
}
