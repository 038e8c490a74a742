import type { IncomingMessage, ServerResponse } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import { refuse } from './exchange.js';
import type { HttpSettings } from './http-options.js';

/**
 * Reads the body as text. `take` is called once: with undefined when the body has more than `maxBytes`, of which nothing
 * more is kept then. It is not called when the client goes away before the end.
 */
export function readBody(req: IncomingMessage, maxBytes: number, take: (body: string | undefined) => void): void {
  if (Number(req.headers['content-length']) > maxBytes) {
    take(undefined);
    return;
  }
  let first: Buffer | undefined;
  let text = '';
  let bytes = 0;
  // A long body is decoded while it arrives: at its end that would take several milliseconds.
  let decoder: StringDecoder | undefined;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      if (first === undefined) {
        first = chunk;
        return;
      }
      if (decoder === undefined) {
        decoder = new StringDecoder();
        text = decoder.write(first);
      }
      text += decoder.write(chunk);
      return;
    }
    req.removeAllListeners('data').removeAllListeners('end');
    take(undefined);
  });
  req.on('end', () => take(decoder ? text + decoder.end() : (first?.toString('utf8') ?? '')));
}

/** Refuses a body that is too large. Lets the client finish a moment longer, so that it reads the response before the connection ends. */
export function refuseBody(
  req: IncomingMessage,
  res: ServerResponse,
  { maxBodyBytes, optionNames }: HttpSettings,
): void {
  refuse(res, 413, `The body exceeds ${maxBodyBytes} bytes (${optionNames.maxBodyBytes}).`, {
    headers: { connection: 'close' },
  });
  req.resume();
  setTimeout(() => req.destroy(), 1_000).unref();
}
