import type { CommandRun } from '../process/command-run.js';

/** What `--prefix-output` puts before each line: its level, padded to nine characters (dotnet-ef 10). */
const PREFIXED = /^(info|warn|error|verbose|data): {4,8}(.*)$/;

/** The output of dotnet-ef without its prefixes, and the JSON of `--json`. */
export interface EfOutput {
  /** What a person reads. */
  readonly text: string;
  /** The parsed `data` lines; undefined where there are none. */
  readonly json: unknown;
}

export function readEfOutput({ output }: Pick<CommandRun, 'output'>): EfOutput {
  const said: string[] = [];
  const data: string[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, level, words = ''] = PREFIXED.exec(line) ?? [];
    if (level === 'data') data.push(words);
    else if (level !== 'verbose') said.push(level === undefined ? line : words);
  }
  return { text: said.join('\n').trim(), json: parsed(data.join('\n')) };
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
