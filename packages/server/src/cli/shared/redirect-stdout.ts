import { Writable } from 'node:stream';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';

type Done = (error?: Error | null) => void;

/** Returns a stream to stdout that {@link redirectStdout} does not redirect. Must be called before plugins are loaded. */
export function originalStdout(): Writable {
  const { stdout } = process;
  const original = new Writable();
  original.write = stdout.write.bind(stdout);
  original.on('error', () => {});
  // Writers wait for `drain` if the reader is slow.
  stdout.on('drain', () => original.emit('drain'));
  stdout.on('error', (error) => original.emit('error', error));
  return original;
}

/**
 * Redirects process.stdout, to which plugins in this process can write, to the log. Lines are redacted as a whole,
 * because a secret can arrive in several pieces.
 */
export function redirectStdout(log: Log, redactor: Redactor): void {
  const lines = redactor.lines((message) => log.info(message, { source: 'stdout' }));
  process.stdout.write = (piece: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
    const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (text.trim() !== '') lines.add(text.trimEnd(), undefined);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
}
