import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { SettingsError } from '../../settings/settings-error.js';
import { originalStdout } from './redirect-stdout.js';
import { createStyle, hasColour, hasUnicode, type Style } from './style.js';

/** The maximum time that {@link Terminal.flush} waits for the reader of stderr. */
const STDERR_MS = 500;

/** The streams of a command. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  /** The stream for the protocol. Plugins cannot write to it, and text for users goes through `out`. */
  readonly stdout: Writable;
  readonly stderr: NodeJS.WriteStream;
  /** True if a user can read questions and progress, and answer. */
  readonly isInteractive: boolean;
  readonly style: Style;
  /** Columns of stdout; undefined if it is not a terminal or its width is unknown. */
  readonly columns: number | undefined;
  /** Writes lines to stdout, without invisible control characters ({@link Style.render}). */
  out(lines: string): void;
  /** Writes lines to stderr in the same way. */
  err(lines: string): void;
  /** Resolves when everything has been written. Gives up on stderr after half a second. */
  flush(): Promise<void>;
}

/** Creates the terminal of this process. It is no error if the reader of stdout ends early, as `head` does. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, platform } = process;
  const env = environment();
  const protocolStdout = originalStdout();
  const style = createStyle({
    hasUnicode: hasUnicode(platform, env),
    hasColour: hasColour(Boolean(stdout.isTTY && stderr.isTTY), env),
  });
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    stdin,
    stdout: protocolStdout,
    stderr,
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    style,
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : undefined,
    out: (lines) => void protocolStdout.write(`${style.render(lines)}\n`),
    err: (lines) => void stderr.write(`${style.render(lines)}\n`),
    async flush() {
      const drained = async (stream: NodeJS.WriteStream) => stream.writableNeedDrain && once(stream, 'drain');
      // The wait for stderr is limited, because clients that start the server need not read it.
      await Promise.all([
        drained(stdout),
        Promise.race([drained(stderr), delay(STDERR_MS, undefined, { ref: false })]),
      ]);
    },
  };
}

function environment() {
  try {
    return readProcessEnvironment().env;
  } catch (error) {
    if (error instanceof SettingsError) return {};
    throw error;
  }
}
