import { Writable } from 'node:stream';
import type { Log } from '../log.js';

type Done = (error?: Error | null) => void;

/** stdout for the command itself: writes there also after {@link divertStdout}. Take it before plugins are loaded. */
export function ownStdout(): Writable {
  const { stdout } = process;
  const own = new Writable();
  own.write = stdout.write.bind(stdout);
  own.on('error', () => {});
  stdout.on('error', (error) => own.emit('error', error));
  return own;
}

/** From now on what anybody writes to process.stdout, as plugins in this process may, goes to the log. */
export function divertStdout(log: Log): void {
  process.stdout.write = (piece: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
    const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    if (text.trim() !== '') log.info(text.trimEnd(), { source: 'stdout' });
    const callback = typeof encoding === 'function' ? encoding : done;
    if (callback) process.nextTick(callback);
    return true;
  };
}
