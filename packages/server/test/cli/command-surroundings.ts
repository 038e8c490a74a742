import { Readable, Writable } from 'node:stream';
import { createStyle, hasUnicode } from '../../src/cli/shared/style.js';
import type { Terminal } from '../../src/cli/shared/terminal.js';

export interface CapturedTerminal {
  readonly terminal: Terminal;
  /** Everything that was written so far. */
  stdout(): string;
  stderr(): string;
}

/** A terminal whose streams are pipes, as where another program runs the command. */
export function captureTerminal(stdin: string, env: Record<string, string>): CapturedTerminal {
  const [stdout, stderr] = [new Capture(), new Capture()];
  const style = createStyle({ hasUnicode: hasUnicode(process.platform, env), hasColour: false });
  const terminal: Terminal = {
    stdin: Readable.from([Buffer.from(stdin)]) as NodeJS.ReadStream,
    stdout,
    stderr: stderr as unknown as NodeJS.WriteStream,
    isInteractive: false,
    style,
    columns: undefined,
    out: (lines) => void stdout.write(`${style.render(lines)}\n`),
    err: (lines) => void stderr.write(`${style.render(lines)}\n`),
    flush: async () => {},
  };
  return { terminal, stdout: () => stdout.text(), stderr: () => stderr.text() };
}

class Capture extends Writable {
  readonly #pieces: Buffer[] = [];

  text(): string {
    return Buffer.concat(this.#pieces).toString();
  }

  override _write(piece: Buffer, _: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece);
    done();
  }
}

/** A command adds listeners for these, and leaves them to the end of its process. */
const EVENTS = ['warning', 'uncaughtException', 'unhandledRejection', 'SIGINT', 'SIGTERM'] as const;

/**
 * Gives this process another working directory and environment. The returned function puts them back, with all else that a command
 * changes in its process: the console, stdout and the listeners of the process.
 */
export function replaceProcessState(cwd: string, env: Record<string, string>): () => void {
  const before = { cwd: process.cwd(), env: { ...process.env }, console: { ...console }, write: process.stdout.write };
  const listeners = EVENTS.map((event) => process.listeners(event as 'warning'));
  process.chdir(cwd);
  replaceEnvironment(env);
  return () => {
    process.chdir(before.cwd);
    replaceEnvironment(before.env);
    Object.assign(console, before.console);
    process.stdout.write = before.write;
    for (const [index, event] of EVENTS.entries()) {
      process.removeAllListeners(event);
      for (const listener of listeners[index]!) process.on(event as 'warning', listener);
    }
  };
}

/** Variables are set one by one: `homedir()` and processes that are started read those of the process itself. */
function replaceEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) process.env[name] = value;
}
