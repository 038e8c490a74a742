import { basename, extname } from 'node:path';
import { isProjectFile } from '../../advice/codes/source-kind.js';
import type { Diagnostic } from './diagnostic.js';
import type { DiagnosticLine } from './diagnostic-line.js';

/** Replaces an empty message. */
const NO_MESSAGE = 'The tool reported this without a message.';
/** The F# compiler prints this instead of the line ends in a message. */
const FSHARP_LINE_END = '\x1d';

/** A parsed message, to be added to the set or counted as a repetition. */
export interface ParsedMessage {
  readonly head: DiagnosticLine;
  readonly code: string;
  readonly text: string;
  readonly raw: string;
  /** The output of the program whose failure the message reports. */
  readonly detail?: string | undefined;
  /** The position of the message in the output, relative to the others. */
  readonly sequence: number;
}

export interface Counted {
  count: number;
}

interface Member extends Pick<DiagnosticLine, 'severity' | 'file' | 'line' | 'column' | 'endLine' | 'endColumn'> {
  readonly code: string;
  message: string;
  raw: string;
  readonly sequence: number;
  readonly detail: string | undefined;
  count: number;
  projects: readonly string[];
  frameworks: readonly string[];
}

/**
 * The maximum number of diagnostics of each severity that are kept; further ones are only counted. Results show fewer
 * (docs/spec/dotnet-results.md#result-limits).
 */
export const MAX_DIAGNOSTICS = 1000;

/**
 * The distinct diagnostics of an output. Those that agree in severity, code, file, line, column and text are one
 * (docs/spec/errors.md#one-entry).
 */
export class DiagnosticSet {
  readonly #members = new Map<string, Member>();
  readonly #membersByFirstLine = new Map<string, Member>();
  /** The keys of diagnostics above the maximum, which are not kept. */
  readonly #omittedKeys = new Set<string>();
  readonly #counts = { error: 0, warning: 0 };
  /** A cache of lists with one name. Most diagnostics belong to one project and share its list. */
  readonly #singles = new Map<string, readonly string[]>();

  /**
   * @param isNew false if a summary repeats the message, which does not count
   * @returns the counter for further reports of the diagnostic; undefined if the diagnostic is not kept
   */
  add({ head, code, text, raw, sequence, detail }: ParsedMessage, isNew: boolean): Counted | undefined {
    const { severity, file, line, column, endLine, endColumn, project, framework } = head;
    const lines = text.includes(FSHARP_LINE_END) ? text.replaceAll(FSHARP_LINE_END, '\n') : text;
    const message = lines.trim() || NO_MESSAGE;
    const place = `${severity} ${code} ${line} ${column} ${file}\0`;
    const key = `${place}${message}`;
    const existing = this.#members.get(key) ?? this.#sameFirstLine(place, message, raw);
    if (existing) {
      existing.projects = this.#with(existing.projects, project);
      existing.frameworks = this.#with(existing.frameworks, framework);
      if (isNew) existing.count++;
      return existing;
    }
    if (this.#omittedKeys.has(key)) return undefined;
    this.#counts[severity]++;
    if (this.#counts[severity] > MAX_DIAGNOSTICS) {
      this.#omittedKeys.add(key);
      return undefined;
    }
    const projects = this.#with(NONE, project);
    const frameworks = this.#with(NONE, framework);
    const location = { file, line, column, endLine, endColumn };
    const member = {
      severity,
      code,
      message,
      ...location,
      projects,
      frameworks,
      raw,
      sequence,
      detail,
      count: isNew ? 1 : 0,
    };
    this.#members.set(key, member);
    const [firstLine] = message.split('\n', 1);
    if (firstLine !== message) this.#membersByFirstLine.set(`${place}${firstLine}`, member);
    return member;
  }

  /**
   * Finds the member whose message is the first line of this one, or the other way round, because one stream can have
   * the whole message and the other its first line. The member keeps the longer message.
   */
  #sameFirstLine(place: string, message: string, raw: string): Member | undefined {
    const [firstLine] = message.split('\n', 1);
    const hasMoreLines = firstLine !== message;
    const firstKey = `${place}${firstLine}`;
    if (!hasMoreLines) return this.#membersByFirstLine.get(firstKey);
    const shorter = this.#members.get(firstKey);
    if (shorter === undefined) return undefined;
    this.#members.delete(firstKey);
    const longer = Object.assign(shorter, { message, raw });
    this.#members.set(`${place}${message}`, longer);
    this.#membersByFirstLine.set(firstKey, longer);
    return longer;
  }

