import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { LogLevel } from '@mortise/plugin';
import type { Redactor } from '@mortise/redact';
import type { Log } from './log.js';

/**
 * Node's warning about ESM without `"type": "module"`. Plugins may be such files (docs/spec/plugins.md#module-kind).
 */
const TYPELESS_MODULE = 'MODULE_TYPELESS_PACKAGE_JSON';

/**
 * Redirects the `console` output of plugins in the server, and Node's warnings, to the log: the protocol uses stdout,
 * and the log uses stderr.
 * @returns a function that restores the console
 */
export function redirectConsole(log: Log, redactor: Redactor): () => void {
  const logConsole = new Console({
    stdout: logStream(log, 'info', redactor),
    stderr: logStream(log, 'warn', redactor),
  });
  const original = { ...console };
  Object.assign(console, logConsole);
  const nodeListeners = process.listeners('warning');
  const onWarning = ({ name, message, code }: NodeJS.ErrnoException) => {
    const level = name === 'ExperimentalWarning' || code === TYPELESS_MODULE ? 'debug' : 'warn';
    log[level](message, { source: 'node', name });
  };
  process.removeAllListeners('warning').on('warning', onWarning);
  return () => {
    Object.assign(console, original);
    process.off('warning', onWarning);
    for (const listener of nodeListeners) process.on('warning', listener);
  };
}

/** Writes console output to the log. The redactor sees successive lines together, because a secret can span several. */
function logStream(log: Log, level: LogLevel, redactor: Redactor): Writable {
  const lines = redactor.lines((message) => log[level](message, { source: 'console' }));
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      lines.add(text.trimEnd(), undefined);
      done();
    },
  });
}
