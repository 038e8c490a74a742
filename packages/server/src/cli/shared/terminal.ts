import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { readProcessEnvironment } from '../../settings/process-environment.js';
import { SettingsError } from '../../settings/settings-error.js';
import { originalStdout } from './redirect-stdout.js';
import { createStyle, hasColour, hasUnicode, type Style } from './style.js';

/** How long the reader of stderr may take at the end, in milliseconds. */
const STDERR_MS = 500;

/** What a command talks to. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  /** Only for the protocol; nothing else, including plugins, writes there. Text for users goes through `out`. */
  readonly stdout: Writable;
  readonly stderr: NodeJS.WriteStream;
  /** Whether a user can read prompts and progress, and answer. */
  readonly isInteractive: boolean;
  readonly style: Style;
  /** Columns of stdout; undefined if it is not a terminal or its width is unknown. */
  readonly columns: number | undefined;
  /** Writes lines to stdout, without invisible control characters ({@link Style.render}). */
  out(lines: string): void;
  /** The same to stderr. */
  err(lines: string): void;
  /** Resolves when everything is written; stderr within half a second, or never. */
  flush(): Promise<void>;
}

/** The terminal of this process. A reader of stdout that goes away (`| head`) is not an error. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, platform } = process;
  const env = environment();
  const own = originalStdout();
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
    stdout: own,
    stderr,
    isInteractive: Boolean(stdin.isTTY && stderr.isTTY),
    style,
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : undefined,
    out: (lines) => void own.write(`${style.render(lines)}\n`),
    err: (lines) => void stderr.write(`${style.render(lines)}\n`),
    async flush() {
      const drained = async (stream: NodeJS.WriteStream) => stream.writableNeedDrain && once(stream, 'drain');
      // Clients that start the server need not read its stderr.
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
