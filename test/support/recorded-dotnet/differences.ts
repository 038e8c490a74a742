// vitest calls `teardown` in its own process once all tests have ended.
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param pid of vitest */
const fileOf = (pid: number): string => join(tmpdir(), `mortise-differences-${pid}.txt`);

/** Keeps a difference for the report at the end: another SDK made the recording. Called in a process of tests. */
export function reportDifference(title: string, recorded: object, answered: object): void {
  const [before, now] = [recorded, answered].map((value) => JSON.stringify(value, undefined, 1).split('\n'));
  const only = (lines: string[], others: string[], sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign}${line}`);
  const lines = [title, ...only(before!, now!, '-'), ...only(now!, before!, '+')];
  appendFileSync(fileOf(process.ppid), `${lines.join('\n')}\n\n`);
}

export function teardown(): void {
  const file = fileOf(process.pid);
  if (!existsSync(file)) return;
  console.log('Answers that differ from the recordings, which another version of the .NET SDK made:\n');
  console.log(readFileSync(file, 'utf8'));
  rmSync(file);
}
