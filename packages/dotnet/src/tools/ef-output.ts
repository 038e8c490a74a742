import type { CommandRun } from '../process/command-run.js';

/** Matches the prefix of a line with `--prefix-output`: its level, padded to nine characters (dotnet-ef 10). */
const PREFIX = /^(info|warn|error|verbose|data): *$/;
const PREFIX_CHARS = 9;

/** The output of dotnet-ef by the level of its lines. */
export interface EfOutput {
  /** The messages of dotnet-ef for users. */
  readonly text: string;
  /** The messages of level `error`. */
  readonly errors: string;
  /** The message of the startup project's exception if that caused the failure; otherwise undefined. */
  readonly cause: string | undefined;
  /** The lines of level `data`: JSON, or a script. */
  readonly data: string;
  /** The parsed `data` lines; undefined if they are not JSON. */
  readonly json: unknown;
  /** The output that a person would see without `--prefix-output`: all lines without their levels, except JSON. */
  readonly plain: string;
  /** The lines without a level, which the build printed. */
  readonly build: string;
}

export function parseEfOutput({ output }: Pick<CommandRun, 'output'>): EfOutput {
  const lines = output.split(/\r?\n/).map((line) => {
    const level = PREFIX.exec(line.slice(0, PREFIX_CHARS))?.[1];
    return level === undefined ? { level: 'build', text: line } : { level, text: line.slice(PREFIX_CHARS) };
  });
  const textAt = (...levels: string[]) =>
    lines.flatMap(({ level, text }) => (levels.includes(level) ? [text] : [])).join('\n');
  const data = textAt('data');
  const json = parseJson(data);
  return {
    text: textAt('info', 'warn', 'error').trim(),
    errors: textAt('error').trim(),
    cause: causeOf(textAt('error').trim(), textAt('warn')),
    data: data.trim(),
    json,
    plain: (json === undefined ? lines : lines.filter(({ level }) => level !== 'data'))
      .map(({ text }) => text)
      .join('\n'),
    build: textAt('build'),
  };
}

/**
 * Matches the message that the startup project threw. The design-time tools continue without its services (EF Core 10).
 */
const STARTUP_THREW = /Continuing without the application service provider\. Error: (.+)$/m;
const CREATION_FAILED =
  /^Unable to create a '?DbContext'? of type '[^']*'\. The exception '([\s\S]+?)' was thrown while attempting to create an instance\./m;
/** Matches exceptions that only follow from another one, because the services of the startup project are missing. */
const CONSEQUENCE = /^(?:Unable to resolve service for type|No database provider has been configured)/;
const NO_HOST = /entry point exited without ever building an IHost/;

function causeOf(errors: string, warnings: string): string | undefined {
  const thrown = CREATION_FAILED.exec(errors)?.[1];
  if (thrown !== undefined && !CONSEQUENCE.test(thrown)) return thrown;
  const startup = STARTUP_THREW.exec(warnings)?.[1]?.trim();
  const needsServices = thrown !== undefined || /^Unable to (?:create|resolve)|^No DbContext/.test(errors);
  return startup !== undefined && needsServices && !NO_HOST.test(startup) ? startup : undefined;
}

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes the lines with a level other than `error`. Lines without a level are kept. */
export function withoutNotes(text: string): string {
  const isNote = (line: string) => {
    const level = PREFIX.exec(line.slice(0, PREFIX_CHARS))?.[1];
    return level !== undefined && level !== 'error';
  };
  return text
    .split(/\r?\n/)
    .filter((line) => !isNote(line))
    .join('\n');
}

/** Returns the objects of an array; empty for any other value. */
export function listOf(json: unknown): Record<string, unknown>[] {
  return Array.isArray(json) ? json.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** Returns a member of an object if it is a string that is not empty. `json` can be any value. */
export function textOf(json: unknown, member: string): string | undefined {
  const value = (json as Record<string, unknown> | null | undefined)?.[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
