import type { CommandRun } from '../process/command-run.js';

/** What `--prefix-output` puts before each line: its level, padded to nine characters (dotnet-ef 10). */
const PREFIX = /^(info|warn|error|verbose|data): *$/;
const PREFIX_CHARS = 9;

/** The output of dotnet-ef by the level of its lines. */
export interface EfOutput {
  /** The messages of dotnet-ef for users. */
  readonly text: string;
  /** Its errors. */
  readonly errors: string;
  /** The message of the startup project's own exception, if that is why it failed; otherwise undefined. */
  readonly cause: string | undefined;
  /** Lines of data: JSON, or a script. */
  readonly data: string;
  /** The `data` lines as JSON; undefined where they are none. */
  readonly json: unknown;
  /** What a person sees without `--prefix-output`: all lines but those of JSON. */
  readonly plain: string;
  /** Lines without a level: of the build that it starts. */
  readonly build: string;
}

export function parseEfOutput({ output }: Pick<CommandRun, 'output'>): EfOutput {
  const lines = output.split(/\r?\n/).map((line) => {
    const level = PREFIX.exec(line.slice(0, PREFIX_CHARS))?.[1];
    return level === undefined ? { level: 'build', text: line } : { level, text: line.slice(PREFIX_CHARS) };
  });
  const of = (...levels: string[]) =>
    lines.flatMap(({ level, text }) => (levels.includes(level) ? [text] : [])).join('\n');
  const data = of('data');
  const json = parsed(data);
  return {
    text: of('info', 'warn', 'error').trim(),
    errors: of('error').trim(),
    cause: causeOf(of('error').trim(), of('warn')),
    data: data.trim(),
    json,
    plain: (json === undefined ? lines : lines.filter(({ level }) => level !== 'data'))
      .map(({ text }) => text)
      .join('\n'),
    build: of('build'),
  };
}

/** The design-time tools continue without the services of a startup project that threw (EF Core 10). */
const STARTUP_THREW = /Continuing without the application service provider\. Error: (.+)$/m;
const CREATION_FAILED =
  /^Unable to create a '?DbContext'? of type '[^']*'\. The exception '([\s\S]+?)' was thrown while attempting to create an instance\./m;
/** What follows from an exception, and is none of the project's own. */
const CONSEQUENCE = /^(?:Unable to resolve service for type|No database provider has been configured)/;
const NO_HOST = /entry point exited without ever building an IHost/;

function causeOf(errors: string, warnings: string): string | undefined {
  const thrown = CREATION_FAILED.exec(errors)?.[1];
  if (thrown !== undefined && !CONSEQUENCE.test(thrown)) return thrown;
  const startup = STARTUP_THREW.exec(warnings)?.[1]?.trim();
  const needsServices = thrown !== undefined || /^Unable to (?:create|resolve)|^No DbContext/.test(errors);
  return startup !== undefined && needsServices && !NO_HOST.test(startup) ? startup : undefined;
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text without the lines that are marked as information, warnings or data. */
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

/** An array of objects, whatever came. */
export function listOf(json: unknown): Record<string, unknown>[] {
  return Array.isArray(json) ? json.filter((item) => typeof item === 'object' && item !== null) : [];
}

/** A string member of an object, whatever came. */
export function textOf(json: unknown, member: string): string | undefined {
  const value = (json as Record<string, unknown> | null | undefined)?.[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
