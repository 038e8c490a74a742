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
  readonly files?: Readonly<Record<string, readonly string[] | 'binary' | null>>;
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

export function readRecording(path: string): Recording | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Recording) : undefined;
}

export function writeRecording(path: string, recording: Recording): void {
  writeFileSync(path, `${JSON.stringify(recording, undefined, 1)}\n`);
}
