import { Writable } from 'node:stream';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';

type Done = (error?: Error | null) => void;

/** stdout for the command itself: writes there also after {@link redirectStdout}. Take it before plugins are loaded. */
export function originalStdout(): Writable {
  const { stdout } = process;
  const own = new Writable();
  own.write = stdout.write.bind(stdout);
  own.on('error', () => {});
  // Who writes waits for it when the reader falls behind.
  stdout.on('drain', () => own.emit('drain'));
  stdout.on('error', (error) => own.emit('error', error));
  return own;
}

/** From now on everything written to process.stdout, for example by plugins in this process, goes to the log. A secret can arrive in several pieces. */
export function redirectStdout(log: Log, redactor: Redactor): void {
  const stream = redactor.lines((message) => log.info(message, { source: 'stdout' }));
  process.stdout.write = (piece: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
    const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (text.trim() !== '') stream.add(text.trimEnd(), undefined);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
}
