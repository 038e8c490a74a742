import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { TextDecoder } from 'node:util';
import { refuse } from './exchange.js';
import type { HttpSettings } from './http-options.js';

/** Why a body cannot be read. */
export type BodyProblem = 'too large' | 'not UTF-8';

/** Hears of a body once, unless the client goes away before its end. */
export interface BodyReceiver {
  take(text: string): void;
  refuse(problem: BodyProblem): void;
}

/** Reads the body as UTF-8, without its byte order mark. Of a body that has more than `maxBytes` nothing more is kept. */
export function readBody(req: IncomingMessage, maxBytes: number, { take, refuse }: BodyReceiver): void {
  if (Number(req.headers['content-length']) > maxBytes) {
    refuse('too large');
    return;
  }
  let first: Buffer | undefined;
  let text = '';
  let bytes = 0;
  // A long body is decoded while it arrives: at its end that would take several milliseconds.
  let decoder: TextDecoder | undefined;
  const stop = (problem: BodyProblem) => {
    req.removeAllListeners('data').removeAllListeners('end');
    refuse(problem);
  };
  const decode = (chunk?: Buffer): boolean => {
    try {
      text += decoder!.decode(chunk, { stream: chunk !== undefined });
      return true;
    } catch {
      stop('not UTF-8');
      return false;
    }
  };
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      stop('too large');
    } else if (first === undefined) {
      first = chunk;
    } else if (decoder === undefined) {
      decoder = new TextDecoder('utf-8', { fatal: true });
      if (decode(first)) decode(chunk);
    } else {
      decode(chunk);
    }
  });
  req.on('end', () => {
    if (decoder) {
      if (decode()) take(text);
    } else if (first !== undefined && !isUtf8(first)) {
      refuse('not UTF-8');
    } else {
      take(withoutByteOrderMark(first?.toString('utf8') ?? ''));
    }
  });
}

const withoutByteOrderMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

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