  /** Returns the number of distinct diagnostics, including those that are not kept. */
  count(severity: Diagnostic['severity']): number {
    return this.#counts[severity];
  }

  /** Returns the diagnostics that were kept, in the order of their first appearance. */
  list(): Diagnostic[] {
    return [...this.#members.values()].sort((a, b) => a.sequence - b.sequence).map(toDiagnostic);
  }

  #with(names: readonly string[], name: string | undefined): readonly string[] {
    if (name === undefined || names.includes(name)) return names;
    if (names.length > 0) return [...names, name];
    let single = this.#singles.get(name);
    if (single === undefined) {
      single = [name];
      this.#singles.set(name, single);
    }
    return single;
  }
}

const NONE: readonly string[] = [];

/** Sorts names, because the order in which parallel builds report differs from run to run. */
const sorted = (names: readonly string[]) => (names.length > 1 ? [...names].sort() : names);

function toDiagnostic(member: Member): Diagnostic {
  const { severity, code, message, file, line, column, endLine, endColumn, projects, frameworks, raw, detail, count } =
    member;
  return {
    severity,
    code,
    message: detail === undefined ? message : `${message}\nBefore that, this was printed:\n${detail}`,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(endLine !== undefined && { endLine }),
    ...(endColumn !== undefined && { endColumn }),
    ...(count > 1 && { count }),
    projects: sorted(projects),
    frameworks: sorted(frameworks),
    raw: detail === undefined ? raw : `${detail}\n${raw}`,
  };
}

const NUGET_CODE = /^NU\d{4}$/;

/**
 * Combines the diagnostics that NuGet repeats for each project that needs a package into one with all of the projects
 * (docs/spec/errors.md#one-package). The order does not change.
 */
export function combinePackages(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const groups = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic) ?? groups.size.toString();
    const group = groups.get(key);
    if (group) group.push(diagnostic);
    else groups.set(key, [diagnostic]);
  }
  if (groups.size === diagnostics.length) return diagnostics;
  return [...groups.values()].map((group) => (group.length === 1 ? group[0]! : combined(group)));
}

/**
 * Returns severity, code and message without the name of the project, which NuGet puts into some messages.
 * @returns undefined for diagnostics that are not combined
 */
function keyOf({ severity, code, message, file, line, projects }: Diagnostic): string | undefined {
  if (!NUGET_CODE.test(code) || line !== undefined || !isProjectFile(file) || projects.length !== 1) return undefined;
  const name = basename(file!, extname(file!));
  const messageWithoutName = message
    .split(/(?<![\w.-])(?=[\w.-])|(?<=[\w.-])(?![\w.-])/)
    .map((word) => (word === name ? '\0' : word))
    .join('');
  return `${severity} ${code} ${messageWithoutName}`;
}

function combined(group: readonly Diagnostic[]): Diagnostic {
  const sortedGroup = group.toSorted((a, b) => (a.file! < b.file! ? -1 : 1));
  const { file: _, ...shared } = sortedGroup[0]!;
  const unique = (names: readonly string[]) => [...new Set(names)].sort();
  return {
    ...shared,
    count: sortedGroup.reduce((sum, { count = 1 }) => sum + count, 0),
    projects: unique(sortedGroup.flatMap(({ projects }) => projects)),
    frameworks: unique(sortedGroup.flatMap(({ frameworks }) => frameworks)),
  };
}
