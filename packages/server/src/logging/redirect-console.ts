import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { LogLevel } from '@mortise/plugin';
import type { Redactor } from '@mortise/redact';
import type { Log } from './log.js';

/** A `.js` plugin may be ESM without saying so (docs/spec/plugins.md#module-kind). */
const ALLOWED = 'MODULE_TYPELESS_PACKAGE_JSON';

/**
 * Sends to the log what plugins print with `console`, and what Node warns of, for stdout is the protocol's and stderr is
 * the log's. A secret may come in several lines. Returns how to undo it.
 */
export function redirectConsole(log: Log, redactor: Redactor): () => void {
  const guarded = new Console({ stdout: lines(log, 'info', redactor), stderr: lines(log, 'warn', redactor) });
  const original = { ...console };
  Object.assign(console, guarded);
  const printers = process.listeners('warning');
  const onWarning = ({ name, message, code }: NodeJS.ErrnoException) => {
    const level = name === 'ExperimentalWarning' || code === ALLOWED ? 'debug' : 'warn';
    log[level](message, { source: 'node', name });
  };
  process.removeAllListeners('warning').on('warning', onWarning);
  return () => {
    Object.assign(console, original);
    process.off('warning', onWarning);
    for (const printer of printers) process.on('warning', printer);
  };
}

function lines(log: Log, level: LogLevel, redactor: Redactor): Writable {
  const stream = redactor.lines((message) => log[level](message, { source: 'console' }));
  return new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      stream.add(text.trimEnd(), undefined);
      done();
    },
  });
}
