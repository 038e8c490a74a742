import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { refuse } from './exchange.js';
import type { HttpSettings } from './http-options.js';

export type BodyProblem = 'too large' | 'not UTF-8';

/** Gets one of these calls for each body, unless the client disconnects before the end of the body. */
export interface BodyReceiver {
  take(text: string): void;
  refuse(problem: BodyProblem): void;
}

/** Reads a body as UTF-8, without its byte order mark. Stops reading a body beyond `maxBytes`. */
export function readBody(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver): void {
  if (Number(req.headers['content-length']) > maxBytes) {
    receiver.refuse('too large');
    return;
  }
  const reader = new BodyReader(req, maxBytes, receiver);
  req.on('data', (chunk: Buffer) => reader.add(chunk));
  req.on('end', () => reader.end());
}

class BodyReader {
  readonly #req: IncomingMessage;
  readonly #maxBytes: number;
  readonly #receiver: BodyReceiver;
  #bytes = 0;
  #first: Buffer | undefined;
  /** Decodes a long body while it arrives. To decode all of it at the end would block for several milliseconds. */
  #decoder: TextDecoder | undefined;
  #text = '';

  constructor(req: IncomingMessage, maxBytes: number, receiver: BodyReceiver) {
    this.#req = req;
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  add(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      this.#stop('too large');
    } else if (this.#first === undefined) {
      this.#first = chunk;
    } else if (this.#decoder === undefined) {
      this.#decoder = new TextDecoder('utf-8', { fatal: true });
      if (this.#decode(this.#decoder, this.#first)) this.#decode(this.#decoder, chunk);
    } else {
      this.#decode(this.#decoder, chunk);
    }
  }

  end(): void {
    if (this.#decoder) {
      if (this.#decode(this.#decoder)) this.#receiver.take(this.#text);
    } else if (this.#first !== undefined && !isUtf8(this.#first)) {
      this.#receiver.refuse('not UTF-8');
    } else {
      this.#receiver.take(withoutByteOrderMark(this.#first?.toString('utf8') ?? ''));
    }
  }

  #decode(decoder: TextDecoder, chunk?: Buffer): boolean {
    try {
      this.#text += decoder.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      this.#stop('not UTF-8');
      return false;
    }
  }

  #stop(problem: BodyProblem): void {
    this.#req.removeAllListeners('data').removeAllListeners('end');
    this.#receiver.refuse(problem);
  }
}

const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Refuses a body that is too large, and keeps reading for a second, so that the client gets the response. */
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
