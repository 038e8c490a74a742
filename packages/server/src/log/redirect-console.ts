import { Console } from 'node:console';
import { Writable } from 'node:stream';
import type { LogLevel } from '@mortise/plugin';
import type { Redactor } from '@mortise/redact';
import type { Log } from './log.js';

/** A `.js` plugin may be ESM without saying so (docs/spec/plugins.md#module-kind). */
const ALLOWED = 'MODULE_TYPELESS_PACKAGE_JSON';

/**
 * Redirects `console` output of plugins and Node's warnings to the log, because stdout is used by the protocol and stderr by
 * the log. A secret can span several lines. Returns a function that undoes it.
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
