import { keepInspectorClosed } from '@mortise/process';
import { createRedactor } from '@mortise/redact';
import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import { cliProblemText, toCliError } from './shared/cli-error.js';
import { EXIT_CODES, type ExitStatus } from './shared/exit-codes.js';
import { processTerminal, type Terminal } from './shared/terminal.js';

/** The maximum time that a timer or socket of a plugin keeps the process alive after the command has ended. */
const LINGER_MS = 500;

/** Runs one command line of `mortise` and returns the exit code. Errors are written to stderr, never thrown. */
export async function main(argv: string[]): Promise<number> {
  keepInspectorClosed();
  const terminal = processTerminal();
  const code = await runCommandLine(argv, terminal);
  await terminal.flush();
  setTimeout(() => process.exit(code), LINGER_MS).unref();
  return code;
}

/**
 * Runs one command line of `mortise` at a terminal and returns the exit code. Errors are written to the terminal's
 * stderr, never thrown. The working directory, the environment and the console are those of this process.
 */
export async function runCommandLine(argv: string[], terminal: Terminal): Promise<number> {
  return EXIT_CODES[await run(argv, terminal)].code;
}

async function run(argv: string[], terminal: Terminal): Promise<ExitStatus> {
  let exitStatus: ExitStatus = 'ok';
  const end = (value: ExitStatus) => {
    exitStatus = value;
  };
  const program = await createProgram({ terminal, end }, argv);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitStatus;
  } catch (error) {
    if (error instanceof CommanderError) return 'ok';
    const failure = toCliError(error);
    // The problems quote the command line, which can contain a secret.
    const problems = createRedactor({ secrets: [] }).value(failure.problems);
    for (const problem of problems) terminal.err(cliProblemText(problem, terminal.style));
    return failure.exitStatus;
  }
}
