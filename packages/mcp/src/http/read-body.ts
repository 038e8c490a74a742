import type { IncomingMessage } from 'node:http';

/**
 * Reads the body as text. `take` is called once: with undefined when the body has more than `maxBytes`, of which nothing
 * more is kept then. It is not called when the client goes away before the end.
 */
export function readBody(req: IncomingMessage, maxBytes: number, take: (body: string | undefined) => void): void {
  if (Number(req.headers['content-length']) > maxBytes) {
    take(undefined);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    req.removeAllListeners('data').removeAllListeners('end');
    take(undefined);
  });
  req.on('end', () => take((chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')));
}
