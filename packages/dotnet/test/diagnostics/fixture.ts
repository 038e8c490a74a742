import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CommandRun } from '../../src/process/command-run.js';

/** A file under fixtures. Outputs there are real ones of SDK 10.0.401, with neutral paths. */
export function fixturePath(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

export function fixture(name: string): string {
  return readFileSync(fixturePath(name), 'utf8');
}

/** What a command printed on one stream; empty where it printed nothing. */
export function fixtureOutput(name: string, stream: 'stdout' | 'stderr' = 'stdout'): string {
  return existsSync(fixturePath(`${name}.${stream}.txt`)) ? fixture(`${name}.${stream}.txt`) : '';
}

/** The run that printed a fixture. */
export function runOf(name: string, exitCode: number, args: string[], more: Partial<CommandRun> = {}): CommandRun {
  const stdout = fixtureOutput(name);
  const stderr = fixtureOutput(name, 'stderr');
  return {
    args,
    command: `dotnet ${args.join(' ')}`,
    cwd: '/src',
    terminatedBy: 'exited',
    exitCode,
    output: stdout + stderr,
    stdout,
    stderr,
    omittedBytes: 0,
    startedAt: new Date(0),
    durationMs: 1200,
    ...more,
  };
}
