import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { BIN, createWorkplace, type Finished as End, type Workplace } from '../../../../test/support/workplace.js';
import { userConfigDir } from '../../src/settings/paths.js';
import { createTrustStore } from '../../src/settings/trusted-config.js';
import { captureTerminal, replaceProcessState } from './command-surroundings.js';

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

/** The workplace with plugins that run in the process of the command: for tests that are not about processes. */
export const withoutIsolation = (workplace: Workplace): Workplace => ({
  ...workplace,
  env: { ...workplace.env, Plugins__Isolation: 'none' },
});

/** {@link createTrustedWorkplace}, {@link withoutIsolation}. */
export const createQuickWorkplace = (...args: Parameters<typeof createTrustedWorkplace>): Workplace =>
  withoutIsolation(createTrustedWorkplace(...args));

/**
 * Runs a command to its end in this process, with the bundle that is published. Plugins run in processes of their own, as always.
 * Commands run one after another, because the working directory and the environment belong to the process.
 */
export function runMortise(workplace: Workplace, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const run = () => runHere(args, startOf(workplace, options), options.stdin ?? '');
  const finished = lastCommand.then(run, run);
  lastCommand = finished;
  return finished;
}

let lastCommand: Promise<unknown> = Promise.resolve();

async function runHere(args: readonly string[], { cwd, env }: Start, stdin: string): Promise<Finished> {
  const { runCommandLine } = createRequire(import.meta.url)(
    '../../dist/cli.js',
  ) as typeof import('../../src/cli/main.js');
  const restore = replaceProcessState(cwd, env);
  try {
    const { terminal, stdout, stderr } = captureTerminal(stdin, env);
    const code = await runCommandLine([...args], terminal);
    return { code, signal: null, stdout: stdout(), stderr: stderr() };
  } finally {
    restore();
  }
}

/** Runs a command as a process to its end. */
export async function runProcess(
  workplace: Workplace,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Finished> {
  const child = startMortise(workplace, args, options);
  child.stdin.end(options.stdin ?? '');
  return finish(child);
}

interface Start {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

const startOf = ({ folder, env }: Workplace, options: RunOptions): Start => ({
  cwd: options.cwd ?? folder,
  env: { ...env, LANG: 'C.UTF-8', ...options.env },
});

/** Starts a command as a process; it ends with the test at the latest. */
export function startMortise(
  workplace: Workplace,
  args: readonly string[],
  options: RunOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [BIN, ...args], startOf(workplace, options));
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
      const ended = once(stream, 'end');
      while (!text.includes(expected)) {
        if (stream.readableEnded) throw new Error(`The stream ended without ${JSON.stringify(expected)}: ${text}`);
        await Promise.race([once(stream, 'data'), ended]);
      }
      return text;
    },
  };
}
