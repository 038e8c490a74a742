import { isLargeJson, parseInSlices } from '@mortise/mcp/util';
import { readMessage } from './read-message.js';

const NEWLINE = 10;
const RETURN = 13;

/**
 * `fetch` whose answers end with an error where a message in them is longer than one over stdio may be: a whole body, or
 * one event of a stream. A large body of JSON is parsed in slices, between which others are served.
 */
export const boundedFetch =
  (maxBytes: number) =>
  async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (!body || status < 200) return response;
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const answer = new Response(body.pipeThrough(bounded(isStream, maxBytes)), { status, statusText, headers });
    return Object.assign(answer, { json: () => parseBody(answer) });
  };

async function parseBody(response: Response): Promise<unknown> {
  const text = await response.text();
  const value: unknown = isLargeJson(text) ? await parseInSlices(text) : JSON.parse(text);
  return Array.isArray(value) ? value.map(readable) : readable(value);
}

/** A message that cannot be read is the SDK's to refuse. */
function readable(value: unknown): unknown {
  const read = readMessage(value);
  return read && 'message' in read ? read.message : value;
}

function bounded(isStream: boolean, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let isLineEmpty = false;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (isStream) {
        // An empty line ends an event.
        for (const [index, byte] of chunk.entries()) {
          if (byte === NEWLINE && isLineEmpty) bytes = chunk.length - index - 1;
          if (byte !== RETURN) isLineEmpty = byte === NEWLINE;
        }
      }
      if (bytes > maxBytes)
        controller.error(new Error(`It sent a message of more than ${maxBytes} bytes (Plugins.Limits.MessageBytes)`));
      else controller.enqueue(chunk);
    },
  });
}
