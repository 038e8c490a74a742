import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { BIN, createWorkplace, type Finished as End, type Workplace } from '../../../../test/support/workplace.js';
import { userConfigDir } from '../../src/settings/paths.js';
import { createTrustStore } from '../../src/settings/trusted-config.js';

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** A workplace whose folder is the working directory and is trusted, so that its configuration counts. */
export function createTrustedWorkplace(
  files: Record<string, string> = {},
  settings: object = {},
  finished?: End,
): Workplace {
  const workplace = createWorkplace(files, settings, finished);
  const { folder, env } = workplace;
  createTrustStore(userConfigDir({ platform: process.platform, env, homeDir: () => env.HOME! })!).trust(folder);
  return workplace;
}

/** Runs the real command to its end. */
export async function runMortise(
  workplace: Workplace,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = startMortise(workplace, args, options);
  child.stdin.end(options.stdin ?? '');
  return finish(child);
}

/** Starts the real command; it ends with the test at the latest. */
export function startMortise(
  { folder, env }: Workplace,
  args: readonly string[],
  options: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.cwd ?? folder,
    env: { ...env, LANG: 'C.UTF-8', ...options.env },
  });
  child.stdin.on('error', () => {});
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What the command said to its end. Call it before anything is waited for. */
export async function finish(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const [stdout, stderr] = [record(child.stdout), record(child.stderr)];
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout: stdout.text(), stderr: stderr.text() };
}

export interface Recording {
  text(): string;
  /** Resolves when these words have been said; gives everything so far. */
  untilOutput(expected: string): Promise<string>;
}

/** Everything that a stream says from now on. */
export function record(stream: Readable): Recording {
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return {
    text: () => text,
    async untilOutput(expected) {
      while (!text.includes(expected)) {
        if (stream.readableEnded) throw new Error(`The stream ended without ${JSON.stringify(expected)}: ${text}`);
        await Promise.race([once(stream, 'data'), once(stream, 'end')]);
      }
      return text;
    },
  };
}
