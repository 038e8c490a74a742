import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RecordedAnswer } from './answer.js';

/** A command of `dotnet`, and everything that the server and the tests read of it. */
export interface RecordedRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly exitCode: number;
  /** It was ended by a signal: its replay waits for one. */
  readonly untilSignal?: boolean;
  /** `1 text` is a line of stdout, `2 text` one of stderr; `1-text` lacks its line end. */
  readonly lines: readonly string[];
  /** Written files with their lines; `binary` is an empty file in the replay, and null a file that was removed. */
  readonly files?: Readonly<
    Record<string, readonly string[] | { readonly utf16le: readonly string[] } | 'binary' | null>
  >;
}

export interface RecordedTest {
  readonly runs: readonly RecordedRun[];
  readonly answers?: readonly RecordedAnswer[];
}

/** The recording of a test file. Texts of the machine and of the run are placeholders, such as `‹work›`. */
export interface Recording {
  /** The SDK that printed it. */
  readonly sdk: string;
  /** By the full title of the test; those that run no command are left out. */
  readonly tests: Readonly<Record<string, RecordedTest>>;
}

/** @param testFile `….recorded.test.ts` */
export function recordingPath(testFile: string): string {
  const name = basename(testFile).replace(/\.recorded\.test\.ts$/, '.json');
  return fileURLToPath(new URL(`../../recordings/${name}`, import.meta.url));
}

/** On disk, long texts of files are here by their hash, once each, and the run has `{ "text": hash }`. */
interface StoredRecording extends Recording {
  readonly texts?: Readonly<Record<string, readonly string[]>>;
}

const LONG_CHARS = 10_000;

export function readRecording(path: string): Recording | undefined {
  if (!existsSync(path)) return undefined;
  const { texts, sdk, tests } = JSON.parse(readFileSync(path, 'utf8')) as StoredRecording;
  const replaced = (content: unknown) => texts?.[(content as { text?: string } | null)?.text ?? ''] ?? content;
  return { sdk, tests: withFiles(tests, replaced) };
}

export function writeRecording(path: string, { sdk, tests }: Recording): void {
  const texts: Record<string, unknown> = {};
  const stored = withFiles(tests, (content) => {
    const json = JSON.stringify(content);
    if (!Array.isArray(content) || json.length < LONG_CHARS) return content;
    const hash = createHash('sha256').update(json).digest('hex').slice(0, 12);
    texts[hash] = content;
    return { text: hash };
  });
  writeFileSync(path, `${JSON.stringify({ sdk, tests: stored, texts }, undefined, 1)}\n`);
}

/** The tests with the content of each file replaced. */
function withFiles(tests: Recording['tests'], map: (content: unknown) => unknown): Recording['tests'] {
  const each = <T>(object: Readonly<Record<string, T>>, change: (value: T) => unknown) =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
  const runOf = (run: RecordedRun) => ({ ...run, ...(run.files && { files: each(run.files, map) }) });
  return each(tests, (test) => ({ ...test, runs: test.runs?.map(runOf) ?? [] })) as Recording['tests'];
}
