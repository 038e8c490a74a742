import type { CommandRun } from '../process/command-run.js';

/** What `--prefix-output` puts before each line: its level, padded to nine characters (dotnet-ef 10). */
const PREFIX = /^(info|warn|error|verbose|data): *$/;
const PREFIX_CHARS = 9;

/** The output of dotnet-ef by the level of its lines. */
export interface EfOutput {
  /** What dotnet-ef itself tells a person. */
  readonly text: string;
  /** Its errors. */
  readonly errors: string;
  /** Lines of data: JSON, or a script. */
  readonly data: string;
  /** The `data` lines as JSON; undefined where they are none. */
  readonly json: unknown;
  /** What a person sees without `--prefix-output`: all lines but those of JSON. */
  readonly plain: string;
  /** Lines without a level: of the build that it starts. */
  readonly build: string;
}

export function readEfOutput({ output }: Pick<CommandRun, 'output'>): EfOutput {
  const lines = output.split(/\r?\n/).map((line) => {
    const level = PREFIX.exec(line.slice(0, PREFIX_CHARS))?.[1];
    return level === undefined ? { level: 'build', words: line } : { level, words: line.slice(PREFIX_CHARS) };
  });
  const of = (...levels: string[]) =>
    lines.flatMap(({ level, words }) => (levels.includes(level) ? [words] : [])).join('\n');
  const data = of('data');
  const json = parsed(data);
  return {
    text: of('info', 'warn', 'error').trim(),
    errors: of('error').trim(),
    data: data.trim(),
    json,
    plain: (json === undefined ? lines : lines.filter(({ level }) => level !== 'data'))
      .map(({ words }) => words)
      .join('\n'),
    build: of('build'),
  };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An array of objects, whatever came. */
export function listOf(json: unknown): Record<string, unknown>[] {
  return Array.isArray(json) ? json.filter((each) => typeof each === 'object' && each !== null) : [];
}

/** A string member of an object, whatever came. */
export function textOf(json: unknown, member: string): string | undefined {
  const value = (json as Record<string, unknown> | null | undefined)?.[member];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
